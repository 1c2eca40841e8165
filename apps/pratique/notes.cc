#include <memory>

#include "command.h"
#include "nouns.h"
#include "pratique/dp/flow/notes_view.h"
#include "pratique/notes/flow/attack.h"
#include "pratique/notes/flow/plausibility.h"
#include "pratique/notes/flow/protect.h"
#include "pratique/notes/flow/tag.h"
#include "pratique/notes/flow/train.h"
#include "pratique/notes/flow/view.h"
#include "pratique/notes/model/detect.h"

extern "C" {
// Of cmake/NotesModel.cmake.
extern const char pratique_notes_model[];      // NOLINT(readability-identifier-naming)
extern const char pratique_notes_model_end[];  // NOLINT(readability-identifier-naming)
}

namespace pratique::app {
namespace notes_verbs {
namespace {

namespace flow = notes::flow;

void declare_notes(Verb& verb, notes::NoteInput& input) {
  verb.file_read("NOTES", &input.path,
                 "JSON lines with id and text; a table, a folder of texts, CDA or FHIR")
      .require();
  verb.column("id-column", &input.id_column, "of a table: the column with the ids of notes")
      .unless_given("the one of that name");
  verb.column("text-column", &input.text_column, "of a table: the column with the texts")
      .unless_given("the one of that name");
  verb.column("patient-column", &input.patient_column,
              "of a table: the column that says whose a note is")
      .unless_given("the one of that name, if any");
}

void declare_record(Verb& verb, std::string& record) {
  verb.file_read("record", &record,
                 "a table with a row per patient (patient, name, mrn, phone ...), whose values are "
                 "looked for in their notes");
}

void declare_detectors(Verb& verb, std::string& model, std::optional<double>& recall) {
  verb.file_or_word("model", &model, {"none"},
                    "a model that notes train made, as a further detector, or none")
      .unless_given("the one that was built in");
  verb.share("recall", &recall,
             "in place of --certainty: the threshold that found this share of the notes on which "
             "the model was calibrated")
      .unless_given("--certainty decides");
}

void declare_protect(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ProtectRequest>();
  Verb& verb =
      program.add("notes", "protect", "Release clinical text without the identifiers in it",
                  session.flow([request](const Run& run) { return flow::protect(*request, run); }));
  verb.makes_release = true;
  session.declare_private_written(verb);
  declare_notes(verb, request->input);
  verb.choice("mode", &request->mode, {"full", "partial", "statistical"},
              "what goes: HIPAA's 18 identifiers, those of a limited data set, or whatever singles "
              "out fewer than k people of the view");
  verb.choice("replace", &request->replace, {"tags", "surrogates", "suppress", "generalise"},
              "what stands in the place of an identifier");
  verb.whole_number("k", &request->k, 1, 1'000'000,
                    "of statistical: people who share a row of the view, at least");
  verb.whole_number("l", &request->l, 1, 1'000,
                    "of statistical: different diagnoses that they have, at least");
  verb.text("also", &request->also, "types that go too, such as hospital, clinician")
      .separated_by_commas();
  verb.text("only", &request->only, "the types that go, in place of those of the mode")
      .separated_by_commas();
  verb.flag("origin", &request->origin,
            "surrogate names come from where the originals do, which reveals ethnicity");
  declare_record(verb, request->record);
  verb.key_file("key", &request->key,
                "the secret that makes pseudonyms and surrogates, so that a later release agrees; "
                "created if it does not exist")
      .unless_given("drawn and forgotten");
  declare_detectors(verb, request->model, request->recall);
  verb.share("certainty", &request->certainty, "replace what is at least this certain");
  verb.file_written("out", &request->out,
                    "the notes to write as JSON lines; the manifest goes beside it")
      .require();
}

void declare_view(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ViewRequest>();
  Verb& verb =
      program.add("notes", "view", "Link the notes of each person, and write what they reveal",
                  session.flow([request](const Run& run) { return flow::view(*request, run); }));
  declare_notes(verb, request->input);
  declare_record(verb, request->record);
  verb.share("certainty", &request->certainty, "use what is at least this certain");
  verb.file_written("out", &request->out, "the view to write as CSV, private: a row per person")
      .require()
      .replaces({"person,notes,age,sex,zip"});
}

void declare_synthesize(CommandLine& program, Session& session) {
  auto request = std::make_shared<dp::flow::NotesViewRequest>();
  Verb& verb = program.add("notes", "synthesize",
                           "Release a synthetic view of persons under differential privacy",
                           session.flow([request](const Run& run) {
                             return dp::flow::synthesize_notes_view(*request, run);
                           }));
  session.declare_private_written(verb);
  declare_notes(verb, request->view.input);
  declare_record(verb, request->view.record);
  verb.share("certainty", &request->view.certainty, "use what is at least this certain");
  verb.file_written("view", &request->view.out,
                    "the view itself to write as CSV, private: further questions are asked of it")
      .require()
      .replaces({"person,notes,age,sex,zip"});
  verb.file_read("ledger", &request->ledger, "the ledger of the budget to start on the view")
      .require();
  verb.positive_number("epsilon", &request->epsilon, "the budget, all of which is spent").require();
  verb.number("delta", &request->delta, 0, 0.999, "delta of the budget");
  verb.column_hierarchy("domain", &request->domains,
                        "what the values of a column of the view may be, as of dp synthesize")
      .unless_given("age in tens, sex, the first digit of the ZIP, the year of the first date");
  verb.whole_number("insecure-seed", &request->insecure_seed, 0, kLargestSeed,
                    "repeats the noise; NOT PRIVATE, for tests alone");
  verb.file_written("out", &request->out, "the table to write; its manifest goes beside it")
      .require();
}

void declare_attack(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AttackRequest>();
  Verb& verb =
      program.add("notes", "attack", "Find people in released text: by leaks, and by a register",
                  session.flow([request](const Run& run) { return flow::attack(*request, run); }));
  session.declare_private_read(verb);
  verb.file_read("RELEASE", &request->release, "what notes protect wrote, or notes as they are")
      .require();
  verb.file_read("register", &request->known,
                 "a table of people: name, age or birth, sex, zip, dates, diagnoses")
      .require();
  verb.file_read("original", &request->original, "the notes before, to compare with")
      .unless_given("that of the manifest, where it is at hand");
  verb.whole_number("max-leaks", &request->max_leaks, 0, 1'000'000'000,
                    "exit 1 when there are more leaks");
  verb.whole_number("max-reidentified", &request->max_reidentified, 0, 1'000'000'000,
                    "exit 1 when more people are found");
}

void declare_train(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::TrainRequest>();
  Verb& verb =
      program.add("notes", "train", "Train a model on notes whose identifiers are marked",
                  session.flow([request](const Run& run) { return flow::train(*request, run); }));
  verb.file_read("annotated", &request->annotated.path,
                 "marked notes: JSON lines with spans, or a folder of texts with brat's .ann")
      .require();
  verb.whole_number("folds", &request->folds, 2, 20, "parts of the cross-validation");
  verb.whole_number("epochs", &request->epochs, 1, 100, "at most this many passes over the notes");
  verb.whole_number("suggest", &request->suggest, 0, 1'000'000,
                    "name this many notes that are worth marking next")
      .unless_given("none");
  verb.file_read("pool", &request->pool, "the notes to suggest from")
      .unless_given("those of --annotated without spans");
  verb.seed(&request->seed, "repeats the training").unless_given("drawn and printed");
  verb.file_written("out", &request->out, "the model to write")
      .require()
      .replaces({"pratique notes model"});
}

void declare_plausibility(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::PlausibilityRequest>();
  Verb& verb = program.add(
      "notes", "plausibility", "Raise sensitive terms until many texts could be the original",
      session.flow([request](const Run& run) { return flow::plausibility(*request, run); }));
  declare_notes(verb, request->input);
  verb.whole_number("t", &request->t, 1, 1'000'000,
                    "at least this many texts could be the original");
  verb.whole_number("minimum", &request->minimum, 1, 1'000'000,
                    "every term becomes one that stands for at least this many");
  verb.file_or_word("ontology", &request->ontology, {"wordnet"},
                    "what terms rise to: a CSV file, term first and root last, or WordNet's nouns");
  verb.text("terms", &request->terms, "the sensitive terms")
      .separated_by_commas()
      .unless_given("spans of the notes, else all terms of the file");
  verb.text("sense", &request->senses, "TERM=N: which of a term's senses in WordNet is meant")
      .unless_given("chosen by the words around it");
  verb.file_written("out", &request->out, "the notes to write as JSON lines, private")
      .replaces({"\"plausible\":"});
}

void declare_tag(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::TagRequest>();
  Verb& verb =
      program.add("notes", "tag", "Find the identifiers in clinical text",
                  session.flow([request](const Run& run) { return flow::tag(*request, run); }));
  declare_notes(verb, request->input);
  declare_record(verb, request->record);
  declare_detectors(verb, request->model, request->recall);
  verb.share("certainty", &request->certainty, "report spans that are at least this certain");
  verb.choice("as", &request->form, {"json", "inline", "brat"},
              "spans alone, the text with tags, or the text with brat's annotations");
  verb.file_written("out", &request->out, "the spans to write, a note per line")
      .require()
      .replaces({"\"spans\":["});
}

void declare_evaluate(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::EvaluateRequest>();
  Verb& verb = program.add(
      "notes", "evaluate", "Compare found identifiers with those that somebody marked",
      session.flow([request](const Run& run) { return flow::evaluate(*request, run); }));
  verb.file_read("SPANS", &request->spans, "what notes tag wrote").require();
  verb.file_read(
          "gold", &request->gold,
          "notes with spans that were marked by hand: JSON lines, or a folder with brat's .ann")
      .require();
  verb.file_written("leaks", &request->leaks,
                    "list marked spans here that are not wholly covered: id, start, end, type")
      .replaces({"\"leak\":"});
}

}  // namespace
}  // namespace notes_verbs

void add_notes(CommandLine& program, Session& session) {
  using namespace notes_verbs;
  notes::provide_default_model(
      {pratique_notes_model,
       static_cast<std::size_t>(pratique_notes_model_end - pratique_notes_model)});
  program.nouns.push_back({"notes", "Clinical text: identifiers found, replaced, attacked"});
  declare_tag(program, session);
  declare_evaluate(program, session);
  declare_protect(program, session);
  declare_view(program, session);
  declare_synthesize(program, session);
  declare_attack(program, session);
  declare_plausibility(program, session);
  declare_train(program, session);
}

}  // namespace pratique::app
