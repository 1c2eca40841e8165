// k-anonymous versions of one table for one k after the other, each made from what the last one
// left, for searches that try many levels (fusion/fred.h).
//
//   mondrian        The tree of cuts is kept. A cut that was the best of those that leave k records
//                   on both sides is the best of those that leave k + 1, if it is one of them; so
//                   only partitions whose cut leaves too few are cut again. The result is that of
//                   mondrian() for this k.
//   microaggregate  Maximum distance to average vector as in microaggregate.h, over a k-d tree of
//                   the standardised records: it is built once, and every level only takes records
//                   out of it. Nearest and farthest records are found by boxes instead of by
//                   looking at all, and the average is carried along. But for ties between
//                   distances the classes are those of microaggregate() with one bucket.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/core/progress.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

class AnonymisationLevels {
 public:
  enum class Method { microaggregate, mondrian };

  // `input` must live as long.
  AnonymisationLevels(const ProtectionInput& input, Method method);
  ~AnonymisationLevels();
  AnonymisationLevels(const AnonymisationLevels&) = delete;
  AnonymisationLevels& operator=(const AnonymisationLevels&) = delete;

  // k may not be smaller than in the call before. Throws Error::check when the table has fewer
  // records than k.
  [[nodiscard]] Recoding at(std::uint64_t k, Progress& progress = Progress::silent());

 private:
  struct Structure;
  struct Tree;
  struct Neighbours;
  const ProtectionInput& input_;
  std::uint64_t last_ = 1;
  std::unique_ptr<Structure> structure_;
};

}  // namespace pratique::tables
