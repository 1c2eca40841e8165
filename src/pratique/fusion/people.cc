#include "pratique/fusion/people.h"

#include <algorithm>
#include <cmath>

#include "pratique/fusion/fcl.h"

namespace pratique::fusion {
namespace {

const Column* find_column(const Table* table, std::string_view name) {
  if (table == nullptr) return nullptr;
  for (const auto& column : table->columns) {
    if (fcl_identifier(column.name) == name) return &column;
  }
  return nullptr;
}

}  // namespace

PeopleColumn::PeopleColumn(const People& people, std::string_view name)
    : people_(people),
      released_(find_column(people.release, name)),
      fact_(find_column(people.auxiliary, name)) {}

std::string_view PeopleColumn::text(std::size_t row) const {
  if (fact_ != nullptr && people_.fact_row[row] != kNotFound) {
    const auto fact = fact_->text(people_.fact_row[row]);
    if (!fact.empty()) return fact;
  }
  return released_ != nullptr ? released_->text(row) : std::string_view();
}

std::vector<std::string> column_names(const People& people) {
  std::vector<std::string> names;
  for (const Table* table : {people.release, people.auxiliary}) {
    if (table == nullptr) continue;
    for (const auto& column : table->columns) {
      const std::string name = fcl_identifier(column.name);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

Table with_cells_of(const Table& sample, const Table& release,
                    const std::vector<std::uint32_t>& rows) {
  Table joined;
  const auto add = [&](const Column& from, const auto& text_of) {
    Column& column = joined.columns.emplace_back();
    column.name = from.name;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      column.codes.push_back(column.dictionary.intern(text_of(row)));
    }
  };
  for (const auto& column : sample.columns) {
    add(column, [&](std::size_t row) { return column.text(row); });
  }
  for (const auto& column : release.columns) {
    if (find_column(&sample, fcl_identifier(column.name)) != nullptr) continue;
    add(column, [&](std::size_t row) {
      return rows[row] == kNotFound ? std::string_view() : column.text(rows[row]);
    });
  }
  return joined;
}

double middle_of(std::string_view cell) {
  const Input input = read_input(cell, Variable{});  // no terms: words mean nothing
  double sum = 0;
  double ends = 0;
  for (const auto& [low, high] : input) {
    for (const double end : {low, high}) {
      if (!std::isfinite(end)) continue;
      sum += end;
      ++ends;
    }
  }
  return ends > 0 ? sum / ends : std::nan("");
}

}  // namespace pratique::fusion
