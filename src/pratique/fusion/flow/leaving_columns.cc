#include "pratique/fusion/flow/leaving_columns.h"

#include <fmt/format.h>

#include "pratique/columns/column_content.h"
#include "pratique/columns/role_advice.h"
#include "pratique/core/error.h"
#include "pratique/data/person_spelling.h"
#include "pratique/kind/among.h"
#include "pratique/kind/decided_columns.h"
#include "pratique/kind/undoing_columns.h"

namespace pratique::fusion::flow {
namespace {

bool never_leaves_as_it_is(const FredRequest& request, const std::string& column) {
  return column == request.target || release::among(request.quasi_identifiers, column) ||
         release::among(request.identifiers, column);
}

// What may name people leaves as it is only where it is allowed to by its name.
release::AdvisedColumn advise(const std::string& column, const columns::ColumnContent& content) {
  auto advised = release::advised(column, content);
  if (advised.role != Role::insensitive) return advised;
  if (const auto why = columns::why_not_as_it_is(column, content))
    advised = {column, Role::identifier, *why + "."};
  return advised;
}

// Beside a name nothing sensitive stays hidden.
std::string_view option_of(Role role) {
  switch (role) {
    case Role::insensitive:
      return "insensitive";
    case Role::quasi_identifier:
      return "qi";
    case Role::identifier:
    case Role::sensitive:
      break;
  }
  return "id";
}

}  // namespace

std::vector<std::string> decide_columns(const FredRequest& request, const LoadedTable& list) {
  for (const auto& name : request.allowed) (void)list.column(name);
  std::vector<release::AdvisedColumn> open;
  std::vector<std::string> allowed;
  release::LeavesAsItIs looks(request.allowed);
  for (const auto& column : list.table.columns) {
    if (column.name == request.names.key || never_leaves_as_it_is(request, column.name)) continue;
    const auto content = columns::read_content(column);
    if (!release::among(request.insensitive, column.name)) {
      open.push_back(advise(column.name, content));
      continue;
    }
    looks.look_at(column.name, content);
    // Whether it needed to be allowed could hang on one person.
    if (release::among(request.allowed, column.name)) allowed.push_back(column.name);
  }
  if (!open.empty()) {
    throw release::undecided(open, list.source.name, option_of,
                             "Names stay, so what leaves beside them is known of everybody; what "
                             "--id names is left out. ");
  }
  looks.check(list.source.name);
  release::UndoingColumns undoing;
  for (const auto& name : request.quasi_identifiers) undoing.know(list.column(name));
  for (const auto& name : request.insensitive) {
    if (name != request.names.key && !release::among(request.allowed, name))
      undoing.look_at(list.column(name));
  }
  undoing.check(list.source.name);
  return allowed;
}

void require_a_row_per_person(const FredRequest& request, const LoadedTable& list) {
  if (request.rows_are_people) return;
  const Column& key = list.column(request.names.key);
  Dictionary people;  // one in all spellings
  std::vector<std::uint64_t> rows;
  const auto counts = key.counts();
  for (Code code = 0; code < counts.size(); ++code) {
    const Code person = people.intern(person_as_read(key.dictionary.value(code)));
    if (person == rows.size()) rows.push_back(0);
    rows[person] += counts[code];
  }
  const auto content = columns::read_content(people, rows);
  if (content.distinct == content.present()) return;
  throw Error::input(fmt::format("'{}' repeats, and rows are counted as people", request.names.key))
      .at(list.source.name)
      .hint(
          "Keep one row for each person. If every row is a different person all the same, because "
          "people share a name, add --rows-are-people.");
}

}  // namespace pratique::fusion::flow
