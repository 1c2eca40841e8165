// Tables written down in tests, and randomness for properties over tables.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/crypto/random.h"
#include "pratique/data/table.h"

namespace pratique::tables {

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

// A different stream in every run of a property, small runs included.
inline SeededRandom any_random() {
  return SeededRandom(
      *rc::gen::noShrink(rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>())));
}

}  // namespace pratique::tables
