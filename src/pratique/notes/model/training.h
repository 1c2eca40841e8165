// Trains a model (tagger.h) on marked notes: CRFsuite maximises the likelihood of the labels given
// the features with a penalty on squares of weights, by L-BFGS (Okazaki 2007), until an iteration
// improves it little. A tenth of the notes is held back to fit the temperature, and to count what
// share of their spans all detectors together find at each threshold.
#pragma once

#include <cstdint>
#include <span>

#include "pratique/core/progress.h"
#include "pratique/notes/model/tagger.h"

namespace pratique::notes {

struct TaggerReport {
  int iterations = 0;
  double f1 = 0;  // on the notes held back
};

[[nodiscard]] Tagger train_tagger(std::span<const Note> notes, std::uint64_t seed,
                                  int most_iterations, TaggerReport& report, Progress& progress);

struct SpanScore {
  std::uint64_t gold = 0, predicted = 0, right = 0;
  void add(const std::vector<Span>& gold_spans, const std::vector<Span>& tagged);
  [[nodiscard]] double f1() const;
};

}  // namespace pratique::notes
