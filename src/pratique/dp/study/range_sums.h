// How many are in a box of cells, in a time that does not depend on the box: sums of all cells from
// the origin to each cell, added and subtracted at the box's corners. Holds a number per cell.
#pragma once

#include <vector>

#include "pratique/dp/histogram/cells.h"
#include "pratique/dp/histogram/histogram.h"

namespace pratique::dp {

class RangeSums {
 public:
  RangeSums(const CellGrid& grid, const std::vector<CellCount>& counts);
  // The cells of a box are taken to be equal.
  RangeSums(const CellGrid& grid, const std::vector<HistogramBox>& boxes);

  [[nodiscard]] double sum(const CellBox& box) const;

 private:
  void add_up();

  std::vector<std::uint64_t> sizes_;
  std::vector<double> sums_;
};

}  // namespace pratique::dp
