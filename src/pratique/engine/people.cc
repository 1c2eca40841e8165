#include "pratique/engine/people.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace pratique {
namespace {

// Rows of cells and people, each pair once; rows with equal cells have one number.
struct CellsOfPeople {
  GroupedTable pairs;
  std::vector<std::uint32_t> number;  // by pair
  std::vector<std::uint64_t> people;  // by number
};

CellsOfPeople cells_of_people(Engine& engine, const Source& source,
                              std::vector<std::string> columns, const std::string& person,
                              Progress& progress) {
  columns.push_back(person);
  CellsOfPeople cells{engine.group(source, columns, progress), {}, {}};
  cells.number.assign(cells.pairs.counts.size(), 0);
  std::size_t numbers = std::min<std::size_t>(1, cells.number.size());
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
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
  std::vector<std::string> names = columns;
  names.push_back(person);
  const GroupedTable rows = engine.group(source, names, progress);
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
  const CellsOfPeople cells = cells_of_people(engine, source, columns, person, progress);
  using CountedCells = std::pair<std::uint32_t, std::uint64_t>;
  std::map<Code, std::vector<CountedCells>> said;
  for (std::size_t i = 0; i < cells.number.size(); ++i)
    said[cells.pairs.groups.columns.back().codes[i]].emplace_back(cells.number[i],
                                                                  cells.pairs.counts[i]);
  std::map<std::vector<CountedCells>, std::uint64_t> people;
  for (auto& [person_code, rows] : said) {
    std::sort(rows.begin(), rows.end());
    ++people[std::move(rows)];
  }
  std::vector<std::uint64_t> sizes;
  sizes.reserve(people.size());
  for (const auto& [rows, alike] : people) sizes.push_back(alike);
  return sizes;
}

std::uint64_t count_people_alone(Engine& engine, const Source& source,
                                 const std::vector<std::string>& columns, const std::string& person,
                                 Progress& progress) {
  const auto sizes = sizes_of_people_alike(engine, source, columns, person, progress);
  return static_cast<std::uint64_t>(std::count(sizes.begin(), sizes.end(), 1U));
}

std::uint64_t count_people(Engine& engine, const Source& source, const std::string& person,
                           Progress& progress) {
  return person.empty() ? engine.count_rows(source, progress)
                        : engine.group(source, {person}, progress).counts.size();
}

std::vector<std::string> columns_telling_most_apart(Engine& engine, const Source& source,
                                                    const std::vector<std::string>& columns,
                                                    const std::string& person, Progress& progress) {
  std::vector<std::string> telling;
  if (columns.empty()) return telling;
  const std::uint64_t people = count_people(engine, source, person, progress);
  for (const auto& column : columns) {
    const auto alone = count_people_alone(engine, source, {column}, person, progress);
    if (alone > 0 && 2 * alone >= people) telling.push_back(column);
  }
  if (telling.size() == columns.size()) return telling;
  const auto together = count_people_alone(engine, source, columns, person, progress);
  return together > 0 && 2 * together >= people ? columns : telling;
}

}  // namespace pratique
