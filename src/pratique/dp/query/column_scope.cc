#include "pratique/dp/query/column_scope.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/data/table.h"
#include "pratique/dp/query/expression.h"

namespace pratique::dp {

ColumnScope::ColumnScope(const std::vector<std::string>& columns) { add("data", columns, {}); }

void ColumnScope::add(const std::string& table, const std::vector<std::string>& columns,
                      const std::string& person) {
  for (const auto& entry : entries_) {
    if (entry.table == table) {
      throw refused_in_sql(fmt::format("two tables are called {}: give one another name", table));
    }
  }
  for (const auto& column : columns) entries_.push_back({table, column, column == person});
}

std::vector<std::size_t> ColumnScope::places_of(const std::string& column) const {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    if (entries_[at].column == column) places.push_back(at);
  }
  return places;
}

std::size_t ColumnScope::find(const Json& names) const {
  if (!names.is_array() || names.empty() || names.size() > 2 || !names.front().is_string() ||
      !names.back().is_string()) {
    throw refused_in_sql("a column of another table than data");
  }
  const auto column = names.back().get<std::string>();
  std::vector<std::string> known;
  if (names.size() == 2) {
    const auto table = names.front().get<std::string>();
    for (std::size_t at = 0; at < entries_.size(); ++at) {
      if (entries_[at].table != table) continue;
      if (entries_[at].column == column) return at;
      known.push_back(entries_[at].column);
    }
    if (known.empty()) {
      throw refused_in_sql(
          fmt::format("a column of another table than {}", entries_.front().table));
    }
    (void)column_index(known, column);
  }
  const auto places = places_of(column);
  if (places.empty()) {
    for (const auto& entry : entries_) known.push_back(entry.column);
    return column_index(known, column);  // throws, and offers the nearest names
  }
  // The person is the same in all tables: they are joined by it.
  if (places.size() > 1 && !entries_[places.front()].is_person) {
    throw refused_in_sql(fmt::format("two tables have a column {}: say {} or {}", column,
                                     name_of(places[0]), name_of(places[1])));
  }
  return places.front();
}

std::string ColumnScope::name_of(std::size_t at) const {
  const Entry& entry = entries_[at];
  if (entry.is_person || places_of(entry.column).size() == 1) return entry.column;
  return entry.table + "." + entry.column;
}

}  // namespace pratique::dp
