// Mondrian (LeFevre, DeWitt and Ramakrishnan 2006): the records are cut in two along one attribute,
// again and again, while both halves satisfy every model.
//
// Numbers and dates are cut in their order. The values of a category are ordered by how many
// records have them and cut there, so that the frequent ones come to stand alone. With labels, a
// cut goes between the children of the lowest node over the partition's values: any other leaves
// both halves as coarse as the whole.
//
// Strict: a value goes wholly to one half. Relaxed: the records of the median value may also be
// divided, so that a partition of 2k records can always be cut.
//
// Where to cut:
//   gain    the cut, among all of all attributes, that lowers the loss of the cells most. The boxes
//           of both halves are measured in all attributes, not only in the one that is cut.
//   widest  as in the paper: the median of the attribute that is widest in the partition, or of the
//           next widest where that breaks a model.
//   label   the cut with the largest information gain about a class label (LeFevre et al. 2006b);
//           where nothing is gained, gain.
//   target  the cut that lowers the variance of a number most; then gain.
//
// A partition costs O(a^2 n) for n groups and a attributes, and the tree has about log(n) levels.
// Partitions run in parallel and the result does not depend on the number of threads.
#pragma once

#include "pratique/tables/method/local_recoding.h"

namespace pratique::tables {

namespace internal {
class SearchTime;
}

struct MondrianOptions {
  enum class Choice { gain, widest };

  CellStyle style = CellStyle::free;
  Loss loss = Loss::lm;
  Choice choice = Choice::gain;
  bool relaxed = false;
  // At most one of them: the workload that the release is for.
  const Column* label = nullptr;                // of the grouped table
  const std::vector<double>* target = nullptr;  // by group; not a number: not known
  // When it is over, parts are cut no further.
  const internal::SearchTime* time = nullptr;
};

// Throws Error::check when the table as a whole breaks a model.
[[nodiscard]] Recoding mondrian(const ProtectionInput& input, const Models& models,
                                const MondrianOptions& options,
                                Progress& progress = Progress::silent());

}  // namespace pratique::tables
