#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "nouns.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/flow/generate_families.h"
#include "pratique/synthetic/census.h"
#include "pratique/synthetic/consortium.h"
#include "pratique/synthetic/notes.h"

namespace pratique::app {
namespace {

void refuse_as_csv_output(const std::string& path) {
  if (path == "-" || path.ends_with(".parquet")) {
    throw Error::input("the census is written as a CSV file, with its hierarchies beside it")
        .at(path)
        .hint("Choose a name that ends in .csv.");
  }
}

void add_generated_consortium(CommandLine& program, Session& session) {
  struct Options {
    ConsortiumOptions world;
    std::optional<std::uint64_t> seed;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "generate", "consortium", "Write a coherent synthetic world of hospitals and patients",
      [options, &session] {
        options->world.seed = options->seed ? *options->seed : draw_seed();
        const auto summary = generate_consortium(options->world, session.progress);
        session.print({{"hospitals", summary.hospitals},
                       {"patients", summary.patients},
                       {"population", summary.population},
                       {"registered", summary.registered},
                       {"visits", summary.visits},
                       {"dna_samples", summary.dna_samples},
                       {"dna_patients", summary.dna_patients},
                       {"codes", summary.codes},
                       {"insured", summary.insured},
                       {"web_pages", summary.web_pages},
                       {"seed", options->world.seed},
                       {"out", options->world.folder}});
        return 0;
      });
  verb.whole_number("hospitals", &options->world.hospitals, 1, 999, "how many hospitals");
  verb.whole_number("patients", &options->world.patients, 1, 20'000'000, "how many patients");
  verb.seed(&options->seed, "repeats a world").unless_given("drawn and printed");
  verb.folder_written("out", &options->world.folder, "the folder to make").require();
}

void add_census(CommandLine& program, Session& session) {
  struct Options {
    CensusOptions census;
    std::optional<std::uint64_t> seed;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "generate", "census", "Write a table with the columns and shape of UCI Adult, of any size",
      [options, &session] {
        refuse_as_csv_output(options->census.path);
        options->census.seed = options->seed ? *options->seed : draw_seed();
        const auto summary = generate_census(options->census, session.progress);
        Json hierarchies = Json::object();
        for (const auto& choice : summary.hierarchies) hierarchies[choice.column] = choice.spec;
        session.print({{"rows", summary.rows},
                       {"bytes", summary.bytes},
                       {"seed", options->census.seed},
                       {"out", options->census.path},
                       {"hierarchies", std::move(hierarchies)}});
        return 0;
      });
  verb.whole_number("rows", &options->census.rows, 0, 1'000'000'000'000, "how many rows").require();
  verb.seed(&options->seed, "repeats a table").unless_given("drawn and printed");
  verb.file_written("out", &options->census.path, "the CSV file to write").require();
}

void add_made_notes(CommandLine& program, Session& session) {
  struct Options {
    NotesOptions notes{.notes = 1000};
    std::string half = "all";
    std::optional<std::uint64_t> seed;
  };
  auto options = std::make_shared<Options>();
  Verb& verb = program.add(
      "generate", "notes", "Write clinical notes of nobody, with every identifier marked",
      [options, &session] {
        options->notes.seed = options->seed ? *options->seed : draw_seed();
        options->notes.half = options->half == "all"       ? NotesOptions::Half::all
                              : options->half == "trained" ? NotesOptions::Half::trained
                                                           : NotesOptions::Half::held;
        const auto summary = generate_notes(options->notes, session.progress);
        session.print({{"notes", summary.notes},
                       {"spans", summary.spans},
                       {"patients", summary.patients},
                       {"bytes", summary.bytes},
                       {"seed", options->notes.seed},
                       {"out", options->notes.path}});
        return 0;
      });
  verb.whole_number("notes", &options->notes.notes, 1, 100'000'000, "how many notes");
  verb.choice("templates", &options->half, {"all", "trained", "held"},
              "which half of the lines notes are made of, so that a model can be measured on lines "
              "that it never saw");
  verb.seed(&options->seed, "repeats the notes").unless_given("drawn and printed");
  verb.file_written("register", &options->notes.register_path,
                    "a table of the patients to write too");
  verb.file_written("out", &options->notes.path, "the notes to write as JSON lines").require();
}

void add_families(CommandLine& program, Session& session) {
  auto request = std::make_shared<genomes::flow::FamiliesRequest>();
  Verb& verb = program.add(
      "generate", "families",
      "Write a synthetic world of families: pedigrees, genotypes, diseases and hospitals",
      session.flow(
          [request](const Run& run) { return genomes::flow::generate_families(*request, run); }));
  verb.whole_number("people", &request->people, 10, 1'000'000, "about how many people");
  verb.whole_number("hospitals", &request->hospitals, 1, 200, "how many hospitals");
  verb.whole_number("sites", &request->sites, 10, 1'000'000, "how many sites of the genome");
  verb.seed(&request->seed, "repeats a world").unless_given("drawn and printed");
  verb.folder_written("out", &request->out, "the folder to make").require();
}

}  // namespace

void add_generate(CommandLine& program, Session& session) {
  program.nouns.push_back({"generate", "Make synthetic data: no real person is in it"});
  add_generated_consortium(program, session);
  add_census(program, session);
  add_made_notes(program, session);
  add_families(program, session);
}

}  // namespace pratique::app
