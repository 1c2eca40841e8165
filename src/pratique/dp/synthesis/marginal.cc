#include "pratique/dp/synthesis/marginal.h"

#include <algorithm>
#include <numeric>

namespace pratique::dp {

double cells_over(const ColumnSet& columns, const std::vector<std::size_t>& sizes) {
  double cells = 1;
  for (const auto column : columns) cells *= static_cast<double>(sizes[column]);
  return cells;
}

std::vector<std::uint32_t> places(const ColumnSet& from, const ColumnSet& to,
                                  const std::vector<std::size_t>& sizes) {
  // How far a step along each column of `from` leads in `to`.
  std::vector<std::uint32_t> strides(from.size());
  std::uint32_t stride = 1;
  for (std::size_t t = to.size(); t-- > 0;) {
    const auto at = std::find(from.begin(), from.end(), to[t]);
    strides[static_cast<std::size_t>(at - from.begin())] = stride;
    stride *= static_cast<std::uint32_t>(sizes[to[t]]);
  }
  std::vector<std::uint32_t> reached(static_cast<std::size_t>(cells_over(from, sizes)));
  std::vector<std::size_t> place(from.size());
  std::uint32_t at = 0;
  for (auto& cell : reached) {
    cell = at;
    for (std::size_t d = from.size(); d-- > 0;) {
      at += strides[d];
      if (++place[d] < sizes[from[d]]) break;
      at -= strides[d] * static_cast<std::uint32_t>(sizes[from[d]]);
      place[d] = 0;
    }
  }
  return reached;
}

std::vector<double> summed(const std::vector<double>& values,
                           const std::vector<std::uint32_t>& places, std::size_t cells) {
  std::vector<double> sums(cells);
  for (std::size_t i = 0; i < values.size(); ++i) sums[places[i]] += values[i];
  return sums;
}

std::uint64_t EncodedRows::rows() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::vector<std::int64_t> count_over(const EncodedRows& rows, const ColumnSet& columns,
                                     const std::vector<std::size_t>& sizes) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(cells_over(columns, sizes)));
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    std::size_t cell = 0;
    for (const auto column : columns) cell = cell * sizes[column] + rows.cells[column][row];
    counts[cell] += static_cast<std::int64_t>(rows.counts[row]);
  }
  return counts;
}

}  // namespace pratique::dp
