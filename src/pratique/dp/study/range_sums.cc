#include "pratique/dp/study/range_sums.h"

namespace pratique::dp {
namespace {

// The cells of a box, line by line of the last dimension.
template <typename Line>
void each_line(const CellGrid& grid, const CellBox& box, const Line& line) {
  auto place = box.low;
  while (true) {
    line(grid.number_of(place), box.high.back() - box.low.back() + 1);
    std::size_t d = place.size() - 1;
    while (d > 0 && place[d - 1] == box.high[d - 1]) {
      place[d - 1] = box.low[d - 1];
      --d;
    }
    if (d == 0) return;
    ++place[d - 1];
  }
}

}  // namespace

RangeSums::RangeSums(const CellGrid& grid, const std::vector<CellCount>& counts)
    : sizes_(grid.sizes()), sums_(grid.cells(), 0) {
  for (const auto& count : counts) sums_[count.cell] = static_cast<double>(count.count);
  add_up();
}

RangeSums::RangeSums(const CellGrid& grid, const std::vector<HistogramBox>& boxes)
    : sizes_(grid.sizes()), sums_(grid.cells(), 0) {
  for (const auto& counted : boxes) {
    const double share = counted.count / static_cast<double>(counted.box.cells());
    each_line(grid, counted.box, [&](std::uint64_t first, std::uint64_t cells) {
      for (std::uint64_t cell = first; cell < first + cells; ++cell) sums_[cell] += share;
    });
  }
  add_up();
}

void RangeSums::add_up() {
  std::uint64_t stride = 1;
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    const std::uint64_t block = stride * sizes_[d];
    for (std::uint64_t begin = 0; begin < sums_.size(); begin += block) {
      for (std::uint64_t cell = begin + stride; cell < begin + block; ++cell)
        sums_[cell] += sums_[cell - stride];
    }
    stride = block;
  }
}

double RangeSums::sum(const CellBox& box) const {
  const std::size_t dimensions = sizes_.size();
  double total = 0;
  for (std::uint64_t corner = 0; corner < std::uint64_t{1} << dimensions; ++corner) {
    std::uint64_t cell = 0;
    double sign = 1;
    bool outside = false;
    for (std::size_t d = 0; d < dimensions && !outside; ++d) {
      const bool below = (corner >> d & 1U) != 0;
      outside = below && box.low[d] == 0;
      cell = cell * sizes_[d] + (below ? box.low[d] - 1 : box.high[d]);
      if (below) sign = -sign;
    }
    if (!outside) total += sign * sums_[cell];
  }
  return total;
}

}  // namespace pratique::dp
