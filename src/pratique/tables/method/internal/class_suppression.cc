#include "pratique/tables/method/internal/class_suppression.h"

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/trimming.h"
#include "pratique/tables/method/internal/unsatisfied.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::internal {
namespace {

// Without the records of which the full-domain node that leaves out fewest leaves them out. Where a
// union of classes satisfies the models, the others do so as one class.
Recoding of_those_that_fit(const ProtectionInput& input, const Models& models, const Method& method,
                           const ClassMethod& by, Progress& progress) {
  // It is enough to come near; and the same whatever the machine.
  constexpr std::uint64_t kNodes = 2000;
  const auto node = optimal_node(input, models,
                                 {.suppression = method.suppression,
                                  .metric = LevelMetric::suppressed,
                                  .largest_lattice = kNodes,
                                  .best_effort_nodes = kNodes},
                                 progress);
  if (!node) throw_unsatisfied(input, models);
  const Recoding kept = apply_levels(input, node->levels, models);
  std::vector<std::uint64_t> counts(input.groups(), 0);
  for (std::size_t i = 0; i < kept.groups.size(); ++i) counts[kept.groups[i]] = kept.counts[i];
  ProtectionInput rest = input;
  rest.counts = &counts;
  Recoding recoding = by.run(rest);
  recoding.suppressed = kept.suppressed;
  return recoding;
}

}  // namespace

Protected with_suppression(const ProtectionInput& input, const Models& models, const Method& method,
                           const ClassMethod& by, Progress& progress) {
  if (method.suppression <= 0) return {.recoding = by.run(input)};
  Protected released;
  try {
    released.recoding = by.run(input);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::check_failed) throw;
    released.recoding = of_those_that_fit(input, models, method, by, progress);
  }
  // Cells that became equal would have to be mended again.
  if (need_population(models) || !all_monotone(models)) return released;
  const std::uint64_t out = released.recoding.suppressed;
  const std::uint64_t allowed = most_suppressed(input, method.suppression) - out;
  const auto classes = classes_in(released.recoding);
  const LossSpace space(input, by.style, by.loss);
  const auto loss = [&](const Recoding& recoding) {
    return by.loss == Loss::ncp ? normalized_certainty_penalty(input, recoding)
                                : loss_metric(input, recoding);
  };
  double least = loss(released.recoding);
  // Where cells lose something else than their class's box, more may be worse: then what less
  // suppression would have tried is tried, too.
  for (std::uint64_t most = by.writes_boxes ? allowed : 1; most > 0 && most <= allowed; most *= 2) {
    auto fewer = classes;
    const std::uint64_t trimmed = trim(fewer, input, models, space, most);
    if (trimmed == 0 && by.writes_boxes) break;
    Recoding recoding = by.write(fewer);
    recoding.suppressed = out + trimmed;
    const double loses = loss(recoding);
    if (loses >= least) continue;
    least = loses;
    released.recoding = std::move(recoding);
  }
  return released;
}

}  // namespace pratique::tables::internal
