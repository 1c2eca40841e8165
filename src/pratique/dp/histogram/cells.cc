#include "pratique/dp/histogram/cells.h"

#include <algorithm>
#include <optional>

#include "pratique/core/error.h"
#include "pratique/dp/person_rows.h"

namespace pratique::dp {
namespace {

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 62U;
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

std::vector<CellCount> sorted_and_merged(std::vector<CellCount> counts) {
  std::sort(counts.begin(), counts.end(),
            [](const CellCount& a, const CellCount& b) { return a.cell < b.cell; });
  std::vector<CellCount> merged;
  for (const auto& count : counts) {
    if (!merged.empty() && merged.back().cell == count.cell) {
      merged.back().count += count.count;
    } else {
      merged.push_back(count);
    }
  }
  return merged;
}

}  // namespace

std::uint64_t CellBox::cells() const {
  std::uint64_t cells = 1;
  for (std::size_t d = 0; d < low.size(); ++d) cells *= high[d] - low[d] + 1;
  return cells;
}

CellGrid::CellGrid(std::vector<Domain> domains) : domains_(std::move(domains)) {
  if (domains_.empty()) throw Error::input("a histogram needs at least one column");
  for (const auto& domain : domains_) {
    sizes_.push_back(domain.cells());
    if (sizes_.back() > kMostCells / cells_) {
      throw Error::input("the domains make too many cells")
          .hint("Name fewer columns, or narrower domains.");
    }
    cells_ *= sizes_.back();
  }
}

std::uint64_t CellGrid::number_of(std::span<const std::uint64_t> place) const {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < sizes_.size(); ++d) number = number * sizes_[d] + place[d];
  return number;
}

std::vector<std::uint64_t> CellGrid::place_of(std::uint64_t cell) const {
  std::vector<std::uint64_t> place(sizes_.size());
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    place[d] = cell % sizes_[d];
    cell /= sizes_[d];
  }
  return place;
}

CellBox CellGrid::whole() const {
  CellBox box{.low = std::vector<std::uint64_t>(sizes_.size()), .high = sizes_};
  for (auto& end : box.high) --end;
  return box;
}

std::vector<CellCount> count_cells(const CellGrid& grid, const Table& table,
                                   const std::vector<std::uint64_t>& counts, const Column* person,
                                   std::uint64_t max_rows, RandomBits& random) {
  // Every value is looked up once.
  std::vector<std::vector<std::uint64_t>> cell_of_code(grid.dimensions());
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    for (const auto& value : table.columns[d].dictionary.values()) {
      cell_of_code[d].push_back(grid.domains()[d].cell_of(value).value_or(kNowhere));
    }
  }
  const auto cell_at = [&](std::size_t row) {
    std::uint64_t number = 0;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      const std::uint64_t at = cell_of_code[d][table.columns[d].codes[row]];
      if (at == kNowhere) return kNowhere;
      number = number * grid.sizes()[d] + at;
    }
    return number;
  };
  std::vector<std::uint64_t> cells(counts.size());
  std::vector<std::uint64_t> rows = counts;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    cells[row] = cell_at(row);
    if (cells[row] == kNowhere) rows[row] = 0;
  }
  if (person != nullptr) rows = rows_within(rows, *person, max_rows, random);
  std::vector<CellCount> all;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] > 0) all.push_back({cells[row], static_cast<std::int64_t>(rows[row])});
  }
  return sorted_and_merged(std::move(all));
}

std::vector<std::int64_t> dense(const CellGrid& grid, const std::vector<CellCount>& counts) {
  std::vector<std::int64_t> cells(grid.cells());
  for (const auto& [cell, count] : counts) cells[cell] = count;
  return cells;
}

}  // namespace pratique::dp
