#include "pratique/kind/decided_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "pratique/columns/role_advice.h"
#include "pratique/kind/among.h"
#include "pratique/kind/shell_quoted.h"

namespace pratique::release {
namespace {

// A comma in a list stands between two names.
std::string in_list(std::string name) {
  for (std::size_t at = name.find(','); at != std::string::npos; at = name.find(',', at + 2))
    name.insert(at, "\\");
  return name;
}

}  // namespace

std::string comma_separated(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ",") + in_list(name);
  return list;
}

AdvisedColumn advised(const std::string& column, const columns::ColumnContent& content) {
  const auto advice =
      columns::advise(column, content, columns::safe_harbor_findings(column, content));
  if (!advice)
    return {column, Role::insensitive, "Nothing in its name or values points to a person."};
  return {column, advice->role, advice->why};
}

Error undecided(const std::vector<AdvisedColumn>& columns, const std::string& place,
                const std::function<std::string_view(Role)>& option, const std::string& otherwise) {
  std::string advice;
  std::map<Role, std::string> lists;
  for (const auto& column : columns) {
    advice += fmt::format("\n    {}: {}. {}", column.name, to_string(column.role), column.why);
    std::string& list = lists[column.role];
    list += (list.empty() ? "" : ",") + in_list(column.name);
  }
  std::map<std::string_view, std::string> by_option;
  for (const auto& [role, list] : lists) {
    std::string& all = by_option[option(role)];
    all += (all.empty() ? "" : ",") + list;
  }
  std::string words;
  for (const auto& [name, list] : by_option)
    words += fmt::format("{}--{} {}", words.empty() ? "" : " ", name, shell_quoted(list));
  return Error::input(fmt::format("nobody decided about {} of its columns; what they look like:{}",
                                  columns.size(), advice))
      .at(place)
      .hint(fmt::format("{}Decide about each. If this is right, add:\n    {}", otherwise, words));
}

void LeavesAsItIs::look_at(const std::string& column, const columns::ColumnContent& content) {
  const auto why = columns::why_not_as_it_is(column, content);
  if (!why) return;
  if (among(allowed_, column)) {
    used_.push_back(column);
    return;
  }
  refused_.push_back(in_list(column));
  reasons_ += fmt::format("\n    {}: {}", column, *why);
}

void LeavesAsItIs::check(const std::string& place) const {
  if (refused_.empty()) return;
  throw Error::input(
      fmt::format("{} would leave as {} and may name people:{}",
                  refused_.size() == 1 ? "a column" : fmt::format("{} columns", refused_.size()),
                  refused_.size() == 1 ? "it is" : "they are", reasons_))
      .at(place)
      .hint(fmt::format("Leave out what names people with --id. If it is harmless all the same, "
                        "say so, and everyone who verifies the release is told:\n    --allow {}",
                        shell_quoted(fmt::format("{}", fmt::join(refused_, ",")))));
}

}  // namespace pratique::release
