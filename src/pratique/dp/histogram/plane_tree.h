// The tree of hierarchy_tree.h over two dimensions: every node is a box that is cut into b x b.
//
// Which b. A range of a plane of n x m cells is, on average, a third of either side. On the lowest
// level it takes the cells between its edges and the boxes within, about (b - 1) (n + m) / 3 of
// them, on the next one by 1 / b as many, and on the highest all boxes within. Each of h levels has
// the variance of h^2: b is what makes the sum least (Qardaji, Yang and Li 2013 do the same count
// for a line). b = the longer side is flat noise on every cell.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/histogram/hierarchy_tree.h"

namespace pratique::dp {

// How often the longer side is divided until boxes are cells.
[[nodiscard]] unsigned plane_height(std::uint64_t longer, std::uint64_t branching);
[[nodiscard]] std::uint64_t best_plane_branching(std::uint64_t rows, std::uint64_t columns);

// For the adaptive estimate, which finds out where nobody is by large boxes first: three levels, of
// a plane with sides up to 32 two, up to 8 one. Follows from the domain alone.
[[nodiscard]] std::uint64_t adaptive_plane_branching(std::uint64_t rows, std::uint64_t columns);

struct PlaneTree {
  TreeShape shape;
  std::vector<std::uint64_t> cells;  // of the leaves: row * columns + column
};
[[nodiscard]] PlaneTree plane_tree(std::uint64_t rows, std::uint64_t columns,
                                   std::uint64_t branching);

}  // namespace pratique::dp
