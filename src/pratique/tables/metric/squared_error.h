// How far the released numbers of a column are from the original ones.
//
// A record's released number is the mean over what its cell stands for (CellReader::position): the
// middle of a range, the mean that microaggregation shows. A suppressed record, and a cell that
// says nothing, count as the table's mean: the best guess without them. Missing values do not
// count.
#pragma once

#include <cstddef>
#include <optional>

#include "pratique/tables/metric/internal/cell_coverage.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

// The mean squared difference over the variance of the original, so 0 is nothing lost and 1 as bad
// as the table's mean. Nothing for categories and for columns of one value.
[[nodiscard]] std::optional<double> squared_error(const ProtectionInput& input,
                                                  const Recoding& recoding, std::size_t attribute);
// The same with what the column's cells stand for.
[[nodiscard]] std::optional<double> squared_error(const ProtectionInput& input,
                                                  const Recoding& recoding, std::size_t attribute,
                                                  const CellSpans& spans);

}  // namespace pratique::tables
