#include "pratique/release/internal/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/release/document.h"
#include "pratique/release/internal/among.h"
#include "pratique/release/internal/recorded_figures.h"
#include "pratique/release/internal/recorded_hierarchy.h"
#include "pratique/release/internal/self_agreement.h"

namespace pratique::release {
namespace {

// What an adversary finds in a table, by its cells.
struct Found {
  std::uint64_t records = 0;
  std::uint64_t classes = 0;
  std::uint64_t smallest = 0;
  std::uint64_t unique = 0;
  std::uint64_t disclosed = 0;
};

// None where the table lacks a column.
std::optional<Found> look_at(const Evidence& evidence, const Source& source,
                             const Names& quasi_identifiers, const Names& sensitive) {
  Names columns = quasi_identifiers;
  for (const auto& name : sensitive) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
  for (const auto& name : columns) {
    if (std::find(source.columns.begin(), source.columns.end(), name) == source.columns.end())
      return std::nullopt;
  }
  const auto grouped = evidence.engine.group(source, columns, evidence.progress);
  struct Class {
    std::uint64_t records = 0;
    std::vector<std::set<Code>> values;  // of each sensitive column
  };
  std::map<std::vector<Code>, Class> classes;
  for (std::size_t row = 0; row < grouped.counts.size(); ++row) {
    std::vector<Code> cells;
    for (std::size_t c = 0; c < quasi_identifiers.size(); ++c)
      cells.push_back(grouped.groups.columns[c].codes[row]);
    Class& one = classes[std::move(cells)];
    one.records += grouped.counts[row];
    one.values.resize(sensitive.size());
    for (std::size_t s = 0; s < sensitive.size(); ++s) {
      const auto at = column_index(columns, sensitive[s]);
      one.values[s].insert(grouped.groups.columns[at].codes[row]);
    }
  }
  Found found;
  found.classes = classes.size();
  for (const auto& [cells, one] : classes) {
    found.records += one.records;
    found.smallest = found.smallest == 0 ? one.records : std::min(found.smallest, one.records);
    if (one.records == 1) ++found.unique;
    if (std::any_of(one.values.begin(), one.values.end(),
                    [](const auto& values) { return values.size() == 1; }))
      found.disclosed += one.records;
  }
  return found;
}

Names randomised_columns(const Json& results) {
  Names columns;
  for (const auto& one : results.value("randomised", Json::array()))
    columns.push_back(one.at("column").get<std::string>());
  return columns;
}

// How many records have each row of these columns.
std::map<Names, std::uint64_t> counted(const Evidence& evidence, const Source& source,
                                       const Names& columns) {
  const auto grouped = evidence.engine.group(source, columns, evidence.progress);
  std::map<Names, std::uint64_t> rows;
  for (std::size_t row = 0; row < grouped.counts.size(); ++row) {
    Names cells;
    for (const auto& column : grouped.groups.columns) cells.emplace_back(column.text(row));
    rows[std::move(cells)] += grouped.counts[row];
  }
  return rows;
}

// The columns that the manifest names, against those that the files have.
void compare_columns(const Evidence& evidence, std::vector<std::string>& found) {
  const Json& parameters = *evidence.manifest.parameters;
  const Json& results = *evidence.manifest.results;
  const Names identifiers = names_in(parameters, "identifiers");
  if (evidence.original) {
    for (const char* key : {"quasi_identifiers", "sensitive", "identifiers"}) {
      for (const auto& name : names_in(parameters, key)) {
        if (among(evidence.original->columns, name)) continue;
        found.emplace_back("it names columns that the original does not have");
        return;
      }
    }
  }
  if (!evidence.release) return;
  const auto& released = evidence.release->columns;
  const bool dropped = parameters.value("identifier_treatment", "") == "drop";
  if (dropped && std::any_of(identifiers.begin(), identifiers.end(),
                             [&](const auto& name) { return among(released, name); }))
    found.emplace_back("an identifier that it says was left out is in the released file");
  if (!results.contains("unchanged")) return;
  const Names unchanged = names_in(results, "unchanged");
  const Names quasi_identifiers = names_in(parameters, "quasi_identifiers");
  const Names randomised = randomised_columns(results);
  Names expected;
  std::copy_if(released.begin(), released.end(), std::back_inserter(expected),
               [&](const std::string& name) {
                 return !among(quasi_identifiers, name) && !among(identifiers, name) &&
                        !among(randomised, name);
               });
  if (!same_names(unchanged, expected)) {
    found.emplace_back(
        "the columns that it says left unchanged are not those of the released file");
    return;
  }
  if (!evidence.original || unchanged.empty() ||
      !std::all_of(unchanged.begin(), unchanged.end(),
                   [&](const auto& name) { return among(evidence.original->columns, name); }))
    return;
  const auto then = counted(evidence, *evidence.original, unchanged);
  for (const auto& [cells, records] : counted(evidence, *evidence.release, unchanged)) {
    const auto before = then.find(cells);
    if (before != then.end() && records <= before->second) continue;
    found.emplace_back("columns that it says left unchanged are not as in the original");
    return;
  }
}

// Cells of a column that was recoded to a level are labels of that level.
void compare_levels(const Evidence& evidence, std::vector<std::string>& found) {
  const Json& parameters = *evidence.manifest.parameters;
  const Json& results = *evidence.manifest.results;
  if (!results.contains("levels")) return;
  const Json& levels = results["levels"];
  Names named;
  for (const auto& [column, level] : levels.items()) named.push_back(column);
  if (!same_names(named, names_in(parameters, "quasi_identifiers"))) {
    found.emplace_back("its levels are not those of the quasi-identifiers");
    return;
  }
  // Trees are made over the values of a population, too, and over what chance made of values.
  if (!evidence.original || !evidence.release ||
      parameters.value("models", Json::object()).contains("population"))
    return;
  const Names randomised = randomised_columns(results);
  for (const auto& [name, level] : levels.items()) {
    if (among(randomised, name) || !among(evidence.original->columns, name) ||
        !among(evidence.release->columns, name))
      continue;
    const auto then = evidence.engine.group(*evidence.original, {name}, evidence.progress);
    const auto now = evidence.engine.group(*evidence.release, {name}, evidence.progress);
    const Column& values = then.groups.columns[0];
    const auto tree = recorded_hierarchy(evidence.file, name, values, then.counts);
    if (!tree) continue;
    bool agrees =
        level.is_number_integer() && level.get<int>() >= 0 && level.get<int>() < tree->height();
    std::set<std::string_view> labels;
    bool bound = true;
    for (std::size_t row = 0; agrees && row < then.counts.size(); ++row) {
      const auto leaf = tree->leaf(values.text(row));
      bound = bound && leaf;
      if (leaf) labels.insert(tree->label(tree->ancestor(*leaf, level.get<int>())));
    }
    for (std::size_t row = 0; agrees && bound && row < now.counts.size(); ++row)
      agrees = labels.count(now.groups.columns[0].text(row)) > 0;
    if (agrees) continue;
    found.push_back(fmt::format("the level of {} is not that of the released file", cleaned(name)));
  }
}

void compare_table(const Evidence& evidence, std::vector<std::string>& found) {
  const Json& parameters = *evidence.manifest.parameters;
  const Json& results = *evidence.manifest.results;
  const Names quasi_identifiers = names_in(parameters, "quasi_identifiers");
  const Names sensitive = names_in(parameters, "sensitive");
  if (quasi_identifiers.empty()) return;
  const auto is = [](std::uint64_t value) {
    return [value](double said) { return said == static_cast<double>(value); };
  };
  const auto at_least = [](std::uint64_t value) {
    return [value](double said) { return said >= static_cast<double>(value); };
  };
  const auto at_most = [](std::uint64_t value) {
    return [value](double said) { return said <= static_cast<double>(value); };
  };
  const Json before = results.value("before", Json::object());
  const Json after = results.value("after", Json::object());
  const auto now = evidence.release
                       ? look_at(evidence, *evidence.release, quasi_identifiers, sensitive)
                       : std::nullopt;
  const auto shows = [&](const Found& table) {
    return recorded(after, "classes", is(table.classes)) &&
           recorded(after, "k", is(table.smallest)) &&
           recorded(after, "unique", is(table.unique)) &&
           recorded(after, "sensitive_disclosed", is(table.disclosed));
  };
  const auto hides = [&](const Found& table) {
    return !recorded(after, "classes", at_most(table.classes)) &&
           recorded(after, "k", at_most(table.smallest)) &&
           recorded(after, "unique", at_least(table.unique)) &&
           recorded(after, "sensitive_disclosed", at_least(table.disclosed));
  };
  // Only local recoding makes classes that have the same cells.
  const std::string method = parameters.value("method", "");
  const bool global = method == "levels" || method == "optimal";
  const auto agrees = [&](const Found& table) {
    return recorded(results, "rows_out", is(table.records)) &&
           recorded(after, "records", is(table.records)) &&
           (shows(table) || (!global && hides(table)));
  };
  if (now.has_value()) {
    const Found table = now.value();
    if (!agrees(table))
      found.emplace_back("what it says was found after is not what the released file shows");
  }
  const auto then = evidence.original
                        ? look_at(evidence, *evidence.original, quasi_identifiers, sensitive)
                        : std::nullopt;
  if (then && (!recorded(results, "rows_in", is(then->records)) ||
               !recorded(before, "records", is(then->records)) ||
               !recorded(before, "classes", is(then->classes)) ||
               !recorded(before, "k", is(then->smallest)) ||
               !recorded(before, "unique", is(then->unique)) ||
               !recorded(before, "sensitive_disclosed", is(then->disclosed)))) {
    found.emplace_back("what it says was found before is not what the original shows");
  }
}

// Where the verifier finds k possible people for every sample, the attack finds nobody's.
void compare_trails(const Evidence& evidence, std::vector<std::string>& found) {
  const Json after = evidence.manifest.results->value("after", Json::object());
  const auto none = [](double said) { return said == 0; };
  if (evidence.claims_hold && after.is_object() &&
      (!recorded(after, "reidentified", none) || !recorded(after, "k_reidentified", none)))
    found.emplace_back("what it says was found after is not what the released file shows");
}

}  // namespace

std::vector<std::string> contradictions(const Evidence& evidence) {
  std::vector<std::string> found = self_contradictions(evidence.manifest);
  const std::string kind = evidence.file.kind();
  if (kind == "tables") {
    compare_columns(evidence, found);
    compare_levels(evidence, found);
    compare_table(evidence, found);
  }
  if (kind == "trails") compare_trails(evidence, found);
  return found;
}

}  // namespace pratique::release
