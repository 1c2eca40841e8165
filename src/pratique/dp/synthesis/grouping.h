// Which cells of a column are told apart when it is measured together with others.
//
// A pair of columns with thousands of cells drowns in noise: each cell of it gets as much noise as
// a cell of a small pair. So cells with too few rows, by a noisy count of the column alone, are
// grouped: numbers and dates with their neighbours, other values all together (McKenna, Miklau and
// Sheldon 2021 do the latter). Within a group, cells are as frequent as the column alone says,
// whatever the other columns are. Follows from noisy counts: it costs no privacy.
#pragma once

#include <cstdint>
#include <vector>

namespace pratique::dp {

struct Grouping {
  std::vector<std::uint32_t> group_of;  // by cell
  std::size_t groups = 0;
  std::vector<double> counts;     // of each group: noisy, not below 0, the total in all
  std::vector<double> variances;  // of the noise in a group's count
  std::vector<double> shares;     // of each cell in its group
};

// What one column alone was measured as.
struct NoisyColumn {
  std::vector<double> counts;
  double variance = 0;  // of the noise in each
  bool ordered = false;
  std::size_t stray =
      0;  // a cell that is likely empty: it counts only where noise cannot explain it
};
// Groups of at least `least_ordered` rows of neighbours, or `least` of other values.
[[nodiscard]] Grouping grouped(const NoisyColumn& column, double total, double least,
                               double least_ordered);

// The nearest counts that are not below 0 and sum to `total`, where each value may move in
// proportion to its variance.
[[nodiscard]] std::vector<double> nonnegative(const std::vector<double>& values,
                                              const std::vector<double>& variances, double total);

}  // namespace pratique::dp
