// The two-phase kd-tree of DPCube (Xiao, Xiong and Yuan 2010; seed of the study), corrected.
//
// Phase 1 tells every cell with its share of epsilon. The tree is grown on these noisy cells alone:
// a box is split while it is not uniform and its noisy count is above xi_0 (the published text has
// the test the wrong way round). Phase 2 counts the final boxes with the rest of epsilon. A person
// is in one box per row, so by sequential composition both together are epsilon-differentially
// private; growing the tree uses nothing but what phase 1 told, and costs nothing.
//
// Uniformity. H = sum over cells of |count - average|. On noisy cells the noise alone makes H about
// cells * E|X|, however equal the true cells are, so nothing would ever count as uniform: what the
// noise contributes is subtracted, and only what is left above xi_1 and above the spread of that
// sum counts. Beside H, which hardly sees a difference that is small in each cell, the best cut is
// looked at: how far the left part's noisy sum is from its share, in standard deviations of the
// noise. The cut is made there.
//
// Where noise hides whether a box is uniform, the published rule keeps it whole, and on a large
// domain almost everything is hidden: a million people in 2.5 million cells end in 45 boxes, which
// answer three times as badly as the noisy cells. But a cut costs only the noise of one more count.
// So, unless xi_1 is given, a box is cut in half while its halves may differ by more than that, as
// far as the noisy cells leave open. How many people it has is believed from its noisy sum and from
// the box it was cut from.
//
// Fusion. The sum of a box's noisy cells (variance v1 * cells) and its second count (v2) are both
// unbiased, and both public: weighted by the inverse of their variances, they are better than
// either.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/histogram/cells.h"

namespace pratique::dp {

inline constexpr std::uint64_t kMostKdCells = std::uint64_t{1} << 26U;

struct KdTreeSettings {
  double split = 0.5;
  // A box below xi_0 people is not split; none: four deviations of the second phase's noise.
  std::optional<double> xi0 = {};
  // A box with less corrected H is uniform; none: three deviations of what noise adds to H.
  std::optional<double> xi1 = {};
};

struct CountedBox {
  CellBox box;
  double count = 0;
  double variance = 0;
};

[[nodiscard]] std::vector<CountedBox> noisy_kdtree(const CellGrid& grid,
                                                   const std::vector<CellCount>& counts,
                                                   std::uint64_t max_rows, Epsilon epsilon,
                                                   const KdTreeSettings& settings,
                                                   RandomBits& cells_noise, RandomBits& boxes_noise,
                                                   Progress& progress);

}  // namespace pratique::dp
