// DAWA (Li, Hay, Miklau and Wang 2014): first a partition of a line of cells into intervals that
// are about uniform, found privately; then the counts of these intervals, by a tree.
//
// Cost. dev(I) is the sum over the cells of an interval I of |count - average of I|: what is lost
// by telling only the sum. A partition costs the sum over its intervals of dev(I) + 1 / epsilon_2,
// the second term for the noise of one more count. Candidates are all intervals whose length is a
// power of 2.
//
// Theorem. Subtract independent geometric noise of rate epsilon_1 / (2 D R) from the cost of every
// candidate, where one row changes dev by at most D = 2 and a person has R rows, and tell the
// partition of least noisy cost, of equal ones the first in a fixed order. This is
// epsilon_1-differentially private, however many candidates there are.
// Proof, for one more row, in cell j (R rows are R such steps, each of epsilon_1 / R). Let P be a
// partition and I its interval with j. Every partition has exactly one interval with j, so between
// neighbours the cost of P rises by at most D, and that of any other falls by at most D; those that
// have I too change just as P does. Fix the noise of all candidates but I. P is told just when the
// noise of I is at least some whole number r (a fixed order decides ties), which a neighbour moves
// by at most 2 D: partitions without I know nothing of its noise, and those with it gain the same
// from it. Geometric noise has P(X >= r + 2 D) >= exp(-rate 2 D) P(X >= r).
// dev changes by at most 2 (1 - 1 / length) with a row: |x_j + 1 - m'| - |x_j - m| by at most
// 1 - 1 / length, as the average moves by 1 / length, and each other cell by 1 / length. Costs are
// whole numbers of 1 / kCostGrid, rounded down; so a row moves one by at most 2 kCostGrid of these.
// Ties: of partitions that cost the same, the one whose last interval is shorter comes first, then
// whose last but one is, and so on: a fixed order, in which dynamic programming finds the first.
//
// Every interval is charged twice the mean of its noise, which all know; otherwise partitions into
// many intervals would gain from it, and from having the best of many candidates.
//
// Counting the intervals costs epsilon_2; a person's rows are in one interval each.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/geometric.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

inline constexpr std::uint64_t kMostDawaCells = std::uint64_t{1} << 17U;
inline constexpr std::int64_t kCostGrid = 256;
inline constexpr double kPartitionShare = 0.25;

// dev of the intervals of this length, by their first cells; in 1 / kCostGrid, rounded down.
[[nodiscard]] std::vector<std::int64_t> interval_deviations(const std::vector<std::int64_t>& counts,
                                                            std::uint64_t length);

// costs[k][i]: of the interval of 2^k cells that begins with cell i. Returns the lengths of the
// partition of least cost, in order.
[[nodiscard]] std::vector<std::uint64_t> cheapest_partition(
    const std::vector<std::vector<std::int64_t>>& costs);

// Made once, used for many lines: the digits of its probabilities take longer to find than to use.
class NoisyPartition {
 public:
  NoisyPartition(std::uint64_t max_rows, Epsilon epsilon_1, Epsilon epsilon_2);
  // The lengths of the intervals, in order.
  [[nodiscard]] std::vector<std::uint64_t> choose(const std::vector<std::int64_t>& exact,
                                                  RandomBits& random) const;

 private:
  Geometric noise_;
  std::int64_t of_interval_;  // what each costs: one more count, and the mean of its noise
};

struct CountedInterval {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
  double count = 0;
};

struct DawaEstimate {
  std::vector<CountedInterval> intervals;
  double deviation_of_interval = 0;  // of the noise of one
};

[[nodiscard]] DawaEstimate noisy_dawa(const std::vector<std::int64_t>& counts,
                                      std::uint64_t max_rows, Epsilon epsilon,
                                      RandomBits& partition_noise, RandomBits& count_noise);

}  // namespace pratique::dp
