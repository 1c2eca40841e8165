// Classification accuracy: what a model that was trained on the release is worth on originals it
// has not seen.
//
// The learner is naive Bayes over the quasi-identifiers, with Laplace's correction. A released cell
// counts for all its leaves in equal parts. Records are divided by a seeded hash of their group:
// seven in ten train, the rest test, and the same division trains the yardstick on the originals
// themselves. A suppressed record of the training part trains nothing.
#pragma once

#include <cstdint>

#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct ClassificationAccuracy {
  double released = 0;  // trained on the release
  double original = 0;  // trained on the originals
  double majority = 0;  // always the most frequent label of the training part
};

// `label` is a column of the grouped table that is no quasi-identifier.
[[nodiscard]] ClassificationAccuracy classification_accuracy(const ProtectionInput& input,
                                                             const Recoding& recoding,
                                                             const Column& label,
                                                             std::uint64_t seed = 1);

}  // namespace pratique::tables
