// Bounding what one person adds: of everybody's rows at most so many count, drawn at random.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

// How many of the rows that each row stands for are kept: of each person at most `max_rows`, and
// every set of so many of the person's rows is as likely as any other. `counts` says how many rows
// each row stands for; those of 0 are nobody's.
[[nodiscard]] std::vector<std::uint64_t> rows_within(const std::vector<std::uint64_t>& counts,
                                                     const Column& person, std::uint64_t max_rows,
                                                     RandomBits& random);

}  // namespace pratique::dp
