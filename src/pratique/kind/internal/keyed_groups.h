// Groups of rows with the hash by which they are ordered.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/kind/row_order.h"

namespace pratique::release {

struct KeyedGroup {
  std::uint64_t hash;
  std::uint32_t group;
};

// By hash; groups of one hash by what they say, column by column. Nothing is left to the order that
// they stand in: two groups that compare equal are equal.
void sort_by_content(std::vector<KeyedGroup>& keyed, const std::vector<OutputColumn>& columns);

}  // namespace pratique::release
