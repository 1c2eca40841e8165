// The sensitive values that independent releases tell apart.
//
// Releases of different tools write one attribute in different ways: exact values, labels of a
// hierarchy, ranges, sets, sets of codes, '*'. To intersect them, the domain is cut into the pieces
// that all cells together cut it into: two originals are one value when no cell of any release
// contains one of them and not the other. A cell then covers some values, and cells intersect as
// sets of them.
//
//   20..29 and 25         the values are 25 and the rest of 20..29; they share 25
//   20..29 and 25..34     20..24, 25..29 and 30..34; they share 25..29
//   asthma and a label over asthma and flu    they share asthma
//   (493.00|493.01) and (493.01|493.02)       they share 493.01
//   flu and asthma        two values, as anybody would say
//
// A missing cell is a value like others; '*' covers all values, and a value `unseen` that stands
// for whatever no other cell names. What a cell contains is GeneralisedValue::contains's to say;
// `(a|b)` is the set {a|b}. Where every cell is a number, a range or a set of numbers, numbers are
// compared as numbers (25 is 25.0), unless one release holds two spellings of a number, which are
// codes then (296.0 and 296.00). Ranges are cut at the finest decimal that any cell has.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {
class Hierarchy;
}  // namespace pratique

namespace pratique::fusion {

using Value = std::uint32_t;
inline constexpr Value kNoValue = std::numeric_limits<Value>::max();

struct ComposedValues {
  std::size_t count = 0;
  // By release, then by code of its column: the values that the cell covers, ascending, at least
  // one.
  std::vector<std::vector<std::vector<Value>>> covered;
  Value unseen = kNoValue;         // there only where some cell is '*'
  std::vector<Value> of_original;  // by code of `originals`; kNoValue: in no cell at all
};

// `originals`, which may be null, holds exact values to look up: the truth, say.
[[nodiscard]] ComposedValues compose_values(std::span<const Column* const> cells,
                                            const Column* originals, const Hierarchy* hierarchy);

// One spelling per number: no plus, no zeros that say nothing.
[[nodiscard]] std::string plain_number(std::string_view number);

}  // namespace pratique::fusion
