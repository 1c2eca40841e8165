// Rows of a synthetic table, from a fitted model.
//
// Column by column along the junction tree: rows that agree in what a column depends on get its
// values in proportion to the model, rounded to whole numbers, to whom by chance (McKenna, Miklau
// and Sheldon 2021). Rows drawn one by one would add the noise of sampling to every marginal;
// rounded, a count is off by less than 1 per set of rows that agree. Costs no privacy.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/synthesis/mst.h"

namespace pratique::dp {

// Whole numbers that sum to `count`, each less than 1 from its part of it; which are rounded up
// follows from one random number, and every one is right on average.
[[nodiscard]] std::vector<std::uint64_t> apportioned(const std::vector<double>& weights,
                                                     std::uint64_t count, RandomBits& random);

// The cells of every column, by row.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> generate(const SyntheticModel& synthetic,
                                                               std::uint64_t rows,
                                                               RandomBits& random);

}  // namespace pratique::dp
