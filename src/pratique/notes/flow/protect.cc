#include "pratique/notes/flow/protect.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/kind/publish.h"
#include "pratique/notes/find/patient_record.h"
#include "pratique/notes/flow/internal/notes_artefact.h"
#include "pratique/notes/format/corpus_types.h"
#include "pratique/notes/link/generalised_view.h"
#include "pratique/notes/metric/miss_rate.h"
#include "pratique/notes/release/kind.h"
#include "pratique/notes/replace/note_tag.h"
#include "pratique/notes/replace/replacer.h"
#include "pratique/verify/text_identifiers.h"

namespace pratique::notes::flow {
namespace {

constexpr double kConfidence = 0.95;

struct Exposed {
  std::uint64_t leaks = 0, notes = 0;

  void add(std::uint64_t count) {
    leaks += count;
    notes += count > 0 ? 1 : 0;
  }
  [[nodiscard]] Json to_json() const { return {{"leaks", leaks}, {"notes_with_leaks", notes}}; }
};

// What came of one note, made in parallel.
struct ProtectedNote {
  ReplacedNote replaced;
  std::uint64_t leaks_before = 0, leaks_after = 0;
  std::uint64_t marked = 0, missed = 0;
};

std::uint64_t count_leaks(std::string_view text, const std::vector<std::string>& types,
                          bool surrogates) {
  const auto identifiers = verify::identifiers_in_note(text, surrogates);
  return static_cast<std::uint64_t>(std::count_if(
      identifiers.begin(), identifiers.end(),
      [&](const auto& f) { return std::find(types.begin(), types.end(), f.type) != types.end(); }));
}

// Marked spans are certain; what was found beside them stays.
std::vector<Span> with_marked(std::string_view text, const std::vector<Span>& marked,
                              std::vector<Span> spans) {
  for (Span span : marked) {
    span.certainty = 1;
    if (span.type != kTagType) span.type = our_type(span.type);
    spans.push_back(std::move(span));
  }
  return compete(text, std::move(spans));
}

Mode mode_of(const std::string& word) {
  return word == "full" ? Mode::full : word == "partial" ? Mode::partial : Mode::statistical;
}

Replace replace_of(const std::string& word) {
  return word == "tags"         ? Replace::tags
         : word == "surrogates" ? Replace::surrogates
         : word == "suppress"   ? Replace::suppress
                                : Replace::generalise;
}

void refuse_unknown_types(const std::vector<std::string>& types, const char* option) {
  for (const auto& type : types) {
    if (type == "clinician" ||
        std::find(span_types().begin(), span_types().end(), type) != span_types().end())
      continue;
    throw Error::input("this is not a type of identifier")
        .at(std::string("--") + option + " " + type)
        .hint("The types are in docs/notes.md: name, clinician, hospital, date and others.");
  }
}

// Names of a patient that one of the notes is certain of, for all of them.
PatientRecords learn_names(const OpenedNotes& notes, PatientRecords known,
                           const Detectors& detectors, const Run& run) {
  constexpr int kMostPasses = 4;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool more = false;
    notes.read(
        [&](NoteFile&& file) {
          std::vector<std::vector<std::string>> certain(file.notes.size());
          parallel_blocks(file.notes.size(), 16, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              const Note& note = file.notes[i];
              if (note.patient.empty()) continue;
              certain[i] =
                  certain_names(note.text, detectors.find(note.text, known.of(note.patient)));
            }
          });
          for (std::size_t i = 0; i < file.notes.size(); ++i) {
            for (auto& word : certain[i])
              more = known.learn(file.notes[i].patient, std::move(word)) || more;
          }
        },
        run.progress);
    if (!more) break;
  }
  return known;
}

// Of a person: by the key that the notes have for them, else by the first of their notes, so that
// another batch under the same key does not name somebody else so.
std::vector<std::string> pseudonyms_of(const OpenedNotes& notes, const PersonView& view,
                                       const NoteKey& key, const Run& run) {
  std::vector<std::string> patient(view.persons.size());
  std::vector<std::string> first(view.persons.size());
  std::size_t number = 0;
  notes.read(
      [&](NoteFile&& file) {
        for (const Note& note : file.notes) {
          const auto person = view.person_of_note[number++];
          if (first[person].empty()) first[person] = note.id;
          if (patient[person].empty()) patient[person] = note.patient;
        }
      },
      run.progress);
  for (std::size_t p = 0; p < patient.size(); ++p) {
    patient[p] = patient[p].empty() ? key.pseudonym("person", first[p])
                                    : key.pseudonym("patient", patient[p]);
  }
  return patient;
}

}  // namespace

Outcome protect(const ProtectRequest& request, const Run& run) {
  refuse_unknown_types(request.also, "also");
  refuse_unknown_types(request.only, "only");
  const OpenedNotes notes = open_notes(request.input, run);
  std::vector<std::string> settings = run.settings();
  if (!request.record.empty()) settings.push_back(request.record);
  if (!request.model.empty() && request.model != "none") settings.push_back(request.model);
  release::refuse_overwriting_inputs(request.out, {notes.source}, settings);
  if (!request.key.empty()) release::refuse_key_as_output(request.key, request.out);
  const NoteKey key(request.key);
  if (request.mode == "statistical" && request.replace != "generalise") {
    throw Error::input("the statistical mode replaces mentions by generalised values alone")
        .at("--replace " + request.replace)
        .hint("Use --replace generalise.");
  }
  auto rules = ReplacementRules::of(mode_of(request.mode), replace_of(request.replace),
                                    request.also, request.only);
  const bool surrogates = rules.replace == Replace::surrogates;
  if (request.origin && !surrogates) {
    throw Error::input("only surrogates can keep the origin of a name")
        .at("--origin")
        .hint("Use it with --replace surrogates.");
  }
  rules.origin = request.origin;
  const auto checked = rules.verifiable();
  if (checked.empty()) {
    throw Error::input("nothing that these types name can be verified in a released text")
        .hint("Name at least one of email, url, ip, ssn, phone, id, date, age or name.");
  }
  const auto detectors = Detectors::with(request.certainty, request.model, request.recall);
  PatientRecords records;
  if (!request.record.empty()) records = read_patient_records(request.record, run);
  records = learn_names(notes, std::move(records), detectors, run);
  const Replacer replacer(rules, key);
  const bool statistical = rules.mode == Mode::statistical;
  PersonView view;
  std::vector<std::optional<GeneralisedPerson>> generalised;
  if (statistical) {
    view = view_persons(notes, records, request.certainty, run);
    generalised = generalise_view(view, request.k, request.l, run.progress);
  }
  std::vector<std::string> pseudonyms;  // of persons
  if (statistical) pseudonyms = pseudonyms_of(notes, view, key, run);
  std::uint64_t withheld = 0;
  std::size_t read_before = 0;

  NotesArtefact artefact;
  std::vector<RejectedNote> rejected = notes.rejected;
  std::vector<RejectedNote> repaired = notes.repaired;
  std::unordered_set<std::string> ids;
  std::unordered_set<std::string> patients;
  std::map<std::string, std::uint64_t> by_type;
  Exposed before;
  Exposed after;
  std::uint64_t read = rejected.size();
  std::uint64_t replaced = 0;
  std::uint64_t second_look = 0;
  std::uint64_t marked = 0;
  std::uint64_t missed = 0;
  notes.read(
      [&](NoteFile&& file) {
        std::vector<ProtectedNote> done(file.notes.size());
        parallel_blocks(file.notes.size(), 16, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) {
            const Note& note = file.notes[i];
            auto spans = detectors.find(note.text, records.of(note.patient));
            for (const Span& span : note.spans) {
              ++done[i].marked;
              done[i].missed += std::none_of(spans.begin(), spans.end(), [&](const Span& f) {
                return f.start < span.end && span.start < f.end;
              });
            }
            // Text that was released with tags before.
            auto marked_spans = tags_in(note.text);
            marked_spans.insert(marked_spans.end(), note.spans.begin(), note.spans.end());
            if (!marked_spans.empty())
              spans = with_marked(note.text, marked_spans, std::move(spans));
            GeneralisedMentions mentions;
            const auto* person =
                statistical ? &generalised[view.person_of_note[read_before + i]] : nullptr;
            if (person != nullptr && *person)
              mentions = {(*person)->age, (*person)->zip, (*person)->year};
            done[i].replaced = replacer.replace(note, spans, statistical ? &mentions : nullptr);
            done[i].leaks_before = count_leaks(note.text, checked, false);
            done[i].leaks_after = count_leaks(done[i].replaced.text, checked, surrogates);
          }
        });
        for (std::size_t i = 0; i < file.notes.size(); ++i) {
          const Note& note = file.notes[i];
          const std::string id = key.pseudonym("id", note.id);
          if (!ids.insert(id).second) {
            rejected.push_back({file.lines[i], "the id of another note"});
            continue;
          }
          Json line = {{"id", id}};
          if (statistical) {
            const std::uint32_t number = view.person_of_note[read_before + i];
            const auto& person = generalised[number];
            if (!person) {
              ++withheld;
              continue;
            }
            line["patient"] = pseudonyms[number];
            patients.insert(line["patient"].get<std::string>());
            line["view"] = {{"age", person->age},
                            {"sex", person->sex},
                            {"zip", person->zip},
                            {"year", person->year},
                            {"diagnosis", person->diagnosis}};
          } else if (!note.patient.empty()) {
            line["patient"] = key.pseudonym("patient", note.patient);
            patients.insert(line["patient"].get<std::string>());
          }
          line["text"] = done[i].replaced.text;
          artefact.add(id, line.dump() + "\n");
          for (const auto& [type, count] : done[i].replaced.by_type) {
            by_type[type] += count;
            replaced += count;
          }
          second_look += done[i].replaced.second_look;
          before.add(done[i].leaks_before);
          after.add(done[i].leaks_after);
          marked += done[i].marked;
          missed += done[i].missed;
        }
        read += file.notes.size() + file.rejected.size();
        read_before += file.notes.size();
        rejected.insert(rejected.end(), file.rejected.begin(), file.rejected.end());
        repaired.insert(repaired.end(), file.repaired.begin(), file.repaired.end());
      },
      run.progress);
  if (artefact.notes() == 0) {
    throw Error::check(withheld > 0 ? "too few people are alike for any note to be released"
                                    : "no note could be read, so there is nothing to release")
        .at(request.input.path)
        .hint(withheld > 0 ? "Ask for a smaller --k or --l."
                           : "notes tag lists what is wrong with each.");
  }

  Json result = {{"notes", read},
                 {"released", artefact.notes()},
                 {"rejected", to_json(rejected)},
                 {"repaired", to_json(repaired)},
                 {"patients", patients.size()},
                 {"replaced", replaced},
                 {"by_type", by_type},
                 {"second_look", second_look},
                 {"before", before.to_json()},
                 {"after", after.to_json()}};
  if (statistical) result["withheld"] = withheld;
  if (marked > 0) {
    result["finding"] = {{"marked", marked},
                         {"missed", missed},
                         {"miss_rate", static_cast<double>(missed) / static_cast<double>(marked)},
                         {"miss_rate_at_most", miss_rate_at_most(missed, marked, kConfidence)},
                         {"confidence", kConfidence}};
  }
  result["certainty"] = detectors.certainty;
  if (detectors.recall_calibrated) result["recall_calibrated"] = *detectors.recall_calibrated;
  Json parameters = {
      {"mode", request.mode},
      {"replace", request.replace},
      {"types", Json(std::vector<std::string>(rules.types.begin(), rules.types.end()))}};
  if (const auto fingerprint = key.fingerprint()) parameters["key_fingerprint"] = *fingerprint;
  Json claims = Json::array(
      {{{"model", "identifiers-removed"}, {"types", checked}, {"surrogates", surrogates}}});
  if (request.origin) parameters["origin"] = true;
  if (statistical) {
    claims[0]["view"] = true;
    parameters["k"] = request.k;
    parameters["l"] = request.l;
    claims.push_back({{"model", "view-k-anonymity"},
                      {"k", request.k},
                      {"l", request.l},
                      {"view", {"age", "sex", "zip", "year"}},
                      {"sensitive", "diagnosis"}});
  }
  const Seeded seeded = with_seed(run, 0);
  const auto published = release::publish(run.engine, artefact, request.out,
                                          {.kind = "notes",
                                           .verb = "protect",
                                           .command = run.command,
                                           .seed = seeded.seed,
                                           .inputs = {notes.source},
                                           .other_files = settings,
                                           .options = run.options,
                                           .figures = figures(),
                                           .told = told_results(),
                                           .private_folder = run.private_folder},
                                          parameters, claims, result, run.progress);
  if (const auto fingerprint = key.fingerprint()) result["key_fingerprint"] = *fingerprint;
  result["verified"] = published.claims.front().holds;
  if (statistical) result["k_verified"] = published.claims.back().achieved;
  result["private_manifest"] = published.private_manifest;
  result["out"] = request.out;
  return {result};
}

}  // namespace pratique::notes::flow
