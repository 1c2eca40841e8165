#include "pratique/data/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "pratique/core/error.h"

namespace pratique {
namespace {

// Levenshtein, without regard to case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                        std::tolower(static_cast<unsigned char>(b[j - 1]));
      const std::size_t substituted = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::uint64_t> Column::counts() const {
  std::vector<std::uint64_t> counts(dictionary.size(), 0);
  for (const Code code : codes) ++counts[code];
  return counts;
}

std::uint64_t GroupedTable::rows() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> CountedTable::counts_of(const Column& column) const {
  std::vector<std::uint64_t> result(column.dictionary.size(), 0);
  for (std::size_t row = 0; row < column.codes.size(); ++row)
    result[column.codes[row]] += count(row);
  return result;
}

std::vector<std::string> nearest_names(const std::vector<std::string>& names,
                                       std::string_view name) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto& candidate : names) {
    const std::size_t distance = edit_distance(candidate, name);
    if (distance <= 1 + name.size() / 3) near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (const auto& [distance, candidate] : near) {
    if (result.size() < 3) result.push_back(candidate);
  }
  return result;
}

std::size_t column_index(const std::vector<std::string>& names, std::string_view name,
                         const std::string& place) {
  const auto column = std::find(names.begin(), names.end(), name);
  if (column != names.end()) return static_cast<std::size_t>(column - names.begin());
  const auto near = nearest_names(names, name);
  throw Error::input(fmt::format("there is no column '{}'", name))
      .at(place)
      // All names would be a record, should the file have no header.
      .hint(near.empty() ? "pratique tables profile FILE lists the columns."
                         : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
}

const Column& Table::column(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  if (found != columns.end()) return *found;
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  return columns[column_index(names, name)];
}

}  // namespace pratique
