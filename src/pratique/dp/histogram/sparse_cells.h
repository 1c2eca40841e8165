// Noisy cells of a domain too large to visit; see histogram.h.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/histogram/cells.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/mechanism/rational.h"

namespace pratique::dp {

struct SparseCells {
  std::int64_t threshold = 0;
  std::vector<CellCount> cells;  // sorted; noisy counts of at least the threshold
};

// The threshold that about a thousand empty cells pass.
[[nodiscard]] std::int64_t sparse_threshold(std::uint64_t cells, const Rational& rate);
[[nodiscard]] SparseCells sparse_noisy_cells(std::uint64_t cells,
                                             const std::vector<CellCount>& occupied,
                                             const Rational& rate, RandomBits& of_occupied,
                                             RandomBits& of_empty);

}  // namespace pratique::dp
