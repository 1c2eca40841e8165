#include "pratique/tables/method/randomised_release.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::randomised_release_test {
namespace {

// Every distribution over `values` values whose shares are multiples of 1/steps.
void for_each_prior(std::size_t values, int steps,
                    const std::function<void(const std::vector<double>&)>& visit) {
  std::vector<double> prior(values, 0);
  const std::function<void(std::size_t, int)> fill = [&](std::size_t at, int left) {
    if (at + 1 == values) {
      prior[at] = static_cast<double>(left) / steps;
      visit(prior);
      return;
    }
    for (int take = 0; take <= left; ++take) {
      prior[at] = static_cast<double>(take) / steps;
      fill(at + 1, left - take);
    }
  };
  fill(0, steps);
}

// Bayes by definition, over every prior on the grid, every property and every released value.
struct Belief {
  double before;
  double after;
};
void for_each_belief(const TransitionMatrix& matrix, int steps,
                     const std::function<void(const std::vector<double>&, Belief)>& visit) {
  const std::size_t n = matrix.size();
  for_each_prior(n, steps, [&](const std::vector<double>& prior) {
    for (std::size_t property = 1; property + 1 < (std::size_t{1} << n); ++property) {
      for (std::size_t y = 0; y < n; ++y) {
        double before = 0;
        double joint = 0;
        double released = 0;
        for (std::size_t x = 0; x < n; ++x) {
          const bool holds = (property >> x & 1U) != 0;
          before += holds ? prior[x] : 0;
          joint += holds ? prior[x] * matrix.at(x, y) : 0;
          released += prior[x] * matrix.at(x, y);
        }
        if (released > 0) visit(prior, {before, joint / released});
      }
    }
  });
}

TEST(RandomisedRelease, TheLimitIsThatOfThePaper) {
  // 0.05-to-0.5: 0.5 * 0.95 / (0.05 * 0.5) = 19, the example of Agrawal and Haritsa 2005.
  EXPECT_NEAR(amplification_limit(0.05, 0.5), 19, 1e-12);
  EXPECT_TRUE(limits_breaches(18.99, 0.05, 0.5));
  EXPECT_FALSE(limits_breaches(19.01, 0.05, 0.5));
  EXPECT_TRUE(limits_breaches(gamma_for_breaches(0.05, 0.5), 0.05, 0.5));
  EXPECT_NEAR(gamma_for_breaches(0.05, 0.5), 19, 1e-6);
  EXPECT_THROW((void)amplification_limit(0.5, 0.5), Error);
  EXPECT_THROW((void)amplification_limit(0, 0.5), Error);
  EXPECT_THROW((void)amplification_limit(0.1, 1), Error);
}

TEST(RandomisedRelease, TheOperatorAmplifiesByGamma) {
  for (const std::size_t n : {2U, 3U, 7U}) {
    for (const double gamma : {1.0, 1.5, 19.0}) {
      const GammaDiagonal diagonal(n, gamma);
      const auto matrix = diagonal.matrix();
      double largest = 0;
      for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t a = 0; a < n; ++a) {
          for (std::size_t b = 0; b < n; ++b) {
            largest = std::max(largest, matrix.at(a, y) / matrix.at(b, y));
          }
        }
      }
      EXPECT_NEAR(largest, gamma, 1e-12 * gamma);
      EXPECT_NEAR(amplification(matrix), gamma, 1e-12 * gamma);
    }
  }
  EXPECT_EQ(amplification(TransitionMatrix({{1, 0}, {0.5, 0.5}})),
            std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(amplification(TransitionMatrix({{1, 0}, {1, 0}})), 1);
  EXPECT_THROW(GammaDiagonal(3, 0.5), Error);
}

TEST(RandomisedRelease, NoPriorAndNoPropertyBreaksTheBound) {
  for (const auto& [rho1, rho2] : {std::pair(0.1, 0.5), std::pair(0.2, 0.3), std::pair(0.3, 0.9)}) {
    const auto matrix = GammaDiagonal(4, gamma_for_breaches(rho1, rho2)).matrix();
    double worst = 0;
    for_each_belief(matrix, 10, [&, first = rho1](const std::vector<double>&, Belief belief) {
      if (belief.before <= first + 1e-12) worst = std::max(worst, belief.after);
    });
    EXPECT_LT(worst, rho2);
    // The grid holds the worst prior: the bound is met but for the part in 10^9.
    EXPECT_NEAR(worst, rho2, 1e-6);
  }
}

TEST(RandomisedRelease, ALargerGammaIsABreach) {
  const double limit = amplification_limit(0.1, 0.5);
  const auto matrix = GammaDiagonal(4, 1.01 * limit).matrix();
  bool breach = false;
  for_each_belief(matrix, 10, [&](const std::vector<double>&, Belief belief) {
    breach = breach || (belief.before <= 0.1 + 1e-12 && belief.after > 0.5);
  });
  EXPECT_TRUE(breach);
  EXPECT_FALSE(limits_breaches(1.01 * limit, 0.1, 0.5));
}

TEST(RandomisedRelease, GrowthIsBoundedForAllPriors) {
  // gamma 4: the worst prior is 1/3, which is on the grid, and becomes 2/3.
  EXPECT_NEAR(worst_growth(4), 1.0 / 3, 1e-12);
  EXPECT_NEAR(gamma_for_growth(1.0 / 3), 4, 1e-6);
  EXPECT_TRUE(limits_growth(gamma_for_growth(0.2), 0.2));
  EXPECT_FALSE(limits_growth(1.01 * gamma_for_growth(0.2), 0.2));
  EXPECT_THROW((void)limits_growth(2, 1), Error);
  double most = 0;
  double most_lost = 0;
  for_each_belief(GammaDiagonal(4, 4).matrix(), 12, [&](const std::vector<double>&, Belief belief) {
    most = std::max(most, belief.after - belief.before);
    most_lost = std::max(most_lost, belief.before - belief.after);
  });
  EXPECT_NEAR(most, 1.0 / 3, 1e-12);
  EXPECT_NEAR(most_lost, most, 1e-12);  // either way of writing the definition
}

RC_GTEST_PROP(RandomisedRelease, GrowthOfAKnownPriorIsThatOfTheBestProperty, ()) {
  auto random = any_random();
  const std::size_t n = 2 + random.below(2);
  std::vector<std::vector<double>> rows(n, std::vector<double>(n));
  for (auto& row : rows) {
    double sum = 0;
    for (double& entry : row) sum += entry = 0.05 + random.uniform();
    for (double& entry : row) entry /= sum;
  }
  const TransitionMatrix matrix(rows);
  const double gamma = amplification(matrix);
  double best = 0;
  std::vector<double> current;
  const auto check = [&] {
    if (!current.empty()) RC_ASSERT(std::abs(growth(matrix, current) - best) < 1e-12);
  };
  for_each_belief(matrix, 5, [&](const std::vector<double>& prior, Belief belief) {
    if (prior != current) {
      check();
      current = prior;
      best = 0;
    }
    best = std::max(best, belief.after - belief.before);
    RC_ASSERT(belief.after <= worst_posterior(gamma, belief.before) + 1e-12);
    RC_ASSERT(belief.after - belief.before <= worst_growth(gamma) + 1e-12);
  });
  check();
}

Column skewed(std::size_t n) {
  // Half a, three tenths b, one fifth missing.
  Column column;
  column.name = "c";
  for (std::size_t i = 0; i < n; ++i) {
    column.codes.push_back(column.dictionary.intern(i % 10 < 5 ? "a" : i % 10 < 8 ? "b" : ""));
  }
  return column;
}

std::vector<double> shares(const Column& column) {
  std::vector<double> out;
  for (const auto count : column.counts()) {
    out.push_back(static_cast<double>(count) / static_cast<double>(column.codes.size()));
  }
  return out;
}

TEST(RandomisedRelease, DrawsAsTheMatrixSays) {
  const Column column = skewed(60000);
  SeededNoise noise(11);
  const std::vector<std::string> domain = {"z", "", "b", "a"};
  const Column out = randomised_release(column, 5, noise, domain);
  ASSERT_EQ(out.dictionary.size(), 4U);
  std::vector<double> seen(4, 0);
  double of_b = 0;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (column.text(row) != "b") continue;
    of_b += 1;
    seen[out.codes[row]] += 1;
  }
  // x = 1 / (5 + 4 - 1).
  for (Code code = 0; code < 4; ++code) {
    const double p = domain[code] == "b" ? 0.625 : 0.125;
    EXPECT_NEAR(seen[code] / of_b, p, 5 * std::sqrt(p * (1 - p) / of_b)) << domain[code];
  }
  const std::vector<std::string> too_small = {"a", "b"};
  EXPECT_THROW((void)randomised_release(column, 5, noise, too_small), Error);
}

TEST(Reconstruction, UndoesTheMatrixOnExpectedShares) {
  const std::vector<double> original = {0.5, 0.3, 0.15, 0.05};
  const GammaDiagonal diagonal(4, 3);
  const auto released = diagonal.matrix().released(original);
  const auto closed = diagonal.reconstruct(released);
  const auto likely = reconstruct(diagonal.matrix(), released, 1e-14, 100000);
  const TransitionMatrix skew(
      {{0.7, 0.2, 0.1, 0}, {0.1, 0.8, 0.05, 0.05}, {0, 0.3, 0.6, 0.1}, {0.2, 0.2, 0.1, 0.5}});
  const auto general = reconstruct(skew, skew.released(original), 1e-14, 100000);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(closed[i], original[i], 1e-12);
    EXPECT_NEAR(likely.shares[i], original[i], 1e-6);
    EXPECT_NEAR(general.shares[i], original[i], 1e-6);
  }
  EXPECT_THROW((void)GammaDiagonal(4, 1).reconstruct(released), Error);
  EXPECT_THROW((void)diagonal.reconstruct(std::vector<double>{1}), Error);
}

TEST(Reconstruction, ErrorShrinksWithTheSquareRootOfTheRecords) {
  constexpr double kGamma = 4;
  constexpr int kRuns = 40;
  std::vector<double> closed_error;
  std::vector<double> likely_error;
  SeededNoise noise(2);
  for (const std::size_t n : {500U, 50000U}) {
    const Column column = skewed(n);
    const auto truth = shares(column);
    const GammaDiagonal diagonal(3, kGamma);
    double closed = 0;
    double likely = 0;
    for (int run = 0; run < kRuns; ++run) {
      const auto released = shares(randomised_release(column, kGamma, noise));
      const auto a = diagonal.reconstruct(released);
      const auto b = reconstruct(diagonal.matrix(), released);
      EXPECT_TRUE(b.converged);
      for (std::size_t i = 0; i < truth.size(); ++i) {
        closed += (a[i] - truth[i]) * (a[i] - truth[i]) / kRuns;
        likely += (b.shares[i] - truth[i]) * (b.shares[i] - truth[i]) / kRuns;
      }
    }
    closed_error.push_back(std::sqrt(closed));
    likely_error.push_back(std::sqrt(likely));
    // The variance of a released share is at most 1 / 4n; the inverse stretches it by
    // 1 / ((gamma - 1) x) = 2.
    EXPECT_LT(closed_error.back(), 2 * std::sqrt(3 * 0.25 / static_cast<double>(n)) * 1.5);
  }
  // A hundred times the records: a tenth of the error, within what forty runs can tell.
  EXPECT_LT(closed_error[1], closed_error[0] / 5);
  EXPECT_LT(likely_error[1], likely_error[0] / 5);
}

}  // namespace
}  // namespace pratique::tables::randomised_release_test
