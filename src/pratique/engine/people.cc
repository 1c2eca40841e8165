#include "pratique/engine/people.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "pratique/data/person_spelling.h"
#include "pratique/data/row_numbers.h"

namespace pratique {
namespace {

// Rows that have equal codes in all columns are one, with the sum of their counts.
void join_equal_rows(GroupedTable& table) {
  RowNumbers numbers(table.counts.size());
  for (const auto& column : table.groups.columns) numbers.add(column);
  const auto& number = numbers.numbers();
  // Numbers are given in the order of the rows: each first row moves up to its place.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < kept) {
      table.counts[number[i]] += table.counts[i];
      continue;
    }
    table.counts[kept] = table.counts[i];
    for (auto& column : table.groups.columns) column.codes[kept] = column.codes[i];
    ++kept;
  }
  table.counts.resize(kept);
  for (auto& column : table.groups.columns) column.codes.resize(kept);
}

// Grouped by the columns and, last, by whose each row is.
GroupedTable group_with_person(Engine& engine, const Source& source,
                               std::vector<std::string> columns, const std::string& person,
                               Progress& progress) {
  columns.push_back(person);
  GroupedTable rows = engine.group(source, columns, progress);
  if (join_people_as_read(rows.groups.columns.back())) join_equal_rows(rows);
  return rows;
}

// Rows of cells and people, each pair once; rows with equal cells have one number.
struct CellsOfPeople {
  GroupedTable pairs;
  std::vector<std::uint32_t> number;  // by pair
  std::vector<std::uint64_t> people;  // by number
};

CellsOfPeople cells_of_people(Engine& engine, const Source& source,
                              const std::vector<std::string>& columns, const std::string& person,
                              Progress& progress) {
  CellsOfPeople cells{group_with_person(engine, source, columns, person, progress), {}, {}};
  RowNumbers numbers(cells.pairs.counts.size());
  for (std::size_t c = 0; c < columns.size(); ++c) numbers.add(cells.pairs.groups.columns[c]);
  cells.people.assign(numbers.count(), 0);
  cells.number = numbers.take();
  for (const auto number : cells.number) ++cells.people[number];
  return cells;
}

}  // namespace

GroupedTable group_people(Engine& engine, const Source& source,
                          const std::vector<std::string>& columns, const std::string& person,
                          Progress& progress) {
  if (person.empty()) return engine.group(source, columns, progress);
  CellsOfPeople cells = cells_of_people(engine, source, columns, person, progress);
  GroupedTable grouped;
  grouped.groups.columns = std::move(cells.pairs.groups.columns);
  grouped.groups.columns.pop_back();
  std::vector<std::size_t> first(cells.people.size(), cells.number.size());
  for (std::size_t i = cells.number.size(); i-- > 0;) first[cells.number[i]] = i;
  for (auto& column : grouped.groups.columns) {
    std::vector<Code> codes;
    codes.reserve(first.size());
    for (const auto pair : first) codes.push_back(column.codes[pair]);
    column.codes = std::move(codes);
  }
  grouped.counts = std::move(cells.people);
  return grouped;
}

Table load_people(Engine& engine, const Source& source, const std::vector<std::string>& columns,
                  const std::string& person, Progress& progress) {
  if (person.empty()) return engine.load(source, columns, progress);
  const GroupedTable rows = group_with_person(engine, source, columns, person, progress);
  const Column& whose = rows.groups.columns.back();
  const auto earlier = [&](std::size_t a, std::size_t b) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const int order = rows.groups.columns[c].text(a).compare(rows.groups.columns[c].text(b));
      if (order != 0) return order < 0;
    }
    return false;
  };
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> chosen(whose.dictionary.size(), kNone);
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    std::size_t& best = chosen[whose.codes[row]];
    if (best == kNone || rows.counts[row] > rows.counts[best] ||
        (rows.counts[row] == rows.counts[best] && earlier(row, best)))
      best = row;
  }
  Table people;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    Column& column = people.columns.emplace_back();
    column.name = columns[c];
    for (const auto row : chosen) {
      if (row != kNone)
        column.codes.push_back(column.dictionary.intern(rows.groups.columns[c].text(row)));
    }
  }
  return people;
}

std::uint64_t count_people_alone(Engine& engine, const Source& source,
                                 const std::vector<std::string>& columns, const std::string& person,
                                 Progress& progress) {
  return PeopleAlike(engine, source, columns, person, progress).alone(columns);
}

std::uint64_t count_people(Engine& engine, const Source& source, const std::string& person,
                           Progress& progress) {
  return person.empty() ? engine.count_rows(source, progress)
                        : group_with_person(engine, source, {}, person, progress).counts.size();
}

PeopleAlike::PeopleAlike(Engine& engine, const Source& source,
                         const std::vector<std::string>& columns, const std::string& person,
                         Progress& progress)
    : engine_(engine), source_(source), progress_(progress), person_(person) {
  if (person.empty() || columns.empty()) return;
  // Grouped by whose they are next to no rows would repeat: they are read as they are.
  std::vector<std::string> read = columns;
  read.push_back(person);
  table_ = engine.load(source, read, progress);
  Column whose = std::move(table_.columns.back());
  table_.columns.pop_back();
  (void)join_people_as_read(whose);
  end_of_person_.assign(whose.dictionary.size(), 0);
  for (const Code code : whose.codes) ++end_of_person_[code];
  std::partial_sum(end_of_person_.begin(), end_of_person_.end(), end_of_person_.begin());
  std::vector<std::size_t> place(whose.codes.size());
  auto next = end_of_person_;
  for (std::size_t row = place.size(); row-- > 0;) place[row] = --next[whose.codes[row]];
  for (auto& column : table_.columns) {
    std::vector<Code> codes(column.codes.size());
    for (std::size_t row = 0; row < codes.size(); ++row) codes[place[row]] = column.codes[row];
    column.codes = std::move(codes);
  }
}

std::uint64_t PeopleAlike::people() const {
  return person_.empty() ? engine_.count_rows(source_, progress_) : end_of_person_.size();
}

std::vector<std::uint64_t> PeopleAlike::sizes(const std::vector<std::string>& columns) const {
  if (columns.empty()) return {};
  if (person_.empty()) return engine_.group(source_, columns, progress_).counts;
  const auto is_read = [&](const std::string& name) {
    return std::any_of(table_.columns.begin(), table_.columns.end(),
                       [&](const Column& column) { return column.name == name; });
  };
  if (!std::all_of(columns.begin(), columns.end(), is_read))
    return PeopleAlike(engine_, source_, columns, person_, progress_).sizes(columns);
  RowNumbers numbers(table_.rows());
  for (const auto& column : columns) numbers.add(table_.column(column));
  auto number = numbers.take();
  std::unordered_map<std::u32string, std::uint64_t> people;  // by the numbers of all their rows
  auto first = number.begin();
  for (const auto end : end_of_person_) {
    const auto last = number.begin() + static_cast<std::ptrdiff_t>(end);
    if (first == last) continue;
    std::sort(first, last);
    ++people[std::u32string(first, last)];
    first = last;
  }
  std::vector<std::uint64_t> sizes;
  sizes.reserve(people.size());
  for (const auto& [cells, alike] : people) sizes.push_back(alike);
  return sizes;
}

std::uint64_t PeopleAlike::alone(const std::vector<std::string>& columns) const {
  const auto alike = sizes(columns);
  return static_cast<std::uint64_t>(std::count(alike.begin(), alike.end(), 1U));
}

std::vector<std::string> PeopleAlike::telling_most_apart(
    const std::vector<std::string>& columns) const {
  std::vector<std::string> telling;
  if (columns.empty()) return telling;
  const std::uint64_t everybody = people();
  const auto tell = [&](const std::vector<std::string>& some) {
    const auto told_apart = alone(some);
    return told_apart > 0 && 2 * told_apart >= everybody;
  };
  for (const auto& column : columns) {
    if (tell({column})) telling.push_back(column);
  }
  if (telling.size() == columns.size()) return telling;
  return tell(columns) ? columns : telling;
}

}  // namespace pratique
