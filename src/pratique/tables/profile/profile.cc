#include "pratique/tables/profile/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/columns/role_advice.h"
#include "pratique/data/code_systems.h"
#include "pratique/data/date_form.h"
#include "pratique/data/number_form.h"
#include "pratique/tables/profile/person_number.h"

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

// Illnesses and drugs, whatever the column is called.
std::optional<columns::RoleAdvice> advice_of_codes(const std::string& hierarchy) {
  const CodeSystem* system = find_code_system(hierarchy);
  if (system == nullptr) return std::nullopt;
  return columns::RoleAdvice{
      Role::sensitive,
      fmt::format("Its values are codes of {}, which others must not learn.", system->title)};
}

// A number of people, whatever it is called; none where its rows share nothing that lasts.
std::optional<columns::RoleAdvice> advice_of_rows(const std::vector<std::string>& shared) {
  if (shared.empty()) return std::nullopt;
  return columns::RoleAdvice{
      Role::identifier,
      fmt::format("Rows with the same value also share {}: it says whose they are.",
                  fmt::join(shared, ", "))};
}

// The values as tables protect reads them: days, and numbers without commas or words for missing
// ones. Nothing where they are so already.
struct AsRead {
  Dictionary values;
  std::vector<std::uint64_t> counts;
};
std::optional<AsRead> as_protect_reads(const Column& column) {
  const auto dates = date_forms(column.dictionary);
  const auto numbers = dates.empty() ? number_forms(column.dictionary) : std::vector<NumberForm>();
  if (numbers.empty() && (dates.empty() || dates.front() == DateForm::iso)) return std::nullopt;
  const auto counts = column.counts();
  AsRead read;
  const auto& values = column.dictionary.values();
  for (Code code = 0; code < values.size(); ++code) {
    const auto text = dates.empty() ? plain_number(values[code], numbers.front())
                                    : iso_day(values[code], dates.front());
    const Code place = read.values.intern(text ? *text : std::string());
    if (place == read.counts.size()) read.counts.push_back(0);
    read.counts[place] += counts[code];
  }
  return read;
}

}  // namespace

Profile profile(const Table& table, const QuasiIdentifierSearch& search, Progress& progress) {
  Profile result;
  result.rows = table.rows();
  progress.begin("reading columns", table.columns.size());
  std::vector<ColumnContent> contents;
  std::vector<std::vector<SafeHarborFinding>> findings;
  std::vector<std::optional<AsRead>> read;
  for (const Column& column : table.columns) {
    read.push_back(as_protect_reads(column));
    contents.push_back(read.back() ? columns::read_content(read.back()->values, read.back()->counts)
                                   : columns::read_content(column));
    findings.push_back(safe_harbor_findings(column.name, contents.back()));
    progress.advance(1);
  }
  bool numbered = false;
  for (std::size_t c = 0; c < contents.size(); ++c)
    numbered = numbered || columns::numbers_each_person(table.columns[c].name, contents[c]);
  auto identifying = find_quasi_identifiers(table, search, progress);
  result.quasi_identifiers = std::move(identifying.sets);
  result.searched_columns = identifying.searched_columns;
  const auto shared = shared_by_person(table, contents);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    ColumnProfile column;
    column.name = table.columns[c].name;
    column.type = contents[c].type;
    column.distinct = contents[c].distinct;
    column.missing = contents[c].missing;
    auto advice = columns::advise(column.name, contents[c], findings[c]);
    if (!advice || advice->role != Role::identifier) {
      if (auto by_rows = advice_of_rows(shared[c])) advice = std::move(by_rows);
    }
    if (!advice || advice->role != Role::identifier)
      column.hierarchy = columns::default_hierarchy(
          column.name, read[c] ? read[c]->values : table.columns[c].dictionary);
    if (!advice) advice = advice_of_codes(column.hierarchy);
    column.by_search = !advice;
    if (!advice) advice = advice_of_search(result.quasi_identifiers, column.name);
    column.suggested_role = advice->role;
    column.why = std::move(advice->why);
    // A name is not asked about beside a number of people.
    column.several_rows_each =
        column.suggested_role == Role::identifier &&
        (!shared[c].empty() || columns::may_say_whose_rows(column.name, contents[c])) &&
        !(numbered && columns::is_called_a_name(column.name, contents[c]));
    // What leaves as it is leaves as it is written.
    column.may_name_people =
        columns::why_not_as_it_is(column.name,
                                  read[c] ? columns::read_content(table.columns[c]) : contents[c])
            .value_or("");
    result.columns.push_back(std::move(column));
    result.safe_harbor.insert(result.safe_harbor.end(), findings[c].begin(), findings[c].end());
  }
  return result;
}

}  // namespace pratique::tables
