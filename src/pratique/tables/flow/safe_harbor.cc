#include "pratique/tables/flow/safe_harbor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::tables::flow {

using columns::SafeHarborRule;
using columns::SafeHarborTreatment;

SafeHarbor::SafeHarbor(std::optional<std::uint64_t> as_of, std::vector<std::string> allowed)
    : as_of_(as_of ? *as_of : std::strtoull(utc_time().substr(0, 4).c_str(), nullptr, 10)),
      allowed_(std::move(allowed)) {}

SafeHarborRule SafeHarbor::rule(const std::string& column,
                                const columns::ColumnContent& content) const {
  return {column, content, static_cast<int>(as_of_)};
}

void SafeHarbor::apply(Table& table,
                       const std::function<std::vector<std::uint64_t>(const Column&)>& counts,
                       const std::string& place) {
  std::string reasons;
  std::vector<std::string> refused;
  for (auto& column : table.columns) {
    const auto records = counts(column);
    SafeHarborRule rule =
        this->rule(column.name, columns::read_content(column.dictionary, records));
    if (rule.name_identifies()) {
      throw Error::input(
          fmt::format("the column '{}' has a name with the shape of an identifier, which Safe "
                      "Harbor does not let leave (a date, a number or an address)",
                      column.name))
          .at(place)
          .hint("Rename the column in the input.");
    }
    if (rule.treatment() == SafeHarborTreatment::remove) {
      if (release::among(allowed_, column.name)) {
        rule.keep();
      } else {
        refused.push_back(column.name);
        reasons += fmt::format("\n    {}: {}", column.name, rule.why());
        continue;
      }
    } else if (release::among(allowed_, column.name) &&
               rule.treatment() == SafeHarborTreatment::zip) {
      rule.keep();  // five digits that are no ZIP code
    }
    if (release::among(allowed_, column.name)) rule.permit();
    Dictionary cells;
    std::vector<Code> cell_of;
    for (Code code = 0; code < column.dictionary.size(); ++code) {
      const auto value = column.dictionary.value(code);
      if (rule.is_later(value)) {
        throw Error::input(
            fmt::format("'{}' has years after {}, which ages are counted for", column.name, as_of_))
            .at(place)
            .hint("Name the last year of the data, or a later one, with --as-of YEAR.");
      }
      const std::string cell = rule.cell(rule.with_zeros(value));
      if (cell.empty() && !value.empty() && records[code] > 0)
        emptied_[column.name] += records[code];
      cell_of.push_back(cells.intern(cell));
    }
    for (Code& code : column.codes) code = cell_of[code];
    column.dictionary = std::move(cells);
    rules_.emplace(column.name, std::move(rule));
  }
  if (refused.empty()) return;
  throw Error::input(fmt::format("Safe Harbor lets {} not leave:{}",
                                 refused.size() == 1 ? "a column" : "these columns", reasons))
      .at(place)
      .hint(fmt::format("What is none of the 18 identifiers needs --allow, which everyone who "
                        "verifies the release is told. Leave out what names people or "
                        "places:\n    --id {}",
                        release::shell_quoted(fmt::format("{}", fmt::join(refused, ",")))));
}

void SafeHarbor::apply(const std::vector<std::string>& quasi_identifiers,
                       Recoding& recoding) const {
  bool changed = false;
  for (std::size_t a = 0; a < quasi_identifiers.size(); ++a) {
    if (!coarsens(quasi_identifiers[a])) continue;
    const SafeHarborRule& rule = rules_.at(quasi_identifiers[a]);
    for (std::string& cell : recoding.columns[a].values) {
      if (cell == "*" || cell.starts_with('\\')) continue;
      std::string allowed = rule.cell(cell);
      changed = changed || allowed != cell;
      cell = std::move(allowed);
    }
  }
  if (changed) join_equal_classes(recoding);
}

bool SafeHarbor::coarsens(const std::string& column) const {
  const auto rule = rules_.find(column);
  return rule != rules_.end() && rule->second.treatment() != SafeHarborTreatment::keep;
}

std::vector<std::string> SafeHarbor::with(SafeHarborTreatment treatment) const {
  std::vector<std::string> names;
  for (const auto& [name, rule] : rules_) {
    if (rule.treatment() == treatment) names.push_back(name);
  }
  return names;
}

std::vector<std::string> SafeHarbor::changed() const {
  std::vector<std::string> names;
  for (const auto& [name, rule] : rules_) {
    if (coarsens(name) || emptied_.count(name) > 0) names.push_back(name);
  }
  return names;
}

Json SafeHarbor::claim() const {
  Json claim = {{"model", "safe-harbor"},
                {"as_of", as_of_},
                {"dates", with(SafeHarborTreatment::year)},
                {"ages", with(SafeHarborTreatment::age)},
                {"zips", with(SafeHarborTreatment::zip)}};
  // All that were named and leave: which of them needed it depends on who is in the table.
  for (const auto& name : allowed_) {
    if (rules_.count(name) > 0) claim["allowed"].push_back(name);
  }
  return claim;
}

Json SafeHarbor::figures() const {
  Json figures = {{"as_of", as_of_}, {"changed", changed()}};
  const std::pair<const char*, SafeHarborTreatment> lists[] = {
      {"years_alone", SafeHarborTreatment::year},
      {"ages_to_89", SafeHarborTreatment::age},
      {"zips_to_three_digits", SafeHarborTreatment::zip}};
  for (const auto& [key, treatment] : lists) {
    if (const auto names = with(treatment); !names.empty()) figures[key] = names;
  }
  if (!emptied_.empty()) figures["cells_emptied"] = emptied_;
  return figures;
}

}  // namespace pratique::tables::flow
