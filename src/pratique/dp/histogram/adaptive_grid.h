// Adaptive grids (Qardaji, Yang and Li 2013, "Differentially private grids for geospatial data")
// over two dimensions.
//
// Method. How many people there are is told with a small share of epsilon. A coarse grid of
// m1 x m1 boxes, m1 = max(10, sqrt(N epsilon / 10) / 4), is counted with half of the rest; every
// box is cut into m2 x m2, m2 = sqrt(N' epsilon_2 / 5) of its own noisy count N', and these are
// counted with the other half. So boxes are small where people are. Both counts of a box are
// weighted by the inverse of their variances, and what is missing is spread evenly over its parts.
// A side that has fewer cells than parts is cut into cells, and the other side into more parts.
//
// Theorem. Epsilon-differentially private: a person's rows, at most R, are each in one box of
// either grid, so each grid is the Laplace mechanism of sensitivity R
// (mechanism/discrete_laplace.h), as the number of people is; where boxes are cut follows from
// noisy counts alone. Sequential composition.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/histogram/cells.h"
#include "pratique/dp/histogram/kdtree.h"

namespace pratique::dp {

// A range of cells cut into parts of about equal length, none of them empty.
struct Parts {
  std::uint64_t rows = 1;
  std::uint64_t columns = 1;
};
// About `boxes` parts of a box with so many rows and columns.
[[nodiscard]] Parts parts_for(double boxes, std::uint64_t rows, std::uint64_t columns);

// Of a grid of two dimensions.
[[nodiscard]] std::vector<CountedBox> noisy_adaptive_grid(
    const CellGrid& grid, const std::vector<CellCount>& counts, std::uint64_t max_rows,
    Epsilon epsilon, RandomBits& scale_noise, RandomBits& first_noise, RandomBits& second_noise);

}  // namespace pratique::dp
