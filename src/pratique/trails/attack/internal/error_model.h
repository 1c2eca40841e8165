// How likely two trails are to be one person's when lists have errors (Malin 2006, section 10.3.1).
//
// The trails of one side (the copy) are those of the other (the original) with errors. Where a
// person was at a location by the original, the copy has it with probability `seen`; where not,
// with probability `error`, independently over locations. `error` is given. On a complete side
// seen = 1 - error; on an incomplete one it is estimated from the sizes of the location's lists:
//     |copy| = seen * |original| + error * (people - |original|).
// With as many people as originals, those without a copy have the empty one. When there are more
// copies, some people are missing among the originals; such a person was at a location with the
// share of the originals that were.
#pragma once

#include <span>
#include <vector>

#include "pratique/trails/distinct_trails.h"
#include "pratique/trails/reserved.h"

namespace pratique::trails {

class ErrorModel {
 public:
  // `error`: per location, from 0 to 0.5. 0 counts as one in a million: nothing is impossible.
  ErrorModel(const World& world, Reserved reserved, std::span<const double> error);

  [[nodiscard]] bool copy_is_identified() const { return copy_is_identified_; }

  // log P(copy | original), both ascending.
  [[nodiscard]] double log_likelihood(std::span<const Location> copy,
                                      std::span<const Location> original) const;
  // The same for a person missing among the originals.
  [[nodiscard]] double log_likelihood_of_unlisted(std::span<const Location> copy) const;

  // The parts that log_likelihood is the sum of, for those who score many originals at once.
  [[nodiscard]] double log_nothing() const { return log_nothing_; }           // both trails empty
  [[nodiscard]] double log_missed(Location at) const { return missed_[at]; }  // only the original
  [[nodiscard]] double log_spurious(Location at) const { return spurious_[at]; }  // only the copy
  [[nodiscard]] double log_both(Location at) const { return both_[at]; }

 private:
  bool copy_is_identified_;
  double log_nothing_ = 0;
  std::vector<double> missed_;
  std::vector<double> spurious_;
  std::vector<double> both_;
  double unlisted_nothing_ = 0;
  std::vector<double> unlisted_seen_;
};

}  // namespace pratique::trails
