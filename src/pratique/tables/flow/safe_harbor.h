// A table made to satisfy HIPAA's Safe Harbor (columns/safe_harbor_rule.h): what its columns become
// before any model or method sees them, and the claim that the verifier derives from the release.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/columns/safe_harbor_rule.h"
#include "pratique/core/json.h"
#include "pratique/data/table.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::flow {

class SafeHarbor {
 public:
  // Without a year that ages are counted for, this year. `allowed` are columns that may leave
  // although they look like an identifier.
  SafeHarbor(std::optional<std::uint64_t> as_of, std::vector<std::string> allowed);

  [[nodiscard]] std::uint64_t as_of() const { return as_of_; }
  [[nodiscard]] columns::SafeHarborRule rule(const std::string& column,
                                             const columns::ColumnContent& content) const;

  // Rewrites the columns of a table, of which `counts` says how many records have each value.
  // Throws Error::input, with the flags to add, where a column has to be left out.
  void apply(Table& table, const std::function<std::vector<std::uint64_t>(const Column&)>& counts,
             const std::string& place);
  // The same for the cells that a method made of quasi-identifiers: an interval may reach
  // beyond 89.
  void apply(const std::vector<std::string>& quasi_identifiers, Recoding& recoding) const;

  [[nodiscard]] bool coarsens(const std::string& column) const;
  [[nodiscard]] Json claim() const;
  // as_of, changed[], years_alone[], ages_to_89[], zips_to_three_digits[], cells_emptied{column:
  // records}.
  [[nodiscard]] Json figures() const;

 private:
  [[nodiscard]] std::vector<std::string> with(columns::SafeHarborTreatment treatment) const;
  [[nodiscard]] std::vector<std::string> changed() const;

  std::uint64_t as_of_;
  std::vector<std::string> allowed_;
  std::map<std::string, columns::SafeHarborRule> rules_;
  std::map<std::string, std::uint64_t> emptied_;  // records, by column
};

}  // namespace pratique::tables::flow
