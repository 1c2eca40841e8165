// The cells of a declared domain, and their exact counts: what histogram methods start from.
// Nothing here is private yet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/domain.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

// A box of cells: from low to high in every dimension, both included.
struct CellBox {
  std::vector<std::uint64_t> low;
  std::vector<std::uint64_t> high;

  [[nodiscard]] std::uint64_t cells() const;
};

// Cells are numbered with the last dimension running fastest.
class CellGrid {
 public:
  // Throws Error::input where there are more than 2^62 cells.
  explicit CellGrid(std::vector<Domain> domains);

  [[nodiscard]] std::uint64_t cells() const { return cells_; }
  [[nodiscard]] std::size_t dimensions() const { return sizes_.size(); }
  [[nodiscard]] const std::vector<std::uint64_t>& sizes() const { return sizes_; }
  [[nodiscard]] const std::vector<Domain>& domains() const { return domains_; }
  [[nodiscard]] std::uint64_t number_of(std::span<const std::uint64_t> place) const;
  [[nodiscard]] std::vector<std::uint64_t> place_of(std::uint64_t cell) const;
  [[nodiscard]] CellBox whole() const;

 private:
  std::vector<Domain> domains_;
  std::vector<std::uint64_t> sizes_;
  std::uint64_t cells_ = 1;
};

struct CellCount {
  std::uint64_t cell = 0;
  std::int64_t count = 0;
};

// Of rows whose cells are all in the domain; of each person at most `max_rows`, drawn at random.
// Sorted by cell, each once, none empty. `table` has the grid's columns in its order; `counts` says
// how many rows each row stands for; `person` may be null.
[[nodiscard]] std::vector<CellCount> count_cells(const CellGrid& grid, const Table& table,
                                                 const std::vector<std::uint64_t>& counts,
                                                 const Column* person, std::uint64_t max_rows,
                                                 RandomBits& random);
[[nodiscard]] std::vector<std::int64_t> dense(const CellGrid& grid,
                                              const std::vector<CellCount>& counts);

}  // namespace pratique::dp
