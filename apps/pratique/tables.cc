#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "nouns.h"
#include "pratique/core/error.h"
#include "pratique/dp/flow/diffgen.h"
#include "pratique/kind/release_file.h"
#include "pratique/manifest/manifest.h"
#include "pratique/tables/flow/assess.h"
#include "pratique/tables/flow/explain.h"
#include "pratique/tables/flow/explore.h"
#include "pratique/tables/flow/plan.h"
#include "pratique/tables/flow/protect.h"
#include "pratique/tables/flow/reconstruct.h"
#include "pratique/tables/flow/view.h"
#include "pratique/tables/method/protection.h"
#include "recorded_run.h"
#include "table_options.h"

namespace pratique::app {
namespace tables_verbs {
namespace {

namespace flow = tables::flow;

void declare_profile(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ProfileRequest>();
  Verb& verb = program.add(
      "tables", "profile", "Describe the columns, and find those that single people out",
      session.flow([request](const Run& run) { return flow::profile(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file,
                 "the table: CSV, Parquet or FILE.duckdb:TABLE; - for standard input")
      .require();
  verb.whole_number("first", &request->first, 1, kLargestSeed, "look at these first rows only")
      .unless_given("all");
}

void declare_assess(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AssessRequest>();
  Verb& verb = program.add(
      "tables", "assess", "Measure the risk in a table: k, uniqueness, diversity, closeness",
      session.flow([request](const Run& run) { return flow::assess(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "the table, original or released, from any tool")
      .require();
  declare_quasi_identifiers(verb, request->columns);
  declare_sensitive(verb, request->columns);
  verb.column("person", &request->person,
              "says whose each row is: people are counted instead of rows")
      .unless_given(
          "as the manifest of a release says; else a column that names people and repeats is asked "
          "about");
  verb.flag("rows-are-people", &request->rows_are_people,
            "every row is a different person, although such a column repeats");
  verb.file_read("population", &request->population,
                 "a table of the people the adversary may choose from, with the same columns");
  declare_date_form(verb, request->forms.dates).only_with("population");
  declare_number_form(verb, request->forms.numbers).only_with("population");
  verb.whole_number("population-size", &request->population_size, 1, kLargestSeed,
                    "how many people there are of whom the table is a random sample: of those who "
                    "are unique in it, how many are unique among all");
  verb.share("sampling-fraction", &request->sampling_fraction,
             "the same, as the share of all people who are in the table");
  declare_hierarchies(verb, request->columns);
  declare_config(verb, request->columns);
}

void declare_attack(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AttackRequest>();
  Verb& verb = program.add(
      "tables", "attack", "Link a register of named people to a release, as an adversary would",
      session.flow([request](const Run& run) { return flow::attack(*request, run); }));
  verb.quick = true;
  verb.file_read("RELEASE", &request->release, "the table to attack").require();
  verb.file_read("register", &request->register_file, "named people, as the adversary has them")
      .require();
  verb.columns("on", &request->on, "columns that both share").require();
  verb.column("person", &request->person,
              "of the release, says whose each row is: people are counted instead of rows")
      .unless_given(
          "as its manifest says; else a column that names people and repeats is asked about");
  verb.flag("rows-are-people", &request->rows_are_people,
            "every row is a different person, although such a column repeats");
  verb.column("register-person", &request->register_person,
              "of the register, says whose each row is: people are counted instead of rows")
      .unless_given("as --person; else a column that names people and repeats is asked about");
  declare_date_form(verb, request->forms.dates);
  declare_number_form(verb, request->forms.numbers);
  declare_sensitive(verb, request->columns);
  verb.file_read("truth", &request->truth,
                 "the original records, to score the attack: key, sensitive and linked columns");
  verb.column("truth-key", &request->truth_key, "the key that register and truth share");
  verb.share(
      "fail-above", &request->fail_above,
      "exit 1 when a larger share than this is linked uniquely or disclosed, or nothing was tried");
  declare_hierarchies(verb, request->columns);
  declare_config(verb, request->columns);
}

void declare_diffgen(Verb& verb, dp::flow::DiffgenRequest& request) {
  verb.group("Method");
  verb.file_read("ledger", &request.ledger, "of diffgen: the budget's ledger, made by dp open");
  verb.positive_number("epsilon", &request.epsilon, "of diffgen: what to spend on it");
  verb.whole_number("specialisations", &request.specialisations, 1, 10'000,
                    "of diffgen: how often a value is replaced by those below it");
  verb.text("analyst", &request.analyst, "of diffgen: who asks, where the budget is shared");
}

// Differential privacy has a flow of its own: what is charged to a budget is not searched for.
Outcome protect_by(const flow::ProtectRequest& request, dp::flow::DiffgenRequest noisy,
                   const Run& run) {
  if (request.method != kDiffgen) {
    if (noisy.epsilon || !noisy.ledger.empty()) {
      throw Error::input("--ledger and --epsilon go with --method diffgen");
    }
    return flow::protect(request, run);
  }
  const bool models = std::any_of(request.models.begin(), request.models.end(),
                                  [](const auto& given) { return !given.second.empty(); });
  if (models || request.safe_harbor || !request.perturb.empty() || !request.against.empty() ||
      !request.columns.config.empty()) {
    throw Error::input("--method diffgen takes no models, settings files or operators beside it")
        .hint("Give --qi, --sensitive, --hierarchy, --ledger, --epsilon and --specialisations.");
  }
  noisy.file = request.file;
  noisy.quasi_identifiers = request.columns.said.quasi_identifiers;
  noisy.sensitive = request.columns.said.sensitive;
  noisy.hierarchies = request.columns.hierarchies;
  noisy.out = request.out;
  return dp::flow::diffgen(noisy, run);
}

void declare_protect(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ProtectRequest>();
  auto noisy = std::make_shared<dp::flow::DiffgenRequest>();
  Verb& verb = program.add(
      "tables", "protect", "Make a release that satisfies the requested models",
      session.flow([request, noisy](const Run& run) { return protect_by(*request, *noisy, run); }));
  verb.makes_release = true;
  declare_protect(verb, *request);
  declare_diffgen(verb, *noisy);
  session.declare_private_written(verb);
}

void declare_settings_to_try(Verb& verb, flow::ExploreRequest& request) {
  declare_shared(verb, request.shared);
  verb.remove("k");
  verb.group("Settings to try");
  verb.whole_number("ks", &request.ks, 1, std::uint64_t{1} << 32U, "every k to try")
      .separated_by_commas();
  verb.choice("methods", &request.methods, tables::method_names(), "every method to try")
      .separated_by_commas();
}

void declare_explore(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ExploreRequest>();
  Verb& verb =
      program.add("tables", "explore", "Draw the map of risk against utility over methods and k",
                  session.flow([request](const Run& run) { return flow::explore(*request, run); }));
  declare_settings_to_try(verb, *request);
  verb.share("min-utility", &request->min_utility,
             "choose the least risky setting with at least this utility (1 - LM)");
  verb.share("max-risk", &request->max_risk,
             "choose the most useful setting in which no record's risk is larger");
  verb.group("Output");
  verb.folder_written("out", &request->shared.out, "for ru-map.csv, .json and .svg")
      .require()
      .replaces_in_it({{"ru-map.csv", "method,k,risk_mean,"},
                       {"ru-map.json", "\"title\": \"Risk and utility\""},
                       {"ru-map.svg", "Risk and utility"}});
}

void declare_plan(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ExploreRequest>();
  Verb& verb = program.add(
      "tables", "plan", "Tell how long tables explore will take, from samples of the table",
      session.flow([request](const Run& run) { return flow::plan(*request, run); }));
  verb.quick = true;
  declare_settings_to_try(verb, *request);
}

Manifest manifest_of(const std::string& release, const Session& session) {
  try {
    return release::ReleaseFile::read(release, session.private_folder).manifest();
  } catch (const Error& error) {
    throw Error::input(
        fmt::format("the manifest of {} cannot be read: {}", release, error.message()))
        .hint("explain repeats the run that the manifest beside a release records.");
  }
}

// What the manifest says was asked for.
flow::ProtectRequest recorded_request(const Manifest& manifest, const std::string& release) {
  if (manifest.kind != "tables" || manifest.verb != "protect") {
    throw Error::input(fmt::format("{} was not made by tables protect", release));
  }
  flow::ProtectRequest request;
  Verb verb("tables", "protect", "", {});
  dp::flow::DiffgenRequest noisy;
  declare_protect(verb, request);
  declare_diffgen(verb, noisy);
  restore_recorded(verb, manifest);
  return request;
}

void declare_explain(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ExplainRequest>();
  Verb& verb =
      program.add("tables", "explain",
                  "Explain why a release is generalised as it is: what one level less would break",
                  session.flow([request, &session](const Run& run) {
                    request->manifest = manifest_of(request->release, session);
                    request->recorded = recorded_request(request->manifest, request->release);
                    return flow::explain(*request, run);
                  }));
  verb.quick = true;
  verb.file_read("RELEASE", &request->release, "the released file, with its manifest beside it")
      .require();
  verb.whole_number("class", &request->number, 1, kLargestSeed,
                    "the class, numbered from 1 in the order of first appearance in the file");
  verb.text("value", &request->value, "a generalised cell, written as in the file");
  verb.column("column", &request->column, "with --value: in this column only");
  verb.file_read("original", &request->original, "where the original is now")
      .unless_given("the manifest's path");
  session.declare_private_read(verb);
}

void declare_rows(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::RowsRequest>();
  Verb& verb = program.add(
      "tables", "rows", "Show rows of a table as they are in the file",
      session.flow([request](const Run& run) { return flow::view_rows(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "the table: CSV, Parquet or FILE.duckdb:TABLE").require();
  verb.whole_number("offset", &request->offset, 0, kLargestSeed, "the first row to show, from 0");
  verb.whole_number("limit", &request->limit, 0, 100'000, "how many rows");
}

void declare_distributions(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::DistributionsRequest>();
  Verb& verb = program.add(
      "tables", "distributions", "Count the values of columns, in bins to draw",
      session.flow([request](const Run& run) { return flow::view_distributions(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "the table: CSV, Parquet or FILE.duckdb:TABLE").require();
  verb.columns("columns", &request->columns, "the columns to count").unless_given("all");
  verb.whole_number("top", &request->top, 1, 1000, "bins of each column");
}

void declare_crosstab(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::CrosstabRequest>();
  Verb& verb = program.add(
      "tables", "crosstab",
      "Count two columns against each other, and how much one tells of the other",
      session.flow([request](const Run& run) { return flow::view_crosstab(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "the table: CSV, Parquet or FILE.duckdb:TABLE").require();
  verb.columns("columns", &request->columns, "two columns").require();
  verb.whole_number("top", &request->top, 1, 1000,
                    "values of each to show, the most frequent; the others count together");
}

void declare_hierarchy(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::HierarchyRequest>();
  Verb& verb = program.add(
      "tables", "hierarchy", "Show a column's hierarchy as a tree, and the values missing from it",
      session.flow([request](const Run& run) { return flow::view_hierarchy(*request, run); }));
  verb.quick = true;
  verb.file_read("FILE", &request->file, "the table: CSV, Parquet or FILE.duckdb:TABLE").require();
  verb.column("column", &request->column, "the column to look at").require();
  declare_hierarchies(verb, request->columns);
  declare_config(verb, request->columns);
  verb.whole_number("nodes", &request->nodes, 1, 100'000, "how many nodes of the tree to show");
}

void declare_reconstruct(CommandLine& program, Session& session) {
  auto release = std::make_shared<std::string>();
  Verb& verb = program.add(
      "tables", "reconstruct", "Estimate the original distribution of a randomised column",
      session.flow([release](const Run& run) { return flow::reconstruct(*release, run); }));
  verb.file_read("RELEASE", release.get(), "the released file, with its manifest beside it")
      .require();
}

}  // namespace
}  // namespace tables_verbs

void add_tables(CommandLine& program, Session& session) {
  using namespace tables_verbs;
  program.nouns.push_back({"tables", "Demographics and other records: one row per person"});
  declare_profile(program, session);
  declare_assess(program, session);
  declare_attack(program, session);
  declare_protect(program, session);
  declare_explore(program, session);
  declare_plan(program, session);
  declare_explain(program, session);
  declare_rows(program, session);
  declare_distributions(program, session);
  declare_crosstab(program, session);
  declare_hierarchy(program, session);
  declare_reconstruct(program, session);
}

}  // namespace pratique::app
