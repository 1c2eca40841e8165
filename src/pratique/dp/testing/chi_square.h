// Whether counts are those of a distribution: Pearson's statistic, with cells of fewer than ten
// expected put together.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>

namespace pratique::dp::testing {

// How many standard deviations the statistic lies above what it is on average. Tests draw with a
// fixed seed, so that they always give the same; seven would be seen once in 10^9 seeds or so.
inline double excess_of_chi_square(const std::map<std::int64_t, std::uint64_t>& counts,
                                   const std::function<double(std::int64_t)>& probability,
                                   std::uint64_t draws, std::int64_t low, std::int64_t high) {
  double statistic = 0;
  double cells = 0;
  double seen_rest = static_cast<double>(draws);
  double expected_rest = static_cast<double>(draws);
  for (std::int64_t x = low; x <= high; ++x) {
    const double expected = probability(x) * static_cast<double>(draws);
    if (expected < 10) continue;
    const auto at = counts.find(x);
    const double seen = at == counts.end() ? 0 : static_cast<double>(at->second);
    statistic += (seen - expected) * (seen - expected) / expected;
    ++cells;
    seen_rest -= seen;
    expected_rest -= expected;
  }
  if (expected_rest > 5) {
    statistic += (seen_rest - expected_rest) * (seen_rest - expected_rest) / expected_rest;
    ++cells;
  }
  return (statistic - (cells - 1)) / std::sqrt(2 * std::max(1.0, cells - 1));
}

}  // namespace pratique::dp::testing
