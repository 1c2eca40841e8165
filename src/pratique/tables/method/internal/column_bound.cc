#include "pratique/tables/method/internal/column_bound.h"

#include <algorithm>
#include <numeric>

#include "pratique/tables/method/internal/search_time.h"

namespace pratique::tables::internal {
namespace {

using Parts = std::vector<std::vector<std::size_t>>;

std::uint64_t levels_of(const ProtectionInput& input, std::size_t column) {
  return static_cast<std::uint64_t>(input.attributes[column].hierarchy->height());
}

// Those with the fewest levels first.
std::vector<std::size_t> columns_by_levels(const ProtectionInput& input) {
  std::vector<std::size_t> order(input.attributes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto of_a = levels_of(input, a);
    const auto of_b = levels_of(input, b);
    return of_a != of_b ? of_a < of_b
                        : input.attributes[a].distinct() < input.attributes[b].distinct();
  });
  return order;
}

// As many columns as there is room for in a lattice of so many nodes, then as many of the others:
// the larger a set is, the more it has to lose.
Parts filled_parts(const ProtectionInput& input, std::uint64_t largest,
                   const std::vector<std::size_t>& order) {
  Parts parts;
  std::uint64_t nodes = largest + 1;
  for (const std::size_t a : order) {
    const auto levels = levels_of(input, a);
    if (nodes > largest / levels) {
      parts.emplace_back();
      nodes = 1;
    }
    parts.back().push_back(a);
    nodes *= levels;
  }
  return parts;
}

std::uint64_t nodes_of(const ProtectionInput& input, const std::vector<std::size_t>& part) {
  std::uint64_t nodes = 1;
  for (const std::size_t a : part) nodes *= levels_of(input, a);
  return nodes;
}

// Parts of about as many nodes, as few of them as lattices of so many nodes allow, but two.
Parts even_parts(const ProtectionInput& input, std::uint64_t largest) {
  auto order = columns_by_levels(input);
  std::reverse(order.begin(), order.end());
  for (std::size_t count = 2; count < order.size(); ++count) {
    Parts parts(count);
    std::vector<std::uint64_t> nodes(count, 1);
    bool fits = true;
    for (const std::size_t a : order) {
      const auto least = std::min_element(nodes.begin(), nodes.end());
      fits = fits && *least <= largest / levels_of(input, a);
      *least *= fits ? levels_of(input, a) : 1;
      parts[static_cast<std::size_t>(least - nodes.begin())].push_back(a);
    }
    if (fits) return parts;
  }
  return filled_parts(input, largest, columns_by_levels(input));
}

// Of as many nodes as these, about, but columns with many levels together: what they have to lose
// grows faster than their number.
Parts sorted_parts(const ProtectionInput& input, const Parts& even) {
  std::uint64_t most = 0;
  for (const auto& part : even) most = std::max(most, nodes_of(input, part));
  auto order = columns_by_levels(input);
  std::reverse(order.begin(), order.end());
  return filled_parts(input, 2 * most, order);
}

// The columns' share of what the best node over each part costs, at least.
double bound_by_parts(const ProtectionInput& input, const Models& models,
                      const OptimalOptions& options, const Parts& parts, const SearchTime& time,
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
    search.for_bound = true;
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
  // Small parts take next to no time. Two of all columns say most, and more in less time where they
  // are of one size; of one that is as large as can be what is proven when time ends counts, too.
  const SearchTime time(options.time_limit, progress);
  const auto order = columns_by_levels(input);
  std::vector<Parts> tried = {filled_parts(input, options.largest_part, order)};
  if (options.time_limit) {
    tried.push_back(even_parts(input, options.largest_lattice));
    tried.push_back(sorted_parts(input, tried.back()));
    tried.push_back(filled_parts(input, options.largest_lattice, order));
  }
  constexpr double kOfWhatIsLeft = 0.7;
  double best = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (tried[i].size() < 2 || (i > 0 && tried[i] == tried[i - 1])) continue;
    const SearchTime share(time.share(i + 1 == tried.size() ? 1 : kOfWhatIsLeft), progress);
    best = std::max(best, bound_by_parts(input, models, options, tried[i], share, progress));
  }
  return best;
}

}  // namespace pratique::tables::internal
