#include "pratique/dp/flow/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/data/table.h"
#include "pratique/dp/budget/budget.h"
#include "pratique/dp/flow/left.h"
#include "pratique/dp/tester/mechanisms.h"
#include "pratique/engine/source_name.h"
#include "pratique/genomes/format/genotypes.h"
#include "pratique/tables/flow/whose_rows.h"

namespace pratique::dp::flow {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLettersOfNames = "abcdefghijklmnopqrstuvwxyz0123456789_";

// Genotypes are counted by genomes protect; of PLINK's three files the first has them.
bool is_genotypes(const std::string& path) {
  return path != "-" && fs::exists(path) && genomes::looks_like_genotypes(path);
}
std::string data_file(const std::string& path) {
  return is_genotypes(path) ? genomes::files_beside(path).front() : path;
}

// What is wrong with a file is told when the budget is opened, to its steward, and not with an
// answer.
Source bound_source(const std::string& path, const std::string& person, const Run& run) {
  if (is_genotypes(path)) {
    Source genotypes = run.engine.open_sets(path, run.progress);
    genotypes.columns = {"genotypes"};
    if (!person.empty()) (void)column_index(genotypes.columns, person, genotypes.name);
    (void)genomes::GenotypeFile::open(path);
    return genotypes;
  }
  Source source = run.open(path);
  if (path == "-" || source.files.empty()) {
    throw Error::input("a budget is bound to a file that stays where it is")
        .at(path)
        .hint("Save the data to a file first.");
  }
  if (!person.empty()) (void)column_index(source.columns, person, source.name);
  (void)run.engine.count_rows(source, run.progress);
  return source;
}

// NAME=SHARE, a share of epsilon above 0 and at most 1.
std::pair<std::string, Epsilon> analyst_share(const std::string& text, Epsilon of) {
  const auto at = text.rfind('=');
  const std::string share = at == std::string::npos ? "" : text.substr(at + 1);
  const double value = is_number(share) ? to_double(share) : 0;
  if (at == 0 || !(value > 0 && value <= 1)) {
    throw Error::input("--analyst needs NAME=SHARE, with a share above 0 and at most 1")
        .hint("Such as --analyst ann=0.5, which lets Ann spend half of epsilon.");
  }
  return {text.substr(0, at), value == 1 ? of : of.split(value).first};
}

// NAME=FILE, a further table of the same people.
struct NamedTable {
  std::string name;
  Source source;
};

std::vector<NamedTable> open_tables(const OpenRequest& request, const Run& run) {
  std::vector<NamedTable> tables;
  for (const auto& text : request.tables) {
    const auto at = text.find('=');
    const std::string name = text.substr(0, std::min(at, text.size()));
    const bool fit = !name.empty() && name.find_first_not_of(kLettersOfNames) == std::string::npos;
    if (at == std::string::npos || !fit) {
      throw Error::input("--table needs NAME=FILE, with a name of small letters, digits and _")
          .hint("Such as --table visits=visits.csv; questions then say JOIN visits.");
    }
    if (name == "data" ||
        std::any_of(tables.begin(), tables.end(), [&](const auto& t) { return t.name == name; })) {
      throw Error::input("--table gives a name that is taken").hint("data is what --data names.");
    }
    if (request.person.empty()) {
      throw Error::input("--table needs --person: tables are joined by the person alone")
          .hint("Name the column that says, in every table, whose a row is.");
    }
    tables.push_back({name, bound_source(text.substr(at + 1), request.person, run)});
  }
  return tables;
}

std::string bound_path(const std::string& path) {
  const SourceName name = parse_source_name(path);
  const std::string file = fs::weakly_canonical(name.file).string();
  return name.table.empty() ? file : file + ":" + name.table;
}

}  // namespace

Json left_json(const BudgetState& state) {
  return {{"epsilon", state.terms.limit.epsilon.value()},
          {"spent", state.spent.epsilon.value()},
          {"left", state.left().epsilon.value()},
          {"delta", state.terms.limit.delta.value()},
          {"delta_spent", state.spent.delta.value()},
          {"delta_left", state.left().delta.value()},
          {"entries", state.charges}};
}

Outcome open(const OpenRequest& request, const Run& run) {
  if (request.person.empty() && request.max_rows != 1) {
    throw Error::input("--max-rows needs --person: without it every row is a different person")
        .hint("Name the column that says whose a row is.");
  }
  const std::string data = data_file(request.data);
  const Source source = bound_source(data, request.person, run);
  // Asked once, of the steward, before there is a budget: no answer depends on it.
  if (request.person.empty() && !request.rows_are_people && !is_genotypes(data)) {
    tables::flow::ask_whose_rows(source, {}, source.columns, run);
  }
  const std::vector<NamedTable> tables = open_tables(request, run);
  BudgetTerms terms{.data = bound_path(data),
                    .limit = {Epsilon::from(request.epsilon), Delta::from(request.delta)},
                    .person = request.person,
                    .max_rows = request.max_rows,
                    .analysts = {}};
  std::vector<DataIdentity> identities = {{run.engine.identify(source).sha256, source.columns}};
  for (const auto& table : tables) {
    terms.tables.push_back({table.name, bound_path(table.source.name)});
    identities.push_back({run.engine.identify(table.source).sha256, table.source.columns});
  }
  for (const auto& text : request.analysts) {
    const auto [analyst, share] = analyst_share(text, terms.limit.epsilon);
    if (!terms.analysts.emplace(analyst, share).second) {
      throw Error::input("--analyst names somebody twice").hint("Give each analyst one share.");
    }
  }
  const std::string registry = request.registry.empty()
                                   ? registry_beside(parse_source_name(request.data).file)
                                   : request.registry;
  open_budget(request.ledger, terms, registry, identities, request.additional, run.progress);
  BudgetState state;
  state.terms = terms;
  Json result = {{"ledger", request.ledger}, {"registry", registry}};
  result.update(left_json(state));
  if (terms.limit.delta.parts > Delta::from(1e-4).parts) {
    result["note"] =
        "delta is the chance that everything about somebody leaves; choose it well below 1 / the "
        "number of people";
  }
  return {result};
}

Outcome budget(const BudgetRequest& request, const Run&) {
  const BudgetState state = read_budget(request.ledger);
  Json result = left_json(state);
  if (!state.terms.person.empty()) {
    result["person"] = state.terms.person;
    result["max_rows"] = state.terms.max_rows;
  }
  for (const auto& [analyst, share] : state.terms.analysts) {
    result["analysts"].push_back({{"analyst", analyst},
                                  {"epsilon", share.value()},
                                  {"left", state.left_to(analyst).value()}});
  }
  for (const auto& table : state.terms.tables) {
    result["tables"].push_back({{"table", table.name}, {"data", table.data}});
  }
  if (state.insecure > 0) {
    result["private"] = false;
    result["notes"] = Json::array(
        {fmt::format("NOT PRIVATE: the noise of {} of the answers followed from --insecure-seed",
                     state.insecure)});
  }
  return {result};
}

Outcome choose(const ChooseRequest& request, const Run&) {
  const Epsilon epsilon = choose_epsilon(request.prior, request.factor, request.queries);
  return {Json{{"epsilon", epsilon.value()},
               {"prior", request.prior},
               {"posterior_factor", request.factor},
               {"queries", request.queries},
               {"epsilon_of_all", epsilon.value() * static_cast<double>(request.queries)}}};
}

Outcome test(const TestRequest& request, const Run& run) {
  const TestedMechanism& mechanism = tested_mechanism(request.mechanism);
  const Epsilon epsilon = Epsilon::from(request.epsilon);
  const auto pairs = mechanism.pairs(epsilon, mechanism.delta);
  const TestVerdict verdict = test_privacy(pairs, epsilon.value(), mechanism.delta,
                                           request.runs.value_or(mechanism.runs), run.progress);
  Json result = {{"mechanism", request.mechanism}, {"tested", mechanism.words},
                 {"holds", verdict.holds},         {"epsilon", epsilon.value()},
                 {"delta", mechanism.delta},       {"epsilon_bound", verdict.epsilon_bound},
                 {"pairs", pairs.size()},          {"runs", verdict.runs},
                 {"confidence", 1 - kDoubt}};
  for (const auto& pair : verdict.pairs) {
    if (!pair.holds) {
      result["broken"].push_back({{"pair", pair.name}, {"epsilon_bound", pair.epsilon_bound}});
    }
  }
  return {.result = result, .passed = verdict.holds, .for_a_person = result};
}

}  // namespace pratique::dp::flow
