// The best full-domain generalisation by any metric that can be measured on a release, exact over
// the whole lattice.
//
// optimal.h is fast because it knows bounds of its metrics before it counts a node. Here nothing is
// known of the metric: every node that may be feasible is made and measured. What rules a node out
// is the models alone: when all are monotone and nothing may be suppressed, or all survive growth,
// a node under one that suppresses too much does so as well.
#pragma once

#include <functional>
#include <optional>

#include "pratique/core/progress.h"
#include "pratique/tables/method/lattice.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

struct ExhaustiveOptions {
  double suppression = 0;
  std::optional<double> time_limit = {};  // seconds
  // The less the better. Called from several threads.
  std::function<double(const Recoding&)> cost;
};

struct ExhaustiveResult {
  Levels levels;
  Recoding recoding;
  double cost = 0;
  bool exact = true;  // false when time ran out
};

// Of equal costs the node that suppresses fewer records, of those the first in lexicographic order.
// Nothing where no node is feasible. Throws Error for a lattice of more than 2^20 nodes.
[[nodiscard]] std::optional<ExhaustiveResult> exhaustive(const ProtectionInput& input,
                                                         const Models& models,
                                                         const ExhaustiveOptions& options,
                                                         Progress& progress = Progress::silent());

}  // namespace pratique::tables
