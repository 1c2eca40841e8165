#include "pratique/tables/method/randomisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/tables/equivalence_classes.h"
#include "pratique/tables/method/randomised_release.h"

namespace pratique::tables {
namespace {

// The strictest of what is asked of a column.
double gamma_of(const std::vector<BeliefBound>& beliefs, const std::string& column) {
  double gamma = std::numeric_limits<double>::infinity();
  for (const auto& belief : beliefs) {
    if (belief.column != column) continue;
    gamma = std::min(gamma, belief.growth ? gamma_for_growth(*belief.growth)
                                          : gamma_for_breaches(belief.rho1, belief.rho2));
  }
  return gamma;
}

std::optional<double> squared_error(const Column& before, const Column& after) {
  double sum = 0;
  double squares = 0;
  double error = 0;
  double records = 0;
  for (std::size_t row = 0; row < before.codes.size(); ++row) {
    const auto was = before.text(row);
    const auto is = after.text(row);
    if (was.empty() && is.empty()) continue;
    if (!is_number(was) || !is_number(is)) return std::nullopt;
    const double original = to_double(was);
    const double difference = to_double(is) - original;
    sum += original;
    squares += original * original;
    error += difference * difference;
    ++records;
  }
  const double variance = records > 0 ? squares / records - sum / records * (sum / records) : 0;
  if (variance <= 0) return std::nullopt;
  return error / records / variance;
}

double changed_share(const Column& before, const Column& after) {
  if (before.codes.empty()) return 0;
  std::size_t changed = 0;
  for (std::size_t row = 0; row < before.codes.size(); ++row) {
    changed += before.text(row) != after.text(row) ? 1U : 0U;
  }
  return static_cast<double>(changed) / static_cast<double>(before.codes.size());
}

// What the column may hold, sorted: the leaves of its hierarchy, or else the values that occur.
// With one value nothing could be hidden.
std::vector<std::string> domain_of(const Column& column,
                                   const std::map<std::string, Hierarchy>& hierarchies) {
  std::set<std::string> values;
  for (const auto value : column.dictionary.values()) values.emplace(value);
  if (const auto tree = hierarchies.find(column.name); tree != hierarchies.end()) {
    for (Hierarchy::Node leaf = 0; leaf < tree->second.leaf_count(); ++leaf) {
      values.emplace(tree->second.label(leaf));
    }
  }
  if (values.size() < 2) {
    throw Error::input(
        fmt::format("'{}' has only one value, so it cannot be hidden among others", column.name))
        .hint("Give the values it could have as a hierarchy: --hierarchy COLUMN=FILE.csv.");
  }
  return {values.begin(), values.end()};
}

GroupedTable grouped(Table records) {
  std::vector<CodedColumn> coded;
  for (const auto& column : records.columns) coded.push_back(CodedColumn::of(column));
  const auto classes = EquivalenceClasses::of(coded, records.rows());
  GroupedTable result;
  result.counts.resize(classes.count(), 0);
  std::vector<std::size_t> first(classes.count(), records.rows());
  for (std::size_t row = 0; row < records.rows(); ++row) {
    const auto id = classes.class_of()[row];
    ++result.counts[id];
    first[id] = std::min(first[id], row);
  }
  for (auto& column : records.columns) {
    std::vector<Code> codes;
    codes.reserve(first.size());
    for (const auto row : first) codes.push_back(column.codes[row]);
    column.codes = std::move(codes);
  }
  result.groups = std::move(records);
  return result;
}

}  // namespace

RandomisedTable randomise(const GroupedTable& table, const Randomisation& randomisation,
                          const std::map<std::string, Hierarchy>& hierarchies, NoiseSource& noise) {
  RandomisedTable result;
  for (const auto& entry : randomisation.perturbations) (void)table.groups.column(entry.first);
  std::set<std::string> believed;
  for (const auto& belief : randomisation.beliefs) {
    (void)table.groups.column(belief.column);
    believed.insert(belief.column);
  }
  Table records;
  for (const auto& original : table.groups.columns) {
    Column column = by_record(original, table.counts);
    const auto perturbation = randomisation.perturbations.find(original.name);
    const bool perturbed = perturbation != randomisation.perturbations.end();
    const bool released = believed.count(original.name) > 0;
    if (perturbed && released) {
      throw Error::input(fmt::format("'{}' is both perturbed and randomised", original.name))
          .hint("Keep one of the two: --perturb, or --rho and --growth.");
    }
    if (perturbed) {
      const auto tree = hierarchies.find(original.name);
      Column changed = perturb(column, perturbation->second, noise,
                               tree == hierarchies.end() ? nullptr : &tree->second);
      result.columns.push_back({original.name,
                                to_string(perturbation->second),
                                changed_share(column, changed),
                                squared_error(column, changed),
                                0,
                                {}});
      column = std::move(changed);
    } else if (released) {
      const double gamma = gamma_of(randomisation.beliefs, original.name);
      Column changed = randomised_release(column, gamma, noise, domain_of(column, hierarchies));
      const auto values = changed.dictionary.values();
      result.columns.push_back({original.name, fmt::format("gamma-diagonal:{:.6g}", gamma),
                                changed_share(column, changed), std::nullopt, gamma,
                                std::vector<std::string>(values.begin(), values.end())});
      column = std::move(changed);
    }
    records.columns.push_back(std::move(column));
  }
  result.table = grouped(std::move(records));
  return result;
}

Json belief_claims(const std::vector<BeliefBound>& beliefs,
                   const std::vector<RandomisedColumn>& columns) {
  Json claims = Json::array();
  for (const auto& belief : beliefs) {
    const auto column = std::find_if(columns.begin(), columns.end(), [&](const auto& randomised) {
      return randomised.column == belief.column;
    });
    Json claim = {{"model", belief.growth ? "delta-growth" : "rho1-to-rho2"},
                  {"sensitive", belief.column},
                  {"gamma", column->gamma},
                  {"values", column->values}};
    if (belief.growth) {
      claim["delta"] = *belief.growth;
    } else {
      claim["rho1"] = belief.rho1;
      claim["rho2"] = belief.rho2;
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace pratique::tables
