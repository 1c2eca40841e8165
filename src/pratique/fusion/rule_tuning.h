// Moves the corners of fuzzy sets until the rules fit a sample with known targets: what an attacker
// who has one would do.
//
// The numbers that are tuned are the distinct corners of each variable's sets (terms that share a
// corner keep sharing it) and the means and deviations of Gaussian sets; of singletons only those
// of the output, since those of an input stand for words. One number after the other is tried a
// half, a quarter and an eighth of the way to its neighbours, and stays where the squared error on
// the sample is least (coordinate descent). The order of corners, the degrees and the rules do not
// change. It ends after a few rounds, or when a round helps no more. At most 300 rows of the sample
// are used, evenly spread.
#pragma once

#include <vector>

#include "pratique/core/progress.h"
#include "pratique/fusion/observations.h"

namespace pratique::fusion {

struct Tuned {
  FuzzySystem system;
  double error_before = 0;  // mean squared error on the rows used
  double error_after = 0;
  std::size_t moves = 0;
};

// Rows whose target is not a number are left out.
[[nodiscard]] Tuned tune(const FuzzySystem& system, std::size_t output,
                         const Observations& observations, const std::vector<double>& targets,
                         Reading reading, Progress& progress = Progress::silent());

}  // namespace pratique::fusion
