// For every distinct raw value of a column, the cells of a release that contain it.
//
// Texts, members of sets and labels are found by name from the side of the value: its own text, the
// labels above it in the hierarchy, the year, month and day of a date. Ranges and patterns are
// found from the side of the cell, as intervals of the sorted values. Only these candidates are put
// to GeneralisedValue::contains, so columns with 100,000 distinct values on both sides cost what
// their matches cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {
class Hierarchy;
}  // namespace pratique

namespace pratique::tables {

// How the cells of a column are read: as ours or another tool's, as ours alone, or as values and
// nothing else. `<30` is a range, a value, a value.
enum class CellsAre { anything, ours, values };

}  // namespace pratique::tables

namespace pratique::tables::internal {

class ColumnMatches {
 public:
  ColumnMatches(const Dictionary& cells, const Dictionary& values, const Hierarchy* hierarchy,
                CellsAre cells_are = CellsAre::anything);

  // Those that contain none of the values.
  [[nodiscard]] std::vector<Code> cells_of_nobody() const;
  // Codes of cells, ascending.
  [[nodiscard]] std::span<const Code> cells_containing(Code value) const {
    return std::span(cells_).subspan(begin_[value], begin_[value + 1] - begin_[value]);
  }

 private:
  std::size_t cell_count_ = 0;
  std::vector<std::size_t> begin_;
  std::vector<Code> cells_;
};

// By value: of the cells that contain it the first in `order`, which is of some or all of them;
// kNoCode where none does. Costs what cells and values cost, however many match.
[[nodiscard]] std::vector<Code> first_containing(const Dictionary& cells,
                                                 std::span<const Code> order,
                                                 const Dictionary& values,
                                                 const Hierarchy* hierarchy, CellsAre cells_are);

}  // namespace pratique::tables::internal
