// For every distinct raw value of a column, the cells of a release that contain it.
//
// Texts and members of sets are found by look-up from the side of the value: its own text, the
// labels above it in the hierarchy, its number, the year and month of a date. Ranges and masked
// cells are found from the side of the cell, as intervals of the sorted values. What
// GeneralisedValue has to say is asked only of these candidates, so columns with 100,000 distinct
// values on both sides cost what their matches cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {
class Hierarchy;
}

namespace pratique::internal {

class ColumnMatches {
 public:
  ColumnMatches(const Dictionary& cells, const Dictionary& values, const Hierarchy* hierarchy);

  // Codes of cells, ascending.
  [[nodiscard]] std::span<const Code> cells_containing(Code value) const {
    return std::span(cells_).subspan(begin_[value], begin_[value + 1] - begin_[value]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Code> cells_;
};

}  // namespace pratique::internal
