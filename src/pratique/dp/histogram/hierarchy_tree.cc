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

std::vector<std::vector<std::int64_t>> exact_levels(const std::vector<std::int64_t>& counts,
                                                    std::uint64_t branching, unsigned height) {
  std::vector<std::vector<std::int64_t>> levels(height);
  levels.back() = counts;
  for (unsigned level = height - 1; level > 0; --level) {
    const auto& below = levels[level];
    auto& here = levels[level - 1];
    here.assign((below.size() + branching - 1) / branching, 0);
    for (std::size_t i = 0; i < below.size(); ++i) here[i / branching] += below[i];
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

LineEstimate noisy_tree(const std::vector<std::int64_t>& counts, std::uint64_t max_rows,
                        Epsilon epsilon, TreeEstimate estimate, RandomBits& random) {
  const std::uint64_t branching = best_branching(counts.size());
  const unsigned height = height_of(counts.size(), branching);
  const auto exact = exact_levels(counts, branching, height);
  const auto shares = level_shares(height, estimate);
  std::vector<TreeLevel> levels(height);
  LineEstimate result;
  double variance_of_interval = 0;
  for (unsigned level = 0; level < height; ++level) {
    TreeLevel& here = levels[level];
    // Rounded down, so that all levels together take no more than epsilon.
    const DiscreteLaplace noise(share_of(epsilon, shares[level]).over(max_rows));
    result.deviation_of_cell = std::sqrt(noise.variance());
    // An interval is at most 2 (b - 1) nodes per level, or as many taken from one.
    variance_of_interval += noise.variance() * static_cast<double>(branching - 1);
    for (const auto count : exact[level]) {
      here.noisy.push_back(static_cast<double>(count + noise.draw(random)));
    }
    here.estimate = here.noisy;
    here.variance.assign(here.noisy.size(), noise.variance());
  }
  // Up.
  for (unsigned level = height - 1; level > 0; --level) {
    const TreeLevel& below = levels[level];
    TreeLevel& here = levels[level - 1];
    for (std::size_t i = 0; i < here.estimate.size(); ++i) {
      double sum = 0;
      double variance = 0;
      const std::size_t end = std::min(below.estimate.size(), (i + 1) * branching);
      for (std::size_t child = i * branching; child < end; ++child) {
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
  for (unsigned level = 0; level + 1 < height; ++level) {
    const TreeLevel& here = levels[level];
    TreeLevel& below = levels[level + 1];
    for (std::size_t i = 0; i < here.estimate.size(); ++i) {
      const std::size_t begin = i * branching;
      const std::size_t end = std::min(below.estimate.size(), begin + branching);
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
  result.cells = std::move(levels.back().estimate);
  result.deviation_of_interval = std::sqrt(variance_of_interval);
  return result;
}

}  // namespace pratique::dp
