// What released sequences are still good for, against the originals, over the variable regions.
//
// - Frequencies of bases per column; a letter that stands for several bases counts a share for
//   each, a gap for none. The mean absolute difference, over columns and bases.
// - Association with a simulated trait: carriers of the commoner base of one column (that with the
//   most even split) have it with probability 0.8, the others with 0.2. The chi-square statistic
//   (one degree of freedom) of the commonest base against all others, in every column, before and
//   after: at the column that causes it, the largest elsewhere, and their correlation.
// - The correlation of all distances between two sequences, before and after.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

struct AssociationStrength {
  double at_cause = 0;
  double elsewhere = 0;  // the largest
};

struct SequenceUtility {
  double frequency_error = 0;
  AssociationStrength before;
  AssociationStrength after;
  double association_correlation = 0;
  double distance_correlation = 0;
  double mean_distance_before = 0;
  double mean_distance_after = 0;
};

// Both aligned, a sequence per person in the same order; `columns` are the variable regions.
[[nodiscard]] SequenceUtility measure_utility(const std::vector<Sequence>& before,
                                              const std::vector<Sequence>& after,
                                              const std::vector<std::uint32_t>& columns,
                                              std::uint64_t seed, Progress& progress);

// Pearson's; 0 where one of the two does not vary.
[[nodiscard]] double correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace pratique::genomes
