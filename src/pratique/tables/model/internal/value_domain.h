// The values that a sensitive attribute takes in the original table, with their counts, their order
// and their leaves in a hierarchy.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::tables {

// Records by code of the column.
[[nodiscard]] std::vector<std::uint64_t> records_of_values(
    const Column& column, const std::vector<std::uint64_t>& counts);

// By code; only those with records are looked up. Throws the Error of Hierarchy::bind.
[[nodiscard]] std::vector<Hierarchy::Node> leaves_of_values(
    const Column& column, const std::vector<std::uint64_t>& records, const Hierarchy& hierarchy);

struct ValueOrder {
  std::vector<std::uint32_t> position;  // by code; of values without records: 0
  std::uint32_t positions = 0;
  bool natural = false;  // of numbers or dates: who has the values can find it again
};

// Of the values with records. Throws Error when they are neither numbers nor dates and there is no
// hierarchy.
[[nodiscard]] ValueOrder order_values(const Column& column,
                                      const std::vector<std::uint64_t>& records,
                                      const Hierarchy* hierarchy);

}  // namespace pratique::tables
