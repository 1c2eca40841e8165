// Tables of counts over a few columns, dense, the last column running fastest.
#pragma once

#include <cstdint>
#include <vector>

namespace pratique::dp {

using ColumnSet = std::vector<std::size_t>;  // numbers of columns, ascending

// The number of cells over these columns, as a floating-point number because it may be huge.
[[nodiscard]] double cells_over(const ColumnSet& columns, const std::vector<std::size_t>& sizes);

// For each cell over `from`, where it falls over `to`, which are among them.
[[nodiscard]] std::vector<std::uint32_t> places(const ColumnSet& from, const ColumnSet& to,
                                                const std::vector<std::size_t>& sizes);
// Sums by place.
[[nodiscard]] std::vector<double> summed(const std::vector<double>& values,
                                         const std::vector<std::uint32_t>& places,
                                         std::size_t cells);

// Rows as cells of declared columns; counts say how many rows each row stands for.
struct EncodedRows {
  std::vector<std::vector<std::uint32_t>> cells;  // by column
  std::vector<std::uint64_t> counts;

  [[nodiscard]] std::uint64_t rows() const;
};
// Exact: nothing here is private yet.
[[nodiscard]] std::vector<std::int64_t> count_over(const EncodedRows& rows,
                                                   const ColumnSet& columns,
                                                   const std::vector<std::size_t>& sizes);

}  // namespace pratique::dp
