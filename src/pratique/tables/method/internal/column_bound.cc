#include "pratique/tables/method/internal/column_bound.h"

#include <algorithm>
#include <numeric>

#include "pratique/tables/method/internal/search_time.h"

namespace pratique::tables::internal {
namespace {

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

// The columns' share of what the best node over each part costs, at least.
double bound_by_parts(const ProtectionInput& input, const Models& models,
                      const OptimalOptions& options,
                      const std::vector<std::vector<std::size_t>>& parts, const SearchTime& time,
                      Progress& progress) {
  double sum = 0;
  std::size_t left = parts.size();
  for (const auto& part : parts) {
    ProtectionInput some = input;
    some.attributes.clear();
    for (const std::size_t a : part) some.attributes.push_back(input.attributes[a]);
    const double weight = scale_weights(some.attributes);
    OptimalOptions search;
    search.suppression = options.suppression;
    search.metric = options.metric;
    search.step = "bounding the loss";
    search.time_limit = time.share(1 / static_cast<double>(left--));
    const auto best = optimal_node(some, models, search, progress);
    if (!best) return 0;
    sum += best->lower_bound * weight;
  }
  return sum / static_cast<double>(input.attributes.size());
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
  // Larger parts say more, and take longer: by as much, about, as they have more nodes.
  constexpr std::uint64_t kMore = 8;
  const SearchTime time(options.time_limit, progress);
  double best = 0;
  std::size_t fewest = input.attributes.size() + 1;
  for (std::uint64_t largest = options.largest_part; fewest > 2; largest *= kMore) {
    const double before = time.left();
    const auto parts = parts_of(input, largest);
    if (parts.size() < 2) break;
    if (parts.size() < fewest) {
      best = std::max(best, bound_by_parts(input, models, options, parts, time, progress));
      fewest = parts.size();
    }
    const bool in_time = options.time_limit && time.left() > (before - time.left()) * kMore;
    if (!in_time || largest >= options.largest_lattice) break;
  }
  return best;
}

}  // namespace pratique::tables::internal
