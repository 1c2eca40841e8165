#include "pratique/tables/method/internal/column_bound.h"

#include <algorithm>
#include <numeric>

namespace pratique::tables::internal {
namespace {

constexpr double kShareOfTime = 0.2;

// The columns with the most values first, so that each set has some that need generalising.
std::vector<std::vector<std::size_t>> parts_of(const ProtectionInput& input,
                                               std::uint64_t largest) {
  std::vector<std::size_t> order(input.attributes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return input.attributes[a].distinct() > input.attributes[b].distinct();
  });
  std::vector<std::vector<std::size_t>> parts;
  std::uint64_t nodes = largest + 1;
  for (const std::size_t a : order) {
    const auto height = static_cast<std::uint64_t>(input.attributes[a].hierarchy->height());
    if (nodes * height > largest) {
      parts.emplace_back();
      nodes = 1;
    }
    parts.back().push_back(a);
    nodes *= height;
  }
  return parts;
}

}  // namespace

double bound_by_columns(const ProtectionInput& input, const Models& models,
                        const OptimalOptions& options, Progress& progress) {
  const bool by_cells = options.metric == LevelMetric::lm || options.metric == LevelMetric::ncp;
  const bool all_survive = std::all_of(models.begin(), models.end(), [](const auto& model) {
    return model->survives_growth() && !model->needs_everybody();
  });
  if (!by_cells || !all_survive || options.suppressed_cell != 1 || input.attributes.size() < 2) {
    return 0;
  }
  const auto parts = parts_of(input, options.largest_part);
  if (parts.size() < 2) return 0;
  double sum = 0;
  for (const auto& part : parts) {
    ProtectionInput some = input;
    some.attributes.clear();
    for (const std::size_t a : part) some.attributes.push_back(input.attributes[a]);
    OptimalOptions search;
    search.suppression = options.suppression;
    search.metric = options.metric;
    if (options.time_limit) {
      search.time_limit = *options.time_limit * kShareOfTime / static_cast<double>(parts.size());
    }
    const auto best = optimal_node(some, models, search, progress);
    if (!best) return 0;
    sum += best->lower_bound * static_cast<double>(part.size());
  }
  return sum / static_cast<double>(input.attributes.size());
}

}  // namespace pratique::tables::internal
