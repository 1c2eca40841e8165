#include "pratique/tables/profile/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/columns/role_advice.h"

namespace pratique::tables {
namespace {

using columns::ColumnContent;
using columns::SafeHarborFinding;

// The search's set that speaks loudest of the column: the smallest, then the most unique.
const QuasiIdentifier* set_with(const std::vector<QuasiIdentifier>& sets,
                                const std::string& column) {
  const auto match = std::find_if(sets.begin(), sets.end(), [&](const QuasiIdentifier& set) {
    return std::find(set.columns.begin(), set.columns.end(), column) != set.columns.end();
  });
  return match == sets.end() ? nullptr : &*match;
}

columns::RoleAdvice advice_of_search(const std::vector<QuasiIdentifier>& sets,
                                     const std::string& column) {
  const auto* set = set_with(sets, column);
  if (set == nullptr) {
    return {Role::insensitive, "Nothing in its name or values points to a person."};
  }
  const double percent = 100 * set->unique_share;
  return {Role::quasi_identifier,
          set->columns.size() == 1
              ? fmt::format("{:.1f} % of the rows are unique by this column alone.", percent)
              : fmt::format("{:.1f} % of the rows are unique by this column and {} more.", percent,
                            set->columns.size() - 1)};
}

}  // namespace

Profile profile(const Table& table, const QuasiIdentifierSearch& search, Progress& progress) {
  Profile result;
  result.rows = table.rows();
  progress.begin("reading columns", table.columns.size());
  std::vector<ColumnContent> contents;
  std::vector<std::vector<SafeHarborFinding>> findings;
  for (const Column& column : table.columns) {
    contents.push_back(columns::read_content(column));
    findings.push_back(safe_harbor_findings(column.name, contents.back()));
    progress.advance(1);
  }
  auto identifying = find_quasi_identifiers(table, search, progress);
  result.quasi_identifiers = std::move(identifying.sets);
  result.searched_columns = identifying.searched_columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    ColumnProfile column;
    column.name = table.columns[c].name;
    column.type = contents[c].type;
    column.distinct = contents[c].distinct;
    column.missing = contents[c].missing;
    auto advice = columns::advise(column.name, contents[c], findings[c]);
    if (!advice) advice = advice_of_search(result.quasi_identifiers, column.name);
    column.suggested_role = advice->role;
    column.why = std::move(advice->why);
    if (column.suggested_role != Role::identifier)
      column.hierarchy = columns::default_hierarchy(column.name, table.columns[c].dictionary);
    column.several_rows_each = column.suggested_role == Role::identifier &&
                               columns::may_say_whose_rows(column.name, contents[c]);
    column.may_name_people = columns::why_not_as_it_is(column.name, contents[c]).value_or("");
    result.columns.push_back(std::move(column));
    result.safe_harbor.insert(result.safe_harbor.end(), findings[c].begin(), findings[c].end());
  }
  return result;
}

}  // namespace pratique::tables
