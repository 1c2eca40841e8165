// Anatomy: of two tables that a group's number joins, no value has more than 1/l of a group.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify {
namespace {

// 0 where it is not a whole number from 1 on, written plainly.
std::uint64_t count_of(std::string_view text) {
  std::uint64_t count = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole && !text.starts_with('0') ? count : 0;
}

// What is wrong with the two tables, or nothing.
struct Groups {
  std::string wrong;
  std::uint64_t count = 0;
  double least = std::numeric_limits<double>::infinity();  // records to one value's count
};

Groups read_groups(const ClaimContext& context) {
  const std::string group = text_in(context.claim, "group");
  const std::string sensitive = text_in(context.claim, "sensitive");
  const std::string count = text_in(context.claim, "count");
  const auto& columns = context.release.columns;
  const auto has = [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  Groups groups;
  if (context.beside.size() != 1) return {"the table of sensitive values is missing"};
  if (!has(group)) return {"the records have no column of groups"};
  if (has(sensitive)) return {"the sensitive column stands beside the records"};
  const auto quasi_identifiers = names_in(context.claim, "quasi_identifiers");
  if (!std::all_of(quasi_identifiers.begin(), quasi_identifiers.end(), has))
    return {"a quasi-identifier is missing"};
  CsvOptions options;
  options.delimiter = context.release.delimiter;
  const Source values = context.engine.open(context.beside.front(), options, context.progress);
  const std::set<std::string> expected = {group, sensitive, count};
  if (std::set(values.columns.begin(), values.columns.end()) != expected ||
      values.columns.size() != expected.size())
    return {"the table of sensitive values has other columns than group, value and count"};

  std::map<std::string, std::uint64_t, std::less<>> records;
  const GroupedTable sizes = context.engine.group(context.release, {group}, context.progress);
  for (std::size_t row = 0; row < sizes.counts.size(); ++row)
    records[std::string(sizes.groups.columns[0].text(row))] = sizes.counts[row];
  struct Counted {
    std::uint64_t all = 0;
    std::map<std::string, std::uint64_t> of_value;  // however it is spelled
  };
  std::map<std::string, Counted, std::less<>> counted;
  std::set<std::pair<std::string, std::string>> seen;
  const Table table = context.engine.load(values, {group, sensitive, count}, context.progress);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string number(table.columns[0].text(row));
    const std::uint64_t times = count_of(table.columns[2].text(row));
    if (times == 0) return {"a count is not a whole number from 1 on"};
    if (!seen.emplace(number, table.columns[1].text(row)).second)
      return {"a value is counted twice in one group"};
    Counted& of_group = counted[number];
    of_group.all += times;
    of_group.of_value[without_spelling(table.columns[1].text(row))] += times;
  }
  if (records.size() != counted.size()) return {"the tables have different groups"};
  for (const auto& [number, of_group] : counted) {
    const auto size = records.find(number);
    if (size == records.end()) return {"the tables have different groups"};
    if (size->second != of_group.all)
      return {"a group has another number of values than of records"};
    for (const auto& [value, times] : of_group.of_value) {
      groups.least =
          std::min(groups.least, static_cast<double>(of_group.all) / static_cast<double>(times));
    }
  }
  groups.count = counted.size();
  return groups;
}

}  // namespace

ClaimResult check_anatomy(const ClaimContext& context) {
  ClaimResult result;
  result.attribute = text_in(context.claim, "sensitive");
  result.required = whole_in(context.claim, "l");
  const Groups groups = read_groups(context);
  result.achieved = groups.wrong.empty() ? groups.least : 0;
  result.holds = groups.wrong.empty() && result.achieved >= result.required - kRounding;
  result.explanation =
      !groups.wrong.empty() ? groups.wrong
      : result.holds
          ? fmt::format(
                "in every one of {} groups, no value has more than one in {:.0f} records; "
                "who is in a group is not hidden",
                groups.count, result.required)
          : fmt::format("a value has more than one in {:.0f} records of its group",
                        result.required);
  return result;
}

}  // namespace pratique::verify
