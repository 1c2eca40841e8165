#include "pratique/release/internal/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace pratique::release {
namespace {

using Names = std::vector<std::string>;

Names names_in(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_array() ? object[key].get<Names>() : Names();
}

bool same_names(const Names& a, const Names& b) {
  return std::set<std::string>(a.begin(), a.end()) == std::set<std::string>(b.begin(), b.end());
}

// 3 of "3" and of "3@diagnosis".
std::optional<double> leading_number(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

bool claimed(const Json& claims, const std::string& key, double value) {
  return std::any_of(claims.begin(), claims.end(), [&](const Json& claim) {
    return claim.contains(key) && claim[key].is_number() && claim[key].get<double>() == value;
  });
}

}  // namespace

std::vector<std::string> contradictions(const Json& manifest) {
  std::vector<std::string> found;
  const auto add = [&](std::string what) {
    if (std::find(found.begin(), found.end(), what) == found.end())
      found.push_back(std::move(what));
  };
  const Json& parameters = manifest.at("parameters");
  const Json& claims = manifest.at("claims");
  const Names asked = names_in(parameters, "quasi_identifiers");
  for (const auto& claim : claims) {
    const std::string model = cleaned(claim.at("model").get<std::string>());
    if (claim.contains("quasi_identifiers") && parameters.contains("quasi_identifiers") &&
        !same_names(names_in(claim, "quasi_identifiers"), asked)) {
      add(fmt::format("the claim of {} is not about the quasi-identifiers of the release", model));
    }
    for (const char* key : {"k", "m"}) {
      if (claim.contains(key) && parameters.contains(key) && parameters[key].is_number() &&
          claim[key] != parameters[key])
        add(fmt::format("the claim of {} has another {} than was asked for", model, key));
    }
  }
  for (const char* key : {"k", "l", "t"}) {
    const Json models = parameters.value("models", Json::object());
    if (!models.contains(key)) continue;
    for (const auto& setting : models[key]) {
      const auto value = leading_number(setting.get<std::string>());
      if (value && !claimed(claims, key, *value))
        add(fmt::format("{} = {} was asked for, and no claim is about it", key, *value));
    }
  }
  return found;
}

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
std::optional<Found> look_at(const KindContext& context, const Source& source,
                             const Names& quasi_identifiers, const Names& sensitive) {
  Names columns = quasi_identifiers;
  for (const auto& name : sensitive) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  }
  for (const auto& name : columns) {
    if (std::find(source.columns.begin(), source.columns.end(), name) == source.columns.end())
      return std::nullopt;
  }
  const auto grouped = context.engine.group(source, columns, context.progress);
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

// Whether a recorded number, where there is one, is as it must be.
template <class Must>
bool recorded(const Json& results, const char* key, const Must& must) {
  return !results.contains(key) || (results[key].is_number() && must(results[key].get<double>()));
}

void compare_table(const KindContext& context, std::vector<std::string>& found) {
  const Json& parameters = context.manifest.at("parameters");
  const Json& results = context.manifest.at("results");
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
  const auto now = context.release
                       ? look_at(context, *context.release, quasi_identifiers, sensitive)
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
  if (now && (!recorded(results, "rows_out", is(now->records)) ||
              !recorded(after, "records", is(now->records)) || (!shows(*now) && !hides(*now)))) {
    found.emplace_back("what it says was found after is not what the released file shows");
  }
  // Chance changed the table before it was looked at.
  if (results.contains("randomised")) return;
  const auto then = context.original
                        ? look_at(context, *context.original, quasi_identifiers, sensitive)
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
void compare_trails(const KindContext& context, std::vector<std::string>& found) {
  const auto& requirements = context.report.requirements;
  const bool unlinkable =
      !requirements.empty() &&
      std::all_of(requirements.begin(), requirements.end(),
                  [](const auto& one) { return one.standing == Standing::holds; });
  const Json after = context.manifest.at("results").value("after", Json::object());
  const auto none = [](double said) { return said == 0; };
  if (unlinkable && after.is_object() &&
      (!recorded(after, "reidentified", none) || !recorded(after, "k_reidentified", none)))
    found.emplace_back("what it says was found after is not what the released file shows");
}

}  // namespace

std::vector<std::string> contradictions(const KindContext& context) {
  std::vector<std::string> found = contradictions(context.manifest);
  if (context.report.kind == "tables") compare_table(context, found);
  if (context.report.kind == "trails") compare_trails(context, found);
  return found;
}

}  // namespace pratique::release
