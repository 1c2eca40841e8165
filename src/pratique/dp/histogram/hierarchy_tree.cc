#include "pratique/dp/histogram/hierarchy_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "pratique/dp/histogram/simplex.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

unsigned height_of(std::uint64_t cells, std::uint64_t branching) {
  unsigned height = 1;
  for (std::uint64_t reach = branching; reach < cells; reach *= branching) ++height;
  return height;
}

// In standard deviations: below it a count is small; so far wanders the sum of noise alone.
constexpr double kSmall = 2.5;
constexpr double kWandering = 2.2;

Epsilon share_of(Epsilon epsilon, double share) {
  return {static_cast<std::uint64_t>(share * static_cast<double>(epsilon.billionths))};
}

// A level of the tree, the leaves last.
struct TreeLevel {
  std::vector<double> noisy;
  std::vector<double> estimate;
  std::vector<double> variance;
};

std::vector<std::vector<std::int64_t>> exact_levels(const TreeShape& shape,
                                                    const std::vector<std::int64_t>& leaves) {
  std::vector<std::vector<std::int64_t>> levels(shape.levels());
  levels.back() = leaves;
  for (std::size_t level = shape.levels() - 1; level > 0; --level) {
    const auto& first_child = shape.first_child[level - 1];
    auto& here = levels[level - 1];
    here.assign(first_child.size() - 1, 0);
    for (std::size_t i = 0; i < here.size(); ++i) {
      for (std::size_t child = first_child[i]; child < first_child[i + 1]; ++child) {
        here[i] += levels[level][child];
      }
    }
  }
  return levels;
}

// Whether these noisy counts, in their order, could be those of nobody: their sum wanders no
// further from 0 than noise does.
bool look_empty(std::span<const double> values, std::span<const char> chosen, double deviation) {
  double sum = 0;
  double furthest = 0;
  double number = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (chosen[i] == 0) continue;
    sum += values[i];
    furthest = std::max(furthest, std::abs(sum));
    ++number;
  }
  return furthest <= kWandering * deviation * std::sqrt(number);
}

// Sets the small counts among siblings to 0, if all of them together look empty. Whether it did.
bool remove_empty(std::span<double> values, double deviation) {
  std::vector<char> small(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) small[i] = values[i] < kSmall * deviation ? 1 : 0;
  if (!look_empty(values, small, deviation)) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (small[i] != 0) values[i] = 0;
  }
  return true;
}

}  // namespace

std::uint64_t best_branching(std::uint64_t cells) {
  std::uint64_t best = std::max<std::uint64_t>(2, cells);
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t branching = 2; branching <= std::max<std::uint64_t>(2, cells); ++branching) {
    const double height = height_of(cells, branching);
    const auto b = static_cast<double>(branching);
    const double error = (b - 1) * height * height * height - 2 * (b + 1) * height * height / 3;
    if (error < least) {
      least = error;
      best = branching;
    }
    if (height == 1) break;  // larger ones are the same tree with more
  }
  return best;
}

std::vector<double> level_shares(unsigned levels, TreeEstimate estimate) {
  std::vector<double> shares(levels, 1.0 / levels);
  if (estimate == TreeEstimate::consistent || levels == 1) return shares;
  double all = 0;
  for (unsigned level = 0; level < levels; ++level) {
    shares[level] = std::pow(kLastToFirst, static_cast<double>(level) / (levels - 1));
    all += shares[level];
  }
  for (double& share : shares) share /= all;
  return shares;
}

TreeShape line_shape(std::uint64_t cells) {
  const std::uint64_t branching = best_branching(cells);
  const unsigned height = height_of(cells, branching);
  TreeShape shape;
  std::uint64_t nodes = cells;
  for (unsigned level = 1; level < height; ++level) {
    const std::uint64_t above = (nodes + branching - 1) / branching;
    std::vector<std::size_t> first_child;
    for (std::uint64_t i = 0; i <= above; ++i)
      first_child.push_back(std::min(nodes, i * branching));
    shape.first_child.insert(shape.first_child.begin(), std::move(first_child));
    nodes = above;
  }
  return shape;
}

TreeCounts noisy_tree(const TreeShape& shape, const std::vector<std::int64_t>& leaves,
                      std::uint64_t max_rows, Epsilon epsilon, TreeEstimate estimate,
                      RandomBits& random) {
  const std::size_t height = shape.levels();
  const auto exact = exact_levels(shape, leaves);
  const auto shares = level_shares(static_cast<unsigned>(height), estimate);
  std::vector<TreeLevel> levels(height);
  TreeCounts result;
  for (std::size_t level = 0; level < height; ++level) {
    TreeLevel& here = levels[level];
    // Rounded down, so that all levels together take no more than epsilon.
    const DiscreteLaplace noise(share_of(epsilon, shares[level]).over(max_rows));
    result.variances.push_back(noise.variance());
    for (const auto count : exact[level]) {
      here.noisy.push_back(static_cast<double>(count + noise.draw(random)));
    }
    here.estimate = here.noisy;
    here.variance.assign(here.noisy.size(), noise.variance());
  }
  // Up.
  for (std::size_t level = height - 1; level > 0; --level) {
    const TreeLevel& below = levels[level];
    const auto& first_child = shape.first_child[level - 1];
    TreeLevel& here = levels[level - 1];
    for (std::size_t i = 0; i < here.estimate.size(); ++i) {
      double sum = 0;
      double variance = 0;
      for (std::size_t child = first_child[i]; child < first_child[i + 1]; ++child) {
        sum += below.estimate[child];
        variance += below.variance[child];
      }
      const double own = here.variance[i];
      here.estimate[i] = (here.noisy[i] * variance + sum * own) / (own + variance);
      here.variance[i] = own * variance / (own + variance);
    }
  }
  // Down.
  if (estimate == TreeEstimate::adaptive) {
    TreeLevel& first = levels.front();
    (void)remove_empty(first.estimate, std::sqrt(first.variance.front()));
  }
  for (std::size_t level = 0; level + 1 < height; ++level) {
    const TreeLevel& here = levels[level];
    const auto& first_child = shape.first_child[level];
    TreeLevel& below = levels[level + 1];
    for (std::size_t i = 0; i < here.estimate.size(); ++i) {
      const std::size_t begin = first_child[i];
      const std::size_t end = first_child[i + 1];
      double missing = here.estimate[i];
      double variance = 0;
      for (std::size_t child = begin; child < end; ++child) {
        missing -= below.estimate[child];
        variance += below.variance[child];
      }
      for (std::size_t child = begin; child < end; ++child) {
        below.estimate[child] += missing * below.variance[child] / variance;
      }
      if (estimate == TreeEstimate::adaptive) {
        const auto children = std::span(below.estimate).subspan(begin, end - begin);
        (void)remove_empty(children, std::sqrt(below.variance[begin]));
        project_to_simplex(children, here.estimate[i]);
      }
    }
  }
  result.leaves = std::move(levels.back().estimate);
  return result;
}

double variance_over(const TreeShape& shape, const std::vector<double>& variances,
                     std::vector<char> leaves) {
  double variance = 0;
  std::vector<char> below = std::move(leaves);
  for (std::size_t level = shape.levels() - 1; level > 0; --level) {
    const auto& first_child = shape.first_child[level - 1];
    std::vector<char> here(first_child.size() - 1);
    for (std::size_t i = 0; i < here.size(); ++i) {
      std::size_t chosen = 0;
      for (std::size_t child = first_child[i]; child < first_child[i + 1]; ++child) {
        chosen += below[child] != 0 ? 1 : 0;
      }
      here[i] = chosen == first_child[i + 1] - first_child[i] ? 1 : 0;
      if (here[i] == 0) variance += variances[level] * static_cast<double>(chosen);
    }
    below = std::move(here);
  }
  for (const char chosen : below) variance += chosen != 0 ? variances.front() : 0;
  return variance;
}

LineEstimate noisy_tree(const std::vector<std::int64_t>& counts, std::uint64_t max_rows,
                        Epsilon epsilon, TreeEstimate estimate, RandomBits& random) {
  auto tree = noisy_tree(line_shape(counts.size()), counts, max_rows, epsilon, estimate, random);
  LineEstimate result{.cells = std::move(tree.leaves),
                      .deviation_of_cell = std::sqrt(tree.variances.back())};
  // An interval is at most 2 (b - 1) nodes per level, or as many taken from one.
  const auto most = static_cast<double>(best_branching(counts.size()) - 1);
  double variance_of_interval = 0;
  for (const double variance : tree.variances) variance_of_interval += variance * most;
  result.variances = std::move(tree.variances);
  result.deviation_of_interval = std::sqrt(variance_of_interval);
  return result;
}

}  // namespace pratique::dp
