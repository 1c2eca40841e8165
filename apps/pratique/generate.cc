#include <nlohmann/json.hpp>
#include <optional>

#include "command.h"
#include "nouns.h"
#include "pratique/crypto/random.h"
#include "pratique/synthetic/census.h"
#include "pratique/synthetic/consortium.h"

namespace pratique::app {
namespace {

void refuse_as_csv_output(const std::string& path) {
  if (path == "-" || path.ends_with(".parquet")) {
    throw Error::input("the census is written as a CSV file, with its hierarchies beside it")
        .at(path)
        .hint("Choose a name that ends in .csv.");
  }
}

void add_consortium(CLI::App& noun, Session& session) {
  struct Options {
    ConsortiumOptions world;
    std::optional<std::uint64_t> seed;
  };
  auto options = std::make_shared<Options>();
  CLI::App& verb = session.add_verb(
      noun, "consortium", "Write one coherent synthetic world of hospitals and patients",
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
  verb.add_option("--hospitals", options->world.hospitals, "how many hospitals (default: 20)")
      ->check(whole_number(1, 999));
  verb.add_option("--patients", options->world.patients, "how many patients (default: 50000)")
      ->check(whole_number(1, 20'000'000));
  verb.add_option("--seed", options->seed, "repeats a world; drawn and printed when not given")
      ->check(whole_number(0, kLargestSeed));
  verb.add_option("--out", options->world.folder, "the folder to make")->required();
}

void add_census(CLI::App& noun, Session& session) {
  struct Options {
    CensusOptions census;
    std::optional<std::uint64_t> seed;
  };
  auto options = std::make_shared<Options>();
  CLI::App& verb = session.add_verb(
      noun, "census", "Write a table with the columns and the shape of UCI Adult, at any size",
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
  verb.add_option("--rows", options->census.rows, "how many rows")
      ->required()
      ->check(whole_number(0, 1'000'000'000'000));
  verb.add_option("--seed", options->seed, "repeats a table; drawn and printed when not given")
      ->check(whole_number(0, kLargestSeed));
  verb.add_option("--out", options->census.path, "the CSV file to write")->required();
}

}  // namespace

void add_generate(CLI::App& program, Session& session) {
  CLI::App& noun =
      *program.add_subcommand("generate", "Make synthetic data: no real person is in it");
  noun.require_subcommand(1);
  add_consortium(noun, session);
  add_census(noun, session);
}

}  // namespace pratique::app
