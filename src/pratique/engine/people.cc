#include "pratique/engine/people.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "pratique/data/person_spelling.h"

namespace pratique {
namespace {

// Rows that have equal codes in all columns are one, with the sum of their counts.
void join_equal_rows(GroupedTable& table) {
  std::vector<std::uint32_t> number(table.counts.size(), 0);
  for (const auto& column : table.groups.columns) {
    std::unordered_map<std::uint64_t, std::uint32_t> joined;
    for (std::size_t i = 0; i < number.size(); ++i) {
      const std::uint64_t both = std::uint64_t{number[i]} << 32U | column.codes[i];
      number[i] = joined.emplace(both, static_cast<std::uint32_t>(joined.size())).first->second;
    }
  }
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
  cells.number.assign(cells.pairs.counts.size(), 0);
  std::size_t numbers = std::min<std::size_t>(1, cells.number.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::unordered_map<std::uint64_t, std::uint32_t> joined;
    const auto& codes = cells.pairs.groups.columns[c].codes;
    for (std::size_t i = 0; i < cells.number.size(); ++i) {
      const std::uint64_t both = std::uint64_t{cells.number[i]} << 32U | codes[i];
      cells.number[i] =
          joined.emplace(both, static_cast<std::uint32_t>(joined.size())).first->second;
    }
    numbers = joined.size();
  }
  cells.people.assign(numbers, 0);
  for (const auto number : cells.number) ++cells.people[number];
  return cells;
}

// The columns, and the one that says whose each row is behind them. Grouped by that column next to
// nothing would repeat: reading the rows as they are is quicker.
Table load_with_person(Engine& engine, const Source& source, std::vector<std::string> columns,
                       const std::string& person, Progress& progress) {
  columns.push_back(person);
  Table table = engine.load(source, columns, progress);
  (void)join_people_as_read(table.columns.back());
  return table;
}

// How many people share all of their rows' cells in `count` columns from `first`, for each such set
// of rows. The last column says whose a row is.
std::vector<std::uint64_t> sizes_alike(const Table& table, std::size_t first, std::size_t count) {
  std::vector<std::uint64_t> rows(table.rows(), 0);  // the person, then the number of the cells
  for (std::size_t c = first; c < first + count; ++c) {
    std::unordered_map<std::uint64_t, std::uint32_t> joined;
    const auto& codes = table.columns[c].codes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = joined.emplace(rows[i] << 32U | codes[i], joined.size()).first->second;
    }
  }
  const auto& whose = table.columns.back().codes;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] |= std::uint64_t{whose[i]} << 32U;
  std::sort(rows.begin(), rows.end());
  std::unordered_map<std::u32string, std::uint64_t> people;  // by the numbers of all their rows
  std::u32string numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    numbers.push_back(static_cast<char32_t>(rows[i]));
    if (i + 1 < rows.size() && rows[i] >> 32U == rows[i + 1] >> 32U) continue;
    ++people[numbers];
    numbers.clear();
  }
  std::vector<std::uint64_t> sizes;
  sizes.reserve(people.size());
  for (const auto& [cells, alike] : people) sizes.push_back(alike);
  return sizes;
}

std::uint64_t count_alone(const std::vector<std::uint64_t>& sizes) {
  return static_cast<std::uint64_t>(std::count(sizes.begin(), sizes.end(), 1U));
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

std::vector<std::uint64_t> sizes_of_people_alike(Engine& engine, const Source& source,
                                                 const std::vector<std::string>& columns,
                                                 const std::string& person, Progress& progress) {
  if (columns.empty()) return {};
  if (person.empty()) return engine.group(source, columns, progress).counts;
  const Table table = load_with_person(engine, source, columns, person, progress);
  return sizes_alike(table, 0, columns.size());
}

std::uint64_t count_people_alone(Engine& engine, const Source& source,
                                 const std::vector<std::string>& columns, const std::string& person,
                                 Progress& progress) {
  return count_alone(sizes_of_people_alike(engine, source, columns, person, progress));
}

std::uint64_t count_people(Engine& engine, const Source& source, const std::string& person,
                           Progress& progress) {
  return person.empty() ? engine.count_rows(source, progress)
                        : group_with_person(engine, source, {}, person, progress).counts.size();
}

std::vector<std::string> columns_telling_most_apart(Engine& engine, const Source& source,
                                                    const std::vector<std::string>& columns,
                                                    const std::string& person, Progress& progress) {
  std::vector<std::string> telling;
  if (columns.empty()) return telling;
  // Read once where people have several rows, however many columns are looked at.
  const Table rows =
      person.empty() ? Table() : load_with_person(engine, source, columns, person, progress);
  const std::uint64_t people =
      person.empty() ? engine.count_rows(source, progress) : rows.columns.back().dictionary.size();
  const auto tells = [&](std::size_t first, std::size_t count) {
    const std::vector<std::string> names(
        columns.begin() + static_cast<std::ptrdiff_t>(first),
        columns.begin() + static_cast<std::ptrdiff_t>(first + count));
    const auto alone = person.empty() ? count_people_alone(engine, source, names, person, progress)
                                      : count_alone(sizes_alike(rows, first, count));
    return alone > 0 && 2 * alone >= people;
  };
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (tells(c, 1)) telling.push_back(columns[c]);
  }
  if (telling.size() == columns.size()) return telling;
  return tells(0, columns.size()) ? columns : telling;
}

}  // namespace pratique
