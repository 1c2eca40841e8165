// How the values of a column are distributed, small enough to draw.
//
// A column whose values are all numbers, more than `top` different ones, gets `top` bins of equal
// width from its least to its largest value; every bin holds its lower end, the last one both, and
// says so: 0..4 and 5..9 of whole numbers, "0 to under 5" of others.
// Any other column gets a bin for each of its `top` most frequent values and one, `other`, for the
// rest. A value that is a number or a range (20..29) says its ends, and where all that are shown
// do, bins are in their order instead of by frequency. Missing cells are counted apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/table.h"

namespace pratique::tables {

struct Bin {
  std::string label;
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::uint64_t count = 0;
  bool other = false;
};

struct Distribution {
  std::string name;
  bool numbers = false;
  std::uint64_t rows = 0;
  std::uint64_t missing = 0;
  std::uint64_t distinct = 0;  // values that are there
  std::vector<Bin> bins;
};

[[nodiscard]] Distribution distribution_of(const ValueCounts& column, std::size_t top);
// {name, kind, missing, distinct, bins[{label, low?, high?, count, other?}]}
[[nodiscard]] Json to_json(const Distribution& distribution);

}  // namespace pratique::tables
