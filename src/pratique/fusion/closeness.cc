#include "pratique/fusion/closeness.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pratique::fusion {
namespace {

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> rank(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + end - 1) / 2;
    for (std::size_t i = begin; i < end; ++i) rank[order[i]] = shared;
    begin = end;
  }
  return rank;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace

Closeness closeness(const std::vector<double>& truth, const std::vector<double>& estimates) {
  std::vector<double> known;
  std::vector<double> estimated;
  Closeness result;
  double squares = 0;
  double within_5 = 0;
  double within_10 = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    if (std::isnan(truth[row])) continue;
    known.push_back(truth[row]);
    estimated.push_back(estimates[row]);
    const double off = std::abs(estimates[row] - truth[row]);
    squares += off * off;
    within_5 += off <= 0.05 * std::abs(truth[row]) ? 1 : 0;
    within_10 += off <= 0.10 * std::abs(truth[row]) ? 1 : 0;
  }
  result.scored = known.size();
  if (known.empty()) return result;
  const auto rows = static_cast<double>(known.size());
  result.dissimilarity = squares / rows;
  result.within_5_percent = within_5 / rows;
  result.within_10_percent = within_10 / rows;
  result.rank_correlation = correlation(ranks(known), ranks(estimated));
  return result;
}

double dissimilarity_by_groups(const std::vector<double>& truth,
                               const std::vector<std::size_t>& group_of) {
  struct Known {
    double rows = 0;
    double sum = 0;
    void add(double value) {
      ++rows;
      sum += value;
    }
    // Of the others.
    [[nodiscard]] double mean_without(double value) const { return (sum - value) / (rows - 1); }
  };
  Known all;
  std::vector<Known> groups;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    if (std::isnan(truth[row])) continue;
    if (group_of[row] >= groups.size()) groups.resize(group_of[row] + 1);
    groups[group_of[row]].add(truth[row]);
    all.add(truth[row]);
  }
  if (all.rows < 2) return 0;
  double squares = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    const double value = truth[row];
    if (std::isnan(value)) continue;
    const Known& group = groups[group_of[row]];
    const double off = value - (group.rows > 1 ? group : all).mean_without(value);
    squares += off * off;
  }
  return squares / all.rows;
}

double variance_of_known(const std::vector<double>& truth) {
  double rows = 0;
  double sum = 0;
  for (const double value : truth) {
    if (std::isnan(value)) continue;
    sum += value;
    ++rows;
  }
  if (rows == 0) return 0;
  double squares = 0;
  for (const double value : truth) {
    if (!std::isnan(value)) squares += (value - sum / rows) * (value - sum / rows);
  }
  return squares / rows;
}

}  // namespace pratique::fusion
