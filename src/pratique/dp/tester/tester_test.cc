// Every liar that the tester must catch, beside the honest mechanism that it resembles.
#include "pratique/dp/tester/tester.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp::tester_test {
namespace {

constexpr std::uint64_t kRuns = 200'000;

// One generator per sampler, so that runs are quick.
Sampler with_stream(std::uint64_t stream, std::function<std::string(RandomBits&)> mechanism) {
  auto random = std::make_shared<RandomBits>(std::make_unique<SeededNoise>(17, stream));
  return [random, mechanism = std::move(mechanism)](std::uint64_t) { return mechanism(*random); };
}

// The mechanism on a data set with one person more, and on the one without.
using Mechanism = std::function<std::string(bool with, RandomBits&)>;

TestVerdict test(const Mechanism& mechanism, double epsilon, double delta = 0) {
  const auto side = [&](bool with) {
    return with_stream(with ? 1 : 2,
                       [mechanism, with](RandomBits& random) { return mechanism(with, random); });
  };
  return test_privacy({{"one person", side(true), side(false)}}, epsilon, delta, kRuns);
}

std::string shown(std::int64_t value) {
  return std::to_string(std::clamp<std::int64_t>(value, -15, 15));
}

TEST(Tester, TheBoundsAreThoseOfClopperAndPearson) {
  // By the definition: the bound p is where P(at least `hits` of n | p) is the doubt.
  const auto at_least = [](std::uint64_t hits, std::uint64_t n, double p) {
    double sum = 0;
    for (std::uint64_t k = hits; k <= n; ++k) {
      sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0)) *
             std::pow(p, k) * std::pow(1 - p, n - k);
    }
    return sum;
  };
  for (const std::uint64_t n : {1U, 10U, 40U}) {
    for (std::uint64_t hits = 1; hits <= n; ++hits) {
      const double bound = lower_bound_of_share(hits, n, 0.01);
      EXPECT_NEAR(at_least(hits, n, bound), 0.01, 1e-6) << hits << " of " << n;
    }
    EXPECT_EQ(lower_bound_of_share(0, n, 0.01), 0);
    EXPECT_EQ(upper_bound_of_share(n, n, 0.01), 1);
    EXPECT_NEAR(std::pow(1 - upper_bound_of_share(0, n, 0.01), static_cast<double>(n)), 0.01, 1e-6);
  }
}

TEST(Tester, PassesAnHonestMechanismAndNearlyReachesItsEpsilon) {
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    const DiscreteLaplace noise(Epsilon::from(epsilon).over(1));
    const auto verdict = test(
        [&](bool with, RandomBits& random) { return shown((with ? 1 : 0) + noise.draw(random)); },
        epsilon);
    EXPECT_TRUE(verdict.holds);
    EXPECT_LE(verdict.epsilon_bound, epsilon);
    EXPECT_GT(verdict.epsilon_bound, epsilon * 0.5);
  }
}

TEST(Tester, CatchesNoiseTooSmallByAFifth) {
  const DiscreteLaplace noise(Epsilon::from(1.25).over(1));
  const auto verdict = test(
      [&](bool with, RandomBits& random) { return shown((with ? 1 : 0) + noise.draw(random)); }, 1);
  EXPECT_FALSE(verdict.holds);
  EXPECT_GT(verdict.epsilon_bound, 1.1);
  EXPECT_LE(verdict.epsilon_bound, 1.25);
}

TEST(Tester, CatchesOneStreamInTwoPhases) {
  const DiscreteLaplace noise(Epsilon::from(0.5).over(1));
  const auto two_phases = [&](bool shared) {
    return [&noise, shared](bool with, RandomBits& random) {
      const std::int64_t first = noise.draw(random);
      // A second generator that begins where the first began draws the same.
      const std::int64_t second = shared ? first : noise.draw(random);
      return shown((with ? 1 : 0) + first) + " " + shown(second);
    };
  };
  EXPECT_FALSE(test(two_phases(true), 1).holds);
  EXPECT_TRUE(test(two_phases(false), 1).holds);
}

TEST(Tester, CatchesTheTrueTotal) {
  const DiscreteLaplace noise(Epsilon::from(1).over(1));
  const auto verdict = test(
      [&](bool with, RandomBits& random) {
        const std::int64_t total = with ? 101 : 100;
        return fmt::format("{} of {}", shown((with ? 1 : 0) + noise.draw(random)), total);
      },
      1);
  EXPECT_FALSE(verdict.holds);
}

TEST(Tester, CatchesSensitivityForgottenForTwoRowsOrTwoGroups) {
  const DiscreteLaplace one(Epsilon::from(1).over(1));
  const DiscreteLaplace two(Epsilon::from(1).over(2));
  for (const auto* noise : {&one, &two}) {
    const auto rows = test(
        [&](bool with, RandomBits& random) { return shown((with ? 2 : 0) + noise->draw(random)); },
        1);
    const auto groups = test(
        [&](bool with, RandomBits& random) {
          const std::int64_t a = (with ? 1 : 0) + noise->draw(random);
          const std::int64_t b = (with ? 1 : 0) + noise->draw(random);
          return shown(a) + " " + shown(b);
        },
        1);
    EXPECT_EQ(rows.holds, noise == &two);
    EXPECT_EQ(groups.holds, noise == &two);
  }
}

// The textbook mechanism: the logarithm of a uniform number, added as floating-point numbers are.
TEST(Tester, CatchesFloatingPointNoiseWhoseLowBitsLeak) {
  const auto verdict = test(
      [&](bool with, RandomBits& random) {
        const double uniform = (static_cast<double>(random.word() >> 11U) + 0.5) * 0x1.0p-53;
        const double noise = (random.coin() ? 1 : -1) * std::log(uniform);
        return label_of((with ? 1 : 0) + noise);
      },
      1);
  EXPECT_FALSE(verdict.holds);
  // The same numbers without their low bits do not.
  const auto rounded = test(
      [&](bool with, RandomBits& random) {
        const double uniform = (static_cast<double>(random.word() >> 11U) + 0.5) * 0x1.0p-53;
        const double noise = (random.coin() ? 1 : -1) * std::log(uniform);
        return shown(std::llround((with ? 1 : 0) + noise));
      },
      1);
  EXPECT_TRUE(rounded.holds);
}

TEST(Tester, CatchesASplitChosenOnTrueCounts) {
  const DiscreteLaplace noise(Epsilon::from(1).over(1));
  // Cells of 2 and 2, or 3 and 2: split where they differ.
  const auto split_on = [&](bool truth) {
    return [&noise, truth](bool with, RandomBits& random) {
      const std::int64_t left = (with ? 3 : 2);
      const std::int64_t right = 2;
      const std::int64_t a = left + noise.draw(random);
      const std::int64_t b = right + noise.draw(random);
      const bool split = truth ? left != right : std::abs(a - b) > 3;
      return split ? shown(a) + "|" + shown(b) : shown(a + b);
    };
  };
  EXPECT_FALSE(test(split_on(true), 1).holds);
  EXPECT_TRUE(test(split_on(false), 1).holds);
}

TEST(Tester, CatchesARefusalThatDependsOnData) {
  const DiscreteLaplace noise(Epsilon::from(1).over(1));
  const auto verdict = test(
      [&](bool with, RandomBits& random) {
        const std::int64_t people = with ? 5 : 4;
        return people < 5 ? std::string("refused") : shown(people + noise.draw(random));
      },
      1);
  EXPECT_FALSE(verdict.holds);
}

TEST(Tester, AllowsDeltaAndNoMore) {
  // Tells the truth in one run of 100.
  const DiscreteLaplace noise(Epsilon::from(1).over(1));
  const Mechanism sometimes = [&](bool with, RandomBits& random) {
    if (random.below(100) == 0) return fmt::format("truth {}", with);
    return shown((with ? 1 : 0) + noise.draw(random));
  };
  EXPECT_FALSE(test(sometimes, 1, 0).holds);
  EXPECT_FALSE(test(sometimes, 1, 0.001).holds);
  EXPECT_TRUE(test(sometimes, 1, 0.0101).holds);
}

}  // namespace
}  // namespace pratique::dp::tester_test
