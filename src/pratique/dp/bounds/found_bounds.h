// Bounds and cuts of numbers, found privately where nobody can declare them.
//
// Definition. Bounds: numbers are counted in bins of magnitude (0; from 2^k to 2^(k+1), of either
// sign), with noise on every bin. Bounds are the ends of the outermost bins whose noisy counts are
// above a threshold that noise and one person's rows pass, in any bin at all, with a probability of
// at most 1 %.
// Then, with the other half of epsilon, 64 steps of equal width between these are counted, and
// those at either end go in which noise can explain the sum of the counts without anybody there.
// Cuts: numbers are counted in 1,024 steps between the bounds by a tree with noise, and cut where
// the noisy counts make about equal parts.
//
// Theorem. Both are epsilon-differentially private: a person's rows, at most R, are each in one bin
// (discrete Laplace of rate epsilon / R per histogram, two histograms one after the other; the tree
// by histogram/hierarchy_tree.h). Bins and thresholds follow from epsilon and R alone, and what
// follows from noisy counts costs nothing. No number can stop it: beyond 2^48 counts as that, below
// 2^-16 as 0.
//
// A few values far from all others fall out of the bounds, and are clamped where the bounds are
// used: that nobody can see them is what was asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/domain.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

struct WeightedNumber {
  double value = 0;
  std::uint64_t times = 0;
};

struct FoundBounds {
  NumberRange range;
  bool above_noise = true;  // false: no bin was, and the range is a guess
};

// Bins in order, from the most negative to the most positive number.
[[nodiscard]] std::size_t magnitude_bins();
[[nodiscard]] std::size_t magnitude_bin(double value);
[[nodiscard]] NumberRange magnitudes_in(std::size_t bin);

[[nodiscard]] FoundBounds find_bounds(const std::vector<WeightedNumber>& numbers,
                                      std::uint64_t max_rows, Epsilon epsilon,
                                      RandomBits& of_magnitudes, RandomBits& of_steps);

// Where parts begin, from low on; ascending, at most `parts`, fewer where some would be empty.
[[nodiscard]] std::vector<double> find_cuts(const std::vector<WeightedNumber>& numbers,
                                            const NumberRange& range, std::size_t parts,
                                            std::uint64_t max_rows, Epsilon epsilon,
                                            RandomBits& random);

}  // namespace pratique::dp
