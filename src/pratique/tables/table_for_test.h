// Tables written down in tests.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

using Rows = std::vector<std::vector<std::string>>;

inline Table table_of(const std::vector<std::string>& names, const Rows& rows) {
  Table table;
  for (std::size_t c = 0; c < names.size(); ++c) {
    Column column;
    column.name = names[c];
    for (const auto& row : rows) column.codes.push_back(column.dictionary.intern(row.at(c)));
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace pratique
