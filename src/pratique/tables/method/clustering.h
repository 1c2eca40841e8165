// The local recodings of Xu et al. 2006 (utility-based anonymisation): records that are near each
// other form a class, whatever the boxes of other classes.
//
//   cluster_up    bottom-up: every group of equal records is a cluster; clusters that break a model
//                 are united with a near one, round after round
//   cluster_down  top-down: two records far from each other become seeds and the others go to the
//                 nearer one, again and again while both halves satisfy the models
//
// Both are quadratic. Here they run inside buckets of a bounded number of groups, which Mondrian
// cuts out of the table, all buckets in parallel: O(n log n + n * bucket). Then the classes of a
// bucket are improved by local search (internal/clusters.h), and cluster_up does so once more in
// buckets with other borders. The result does not depend on the number of threads.
//
// What it costs and brings, LM on the eight quasi-identifiers of Adult at k = 5, free cells:
//
//                      cluster_up              cluster_down
//                      one bucket   of 700     one bucket   of 700
//   clustering alone   0.00954      0.01001    0.01456      0.01231
//   improved           0.00863      0.00886    0.01010      0.00971
//
// Every class satisfies all models. A group may be split among classes.
#pragma once

#include <optional>

#include "pratique/tables/method/local_recoding.h"

namespace pratique::tables {

namespace internal {
class SearchTime;
}

struct ClusteringOptions {
  CellStyle style = CellStyle::free;
  Loss loss = Loss::lm;
  // No more groups than this are clustered with each other; 0: all of them, in quadratic time.
  std::size_t bucket = 700;
  // False: the clustering alone.
  bool improve = true;
  // When it is over, what is not clustered stays as it was cut, and nothing is improved further.
  const internal::SearchTime* time = nullptr;
};

// Both throw Error::check when the table as a whole breaks a model.
[[nodiscard]] Recoding cluster_up(const ProtectionInput& input, const Models& models,
                                  const ClusteringOptions& options,
                                  Progress& progress = Progress::silent());
[[nodiscard]] Recoding cluster_down(const ProtectionInput& input, const Models& models,
                                    const ClusteringOptions& options,
                                    Progress& progress = Progress::silent());

// Classes that another method made, improved by the same search in buckets with ever other borders,
// until that gains next to nothing or the time is over (seconds). No model breaks, no record is
// lost, and the loss never rises.
[[nodiscard]] Recoding improve_classes(const ProtectionInput& input, const Models& models,
                                       const ClusteringOptions& options, const Recoding& start,
                                       std::optional<double> time_limit,
                                       Progress& progress = Progress::silent());

}  // namespace pratique::tables
