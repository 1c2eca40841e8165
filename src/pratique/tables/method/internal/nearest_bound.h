// What no release of a table can beat, however its records are recoded.
//
// Every class that satisfies the models has so many records at least, and each of its cells covers
// all of them. So a record loses no less than the cheapest class of so many records that contains
// it (cheapest_class.h), and that no less than cells that cover it and the record of the class that
// is farthest from it; of the n - 1 others of a class of n, the farthest is no nearer than the (n -
// 1)-th nearest of all records. The bound is the mean over all records. A suppressed record loses 1
// in each cell, which is no less.
//
// The nearest are looked for in a tree of boxes. Where that, or the cheapest class, takes too long,
// the search for one record ends early, with what it has proven: a weaker bound, and still one.
// Tables of very many different records have none.
#pragma once

#include <cstdint>
#include <optional>

#include "pratique/core/progress.h"
#include "pratique/tables/method/local_recoding.h"

namespace pratique::tables::internal {

struct BoundEffort {
  std::uint64_t looks = 60'000'000;  // at cells, for all records together, about
  std::uint64_t boxes = 0;           // of classes, for all records together; 0: the farthest alone
  // In seconds; after it the others count as if they lost nothing.
  std::optional<double> time_limit = {};
};

// By LM or NCP. Labels lose no less than free cells, so that a bound for free cells holds for both.
// 0 where there is no bound.
[[nodiscard]] double nearest_bound(const ProtectionInput& input, std::uint64_t least_records,
                                   CellStyle style, Loss loss, Progress& progress,
                                   const BoundEffort& effort = {});

}  // namespace pratique::tables::internal
