#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/dp/mechanism/discrete_gaussian.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/mechanism/randomised_response.h"
#include "pratique/dp/mechanism/selection.h"
#include "pratique/dp/mechanism/sparse_vector.h"
#include "pratique/dp/mechanism/threshold_report.h"
#include "pratique/dp/testing/chi_square.h"

namespace pratique::dp::samplers_test {
namespace {

constexpr double kFarAway = 7;

RandomBits seeded(std::uint64_t seed, std::uint64_t stream = 0) {
  return RandomBits(std::make_unique<SeededNoise>(seed, stream));
}

template <class Draw>
std::map<std::int64_t, std::uint64_t> counts_of(std::uint64_t draws, const Draw& draw) {
  std::map<std::int64_t, std::uint64_t> counts;
  for (std::uint64_t i = 0; i < draws; ++i) ++counts[static_cast<std::int64_t>(draw())];
  return counts;
}

const std::vector<Rational> kRates = {{1, 100}, {1, 10}, {1, 3}, {1, 2}, {1, 1}, {5, 2}, {4, 1}};

TEST(Geometric, HasItsDistribution) {
  constexpr std::uint64_t kDraws = 100'000;
  for (const auto& rate : kRates) {
    RandomBits random = seeded(1, rate.denominator);
    const Geometric geometric(rate);
    const auto counts = counts_of(kDraws, [&] { return geometric.draw(random); });
    const double q = std::exp(-rate.value());
    EXPECT_LT(
        testing::excess_of_chi_square(
            counts, [q](std::int64_t x) { return (1 - q) * std::pow(q, x); }, kDraws, 0, 5000),
        kFarAway)
        << rate.value();
  }
}

TEST(Geometric, ReachesFarWithASmallRate) {
  // P(X > 1 / rate) = 1/e
  const Rational rate{1, 1ULL << 40U};
  const Geometric geometric(rate);
  RandomBits random = seeded(2);
  constexpr int kDraws = 20'000;
  int beyond = 0;
  std::uint64_t odd = 0;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t draw = geometric.draw(random);
    beyond += draw > (1ULL << 40U) ? 1 : 0;
    odd += draw & 1U;
  }
  EXPECT_NEAR(beyond, kDraws / std::exp(1.0), 6 * std::sqrt(0.24 * kDraws));
  EXPECT_NEAR(static_cast<double>(odd), kDraws / 2.0, 6 * std::sqrt(0.25 * kDraws));
  EXPECT_THROW(Geometric(Rational{1, 1ULL << 47U}), Error);
}

TEST(DiscreteLaplace, HasItsDistributionAndItsFigures) {
  constexpr std::uint64_t kDraws = 100'000;
  for (const auto& rate : kRates) {
    RandomBits random = seeded(3, rate.denominator);
    const DiscreteLaplace laplace(rate);
    const auto counts = counts_of(kDraws, [&] { return laplace.draw(random); });
    const double q = std::exp(-rate.value());
    const auto probability = [q](std::int64_t x) {
      return (1 - q) / (1 + q) * std::pow(q, std::abs(x));
    };
    EXPECT_LT(testing::excess_of_chi_square(counts, probability, kDraws, -5000, 5000), kFarAway)
        << rate.value();
    // By their definitions.
    double variance = 0;
    double magnitude = 0;
    for (std::int64_t x = -6000; x <= 6000; ++x) {
      variance += probability(x) * static_cast<double>(x * x);
      magnitude += probability(x) * static_cast<double>(std::abs(x));
    }
    EXPECT_NEAR(laplace.variance(), variance, 1e-6 * variance);
    EXPECT_NEAR(laplace.mean_magnitude(), magnitude, 1e-6 * magnitude);
    for (const double doubt : {0.5, 0.05, 0.001}) {
      const std::int64_t bound = laplace.bound(doubt);
      double beyond = 1;
      for (std::int64_t x = -bound; x <= bound; ++x) beyond -= probability(x);
      EXPECT_LE(beyond, doubt + 1e-9);
      if (bound > 0) {
        EXPECT_GT(beyond + 2 * probability(bound), doubt);
      }
    }
  }
}

TEST(DiscreteGaussian, HasItsDistribution) {
  constexpr std::uint64_t kDraws = 100'000;
  for (const auto& variance : {Rational{1, 4}, Rational{1, 1}, Rational{37, 8}, Rational{400, 1}}) {
    RandomBits random = seeded(4, variance.numerator);
    const DiscreteGaussian gaussian(variance);
    const auto counts = counts_of(kDraws, [&] { return gaussian.draw(random); });
    double total = 0;
    const auto weight = [&](std::int64_t x) {
      return std::exp(-static_cast<double>(x * x) / (2 * variance.value()));
    };
    for (std::int64_t x = -1000; x <= 1000; ++x) total += weight(x);
    EXPECT_LT(testing::excess_of_chi_square(
                  counts, [&](std::int64_t x) { return weight(x) / total; }, kDraws, -1000, 1000),
              kFarAway)
        << variance.value();
  }
}

TEST(DiscreteGaussian, NoiseForRhoIsNeverTooSmall) {
  for (const double rho : {1e-6, 0.01, 0.125, 0.3, 2.0}) {
    for (const std::uint64_t squared : {1U, 2U, 9U}) {
      const double variance = DiscreteGaussian::variance_for(rho, squared).value();
      EXPECT_LE(static_cast<double>(squared) / (2 * variance), rho);
      EXPECT_GE(static_cast<double>(squared) / (2 * (variance - 2.0 / 64)), rho * 0.999);
    }
  }
  EXPECT_THROW((void)DiscreteGaussian::variance_for(0, 1), Error);
  EXPECT_THROW(DiscreteGaussian({1ULL << 42U, 1}), Error);
}

TEST(ExponentialMechanism, ChoosesByTheScores) {
  constexpr std::uint64_t kDraws = 100'000;
  const std::vector<std::int64_t> scores = {3, -2, 5, 5, 0};
  const Epsilon epsilon = Epsilon::from(0.8);
  RandomBits random = seeded(5);
  const auto counts =
      counts_of(kDraws, [&] { return exponential_mechanism(scores, 2, epsilon, random); });
  double total = 0;
  for (const auto score : scores) total += std::exp(0.8 * static_cast<double>(score) / 4);
  EXPECT_LT(
      testing::excess_of_chi_square(
          counts,
          [&](std::int64_t i) {
            return std::exp(0.8 * static_cast<double>(scores[static_cast<std::size_t>(i)]) / 4) /
                   total;
          },
          kDraws, 0, 4),
      kFarAway);
}

// By summing over the noise of both candidates.
TEST(NoisyMaximum, ChoosesAsItsDefinitionSays) {
  constexpr std::uint64_t kDraws = 100'000;
  const std::vector<std::int64_t> scores = {1, 3};
  RandomBits random = seeded(6);
  const NoisyMaximum maximum(1, Epsilon::from(1));
  const auto counts = counts_of(kDraws, [&] { return maximum.choose(scores, random); });
  const double q = std::exp(-0.5);
  double first = 0;
  for (int a = 0; a < 200; ++a) {
    for (int b = 0; b < 200; ++b) {
      if (1 + a >= 3 + b) first += (1 - q) * std::pow(q, a) * (1 - q) * std::pow(q, b);
    }
  }
  EXPECT_NEAR(static_cast<double>(counts.at(0)), first * kDraws, 6 * std::sqrt(0.25 * kDraws));
  EXPECT_THROW((void)maximum.choose({}, random), Error);
}

TEST(RandomisedResponse, LiesAsOftenAsItShould) {
  constexpr std::uint64_t kDraws = 100'000;
  RandomBits random = seeded(7);
  const RandomisedResponse response(4, Epsilon::from(1.5));
  const auto counts = counts_of(kDraws, [&] { return response.draw(2, random); });
  const double all = std::exp(1.5) + 3;
  EXPECT_LT(
      testing::excess_of_chi_square(
          counts, [&](std::int64_t x) { return (x == 2 ? std::exp(1.5) : 1) / all; }, kDraws, 0, 3),
      kFarAway);
  EXPECT_THROW(RandomisedResponse(1, Epsilon::from(1)), Error);
}

TEST(SparseVector, StopsAfterAsManyAsAgreed) {
  const auto rates = SparseVector::rates(1, 2, Epsilon::from(10));
  EXPECT_EQ(rates.threshold.value(), 5);
  EXPECT_EQ(rates.query.value(), 1.25);
  const DiscreteLaplace threshold_noise(rates.threshold);
  const DiscreteLaplace query_noise(rates.query);
  RandomBits random = seeded(8);
  SparseVector sparse(100, 2, threshold_noise, query_noise, random);
  EXPECT_EQ(sparse.ask(0, random), false);
  EXPECT_EQ(sparse.ask(200, random), true);
  EXPECT_EQ(sparse.ask(10, random), false);
  EXPECT_EQ(sparse.ask(300, random), true);
  EXPECT_EQ(sparse.ask(300, random), std::nullopt);
}

TEST(ThresholdReport, TellsALonelyPersonNoMoreOftenThanDelta) {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    for (const std::uint64_t groups : {1U, 5U}) {
      const double delta = 1e-6;
      const ThresholdReport report(groups, Epsilon::from(epsilon), delta);
      // P(1 + X >= T), summed.
      const double q = std::exp(-epsilon / static_cast<double>(groups));
      double told = 0;
      for (std::int64_t x = report.threshold() - 1; x < report.threshold() + 20'000; ++x) {
        told += (1 - q) / (1 + q) * std::pow(q, x);
      }
      EXPECT_LE(static_cast<double>(groups) * told, delta);
      EXPECT_GE(static_cast<double>(groups) * told, delta * q * q * 0.99);
    }
  }
  RandomBits random = seeded(10);
  const ThresholdReport report(1, Epsilon::from(1), 1e-6);
  EXPECT_TRUE(report.report(1'000'000, random).has_value());
  EXPECT_FALSE(report.report(-1'000'000, random).has_value());
  EXPECT_THROW(ThresholdReport(1, Epsilon::from(1), 0), Error);
}

}  // namespace
}  // namespace pratique::dp::samplers_test
