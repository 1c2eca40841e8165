#include "pratique/dp/histogram/dawa.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "pratique/crypto/random.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/tester/tester.h"

namespace pratique::dp::dawa_test {
namespace {

using Cells = std::vector<std::int64_t>;

RandomBits seeded(std::uint64_t seed, std::uint64_t stream) {
  return RandomBits(std::make_unique<SeededNoise>(seed, stream));
}

// By the definition, cell by cell.
double deviation(const Cells& cells, std::size_t first, std::size_t length) {
  double sum = 0;
  for (std::size_t i = first; i < first + length; ++i) sum += static_cast<double>(cells[i]);
  double deviations = 0;
  for (std::size_t i = first; i < first + length; ++i) {
    deviations += std::abs(static_cast<double>(cells[i]) - sum / static_cast<double>(length));
  }
  return deviations;
}

TEST(IntervalDeviations, AreThoseOfTheDefinition) {
  SeededRandom random(1);
  for (int round = 0; round < 50; ++round) {
    Cells cells(1 + random.below(40));
    for (auto& cell : cells)
      cell = static_cast<std::int64_t>(random.below(round % 2 == 0 ? 4 : 1000));
    for (std::uint64_t length = 1; length <= cells.size(); length *= 2) {
      const auto found = interval_deviations(cells, length);
      ASSERT_EQ(found.size(), cells.size() - length + 1);
      for (std::size_t first = 0; first < found.size(); ++first) {
        const double exact = kCostGrid * deviation(cells, first, length);
        EXPECT_LE(static_cast<double>(found[first]), exact + 1e-6);
        EXPECT_GT(static_cast<double>(found[first]), exact - 1 - 1e-6);
      }
    }
  }
  EXPECT_TRUE(interval_deviations({1, 2}, 4).empty());
}

// What the noise is scaled by: all lines of four cells of up to 4, each with any row more.
TEST(IntervalDeviations, ARowChangesOneByAtMostTwo) {
  std::int64_t most = 0;
  for (int code = 0; code < 625; ++code) {
    Cells cells;
    for (int i = 0, rest = code; i < 4; ++i, rest /= 5) cells.push_back(rest % 5);
    for (std::size_t at = 0; at < 4; ++at) {
      Cells larger = cells;
      ++larger[at];
      for (const std::uint64_t length : {1U, 2U, 4U}) {
        const auto a = interval_deviations(cells, length);
        const auto b = interval_deviations(larger, length);
        for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
      }
    }
  }
  EXPECT_EQ(most, kCostGrid * 3 / 2);  // 2 (1 - 1/4), reached
  EXPECT_LE(most, 2 * kCostGrid);
}

// Every partition into intervals of 1, 2, 4 and 8 cells.
std::int64_t least_cost(const std::vector<std::vector<std::int64_t>>& costs, std::size_t first) {
  if (first == costs.front().size()) return 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t k = 0; k < costs.size() && first < costs[k].size(); ++k) {
    least = std::min(least, costs[k][first] + least_cost(costs, first + (std::size_t{1} << k)));
  }
  return least;
}

TEST(CheapestPartition, IsTheBestOfAll) {
  SeededRandom random(2);
  for (int round = 0; round < 200; ++round) {
    const std::size_t cells = 1 + random.below(11);
    std::vector<std::vector<std::int64_t>> costs;
    for (std::size_t length = 1; length <= cells; length *= 2) {
      auto& of_length = costs.emplace_back(cells - length + 1);
      for (auto& cost : of_length) cost = static_cast<std::int64_t>(random.below(7)) - 2;
    }
    std::int64_t cost = 0;
    std::size_t first = 0;
    for (const auto length : cheapest_partition(costs)) {
      cost += costs[static_cast<std::size_t>(std::countr_zero(length))][first];
      first += length;
    }
    EXPECT_EQ(first, cells);
    EXPECT_EQ(cost, least_cost(costs, 0));
  }
  // Of equal ones, that with the shorter last interval.
  EXPECT_EQ(cheapest_partition({{1, 1}, {2}}), (std::vector<std::uint64_t>{1, 1}));
}

TEST(Dawa, TellsStepsApartAndKeepsWhatIsEqualTogether) {
  Cells cells(256, 0);
  std::fill(cells.begin() + 64, cells.begin() + 128, 500);
  RandomBits a = seeded(3, 0);
  RandomBits b = seeded(3, 1);
  const auto found = noisy_dawa(cells, 1, Epsilon::from(4), a, b);
  EXPECT_LT(found.intervals.size(), 128U);
  std::uint64_t covered = 0;
  double inside = 0;
  double outside = 0;
  for (const auto& [first, length, count] : found.intervals) {
    EXPECT_EQ(first, covered);
    covered += length;
    const bool within = first >= 64 && first + length <= 128;
    EXPECT_TRUE(within || first + length <= 64 || first >= 128) << first << "+" << length;
    (within ? inside : outside) += count;
  }
  EXPECT_EQ(covered, 256U);
  EXPECT_NEAR(inside, 32'000, 100);
  EXPECT_NEAR(outside, 0, 100);
}

std::string shown(const std::vector<std::uint64_t>& lengths, const Cells& cells,
                  const DiscreteLaplace& noise, RandomBits& random) {
  std::string label = fmt::format("{}:", fmt::join(lengths, ","));
  std::size_t first = 0;
  for (const auto length : lengths) {
    const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(first);
    const std::int64_t sum =
        std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(length), std::int64_t{0});
    label += fmt::format(" {}", std::clamp<std::int64_t>(sum + noise.draw(random), -3, 8) / 3);
    first += length;
  }
  return label;
}

// The partition alone: all of its epsilon is put to the test, and one without noise is caught.
TEST(Dawa, ThePartitionHoldsAndOneOnTrueCostsIsCaught) {
  const Epsilon epsilon = Epsilon::from(1);
  const DiscreteLaplace noise(epsilon.over(1));
  const NoisyPartition partition(1, epsilon, epsilon);
  for (const bool honest : {true, false}) {
    const auto sampler = [&](const Cells& cells, std::uint64_t stream) {
      auto random = std::make_shared<RandomBits>(seeded(7, stream));
      return Sampler([=, &noise, &partition](std::uint64_t) {
        const auto lengths =
            honest ? partition.choose(cells, *random)
                   : cheapest_partition({{kCostGrid, kCostGrid},
                                         {kCostGrid + interval_deviations(cells, 2).front()}});
        return honest ? fmt::format("{}", fmt::join(lengths, ","))
                      : shown(lengths, cells, noise, *random);
      });
    };
    const std::vector<NeighbourPair> pairs = {
        {"2,0", sampler({2, 0}, 1), sampler({1, 0}, 2)},
        {"2,2", sampler({2, 2}, 3), sampler({1, 2}, 4)},
        {"0,1", sampler({0, 1}, 5), sampler({0, 0}, 6)},
    };
    const auto verdict = test_privacy(pairs, 1, 0, 20'000);
    EXPECT_EQ(verdict.holds, honest) << verdict.epsilon_bound;
  }
}

}  // namespace
}  // namespace pratique::dp::dawa_test
