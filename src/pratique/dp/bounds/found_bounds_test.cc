#include "pratique/dp/bounds/found_bounds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pratique/dp/tester/tester.h"

namespace pratique::dp::found_bounds_test {
namespace {

RandomBits seeded(std::uint64_t seed, std::uint64_t stream) {
  return RandomBits(std::make_unique<SeededNoise>(seed, stream));
}

using Numbers = std::vector<WeightedNumber>;

FoundBounds found(const Numbers& numbers, double epsilon, std::uint64_t seed = 1) {
  RandomBits a = seeded(seed, 1);
  RandomBits b = seeded(seed, 2);
  return find_bounds(numbers, 1, Epsilon::from(epsilon), a, b);
}

Numbers uniform(int low, int high, std::uint64_t each) {
  Numbers numbers;
  for (int value = low; value <= high; ++value) {
    numbers.push_back({static_cast<double>(value), each});
  }
  return numbers;
}

TEST(Magnitudes, EveryNumberIsInTheBinThatSaysSo) {
  for (const double value : {0.0, 1.0, -1.0, 1.5, 2.0, -2.0, 0.75, 1e-3, -1e9, 123456.0, 1e13}) {
    const auto range = magnitudes_in(magnitude_bin(value));
    EXPECT_LE(range.low, value) << value;
    EXPECT_LE(value, range.high) << value;
    EXPECT_LE(std::abs(range.high - range.low), std::abs(value)) << value;
  }
  EXPECT_EQ(magnitude_bin(1e-9), magnitude_bin(0));
  EXPECT_EQ(magnitude_bin(1e300), magnitude_bins() - 1);
  EXPECT_EQ(magnitude_bin(-1e300), 0U);
  EXPECT_EQ(magnitude_bin(std::nan("")), magnitude_bin(0));
  // In order, and without holes but between 0 and the smallest magnitude.
  for (std::size_t bin = 1; bin < magnitude_bins(); ++bin) {
    const double hole = magnitudes_in(bin).low - magnitudes_in(bin - 1).high;
    EXPECT_TRUE(hole == 0 || hole == std::ldexp(1.0, -16)) << bin;
  }
}

TEST(FoundBounds, HoldAllButAFewAndLittleMore) {
  // Ages 18 to 90, and one who is 10,000,000 years old.
  Numbers ages = uniform(18, 90, 100);
  ages.push_back({1e7, 1});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bounds = found(ages, 1, seed);
    EXPECT_TRUE(bounds.above_noise);
    EXPECT_GE(bounds.range.low, 16) << seed;
    EXPECT_LE(bounds.range.low, 18.0) << seed;
    EXPECT_GE(bounds.range.high, 90) << seed;
    EXPECT_LE(bounds.range.high, 94) << seed;
  }
  const auto signs = found(uniform(-40, 40, 100), 1);
  EXPECT_LE(signs.range.low, -40);
  EXPECT_GE(signs.range.high, 40);
  EXPECT_LE(signs.range.high - signs.range.low, 96);
}

TEST(FoundBounds, SayWhenThereIsNothingToFind) {
  int above = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) above += found({}, 1, seed).above_noise ? 1 : 0;
  EXPECT_LE(above, 10);  // 1 % each
}

TEST(FoundCuts, MakePartsOfAboutAsManyPeople) {
  RandomBits random = seeded(3, 1);
  const auto equal = find_cuts(uniform(0, 99, 1000), {0, 100}, 4, 1, Epsilon::from(1), random);
  ASSERT_EQ(equal.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(equal[i], 25 * static_cast<double>(i), 1.01);
  }
  // Nine in ten are 0: no part can be smaller, and the rest shares the other parts.
  Numbers many = uniform(1, 99, 100);
  many.push_back({0, 90'000});
  const auto cuts = find_cuts(many, {0, 100}, 4, 1, Epsilon::from(1), random);
  ASSERT_EQ(cuts.size(), 4U);
  EXPECT_LT(cuts[1], 1);
  EXPECT_NEAR(cuts[2], 34, 2);
  EXPECT_NEAR(cuts[3], 67, 2);
  EXPECT_EQ(find_cuts(many, {5, 5}, 4, 1, Epsilon::from(1), random).size(), 1U);
}

// One person more, far out: what is told must not tell. True ends would.
TEST(FoundBounds, HoldOnNeighbours) {
  for (const bool honest : {true, false}) {
    const auto sampler = [&](const Numbers& numbers, std::uint64_t offset) {
      return Sampler([=](std::uint64_t run) {
        if (!honest) return fmt::format("{}", numbers.back().value);
        const auto bounds = found(numbers, 1, 2 * run + offset);
        return fmt::format("{} {} {}", bounds.range.low, bounds.range.high, bounds.above_noise);
      });
    };
    const std::vector<NeighbourPair> pairs = {
        {"far", sampler({{3, 12}, {900, 1}}, 0), sampler({{3, 12}}, 1)},
        {"near the threshold", sampler({{3, 12}, {6, 19}}, 0), sampler({{3, 12}, {6, 18}}, 1)}};
    const auto verdict = test_privacy(pairs, 1, 0, 3000);
    EXPECT_EQ(verdict.holds, honest) << verdict.epsilon_bound;
  }
}

// With a large epsilon a count is nearly always exact, and a stray 1 is far above any deviation.
TEST(FoundBounds, AStrayOneOfNoiseIsNobody) {
  Numbers pay = uniform(1000, 1398, 1);
  pay.push_back({1e7, 1});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto bounds = found(pay, 10, seed);
    EXPECT_GE(bounds.range.low, 900) << seed;
    EXPECT_LE(bounds.range.high, 1500) << seed;
  }
}

// Few in each step, and many in all: none of the steps is above noise by itself.
TEST(FoundBounds, PeopleWhoAreSpreadEvenlyAreNotLost) {
  std::vector<WeightedNumber> numbers;
  for (int i = 0; i < 4000; ++i) numbers.push_back({50 + i * 2.2, 1});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomBits a(std::make_unique<SeededNoise>(seed, 1));
    RandomBits b(std::make_unique<SeededNoise>(seed, 2));
    const auto found = find_bounds(numbers, 2, Epsilon::from(0.1), a, b);
    EXPECT_LE(found.range.low, 2100) << seed;
    EXPECT_GE(found.range.high, 6900) << seed;
  }
}

}  // namespace
}  // namespace pratique::dp::found_bounds_test
