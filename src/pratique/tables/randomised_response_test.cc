#include "pratique/tables/randomised_response.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/random.h"
#include "pratique/tables/table_for_test.h"

namespace pratique::tables {
namespace {

std::vector<double> any_distribution(SeededRandom& random, std::size_t values) {
  std::vector<double> shares(values);
  for (double& share : shares) share = std::pow(random.uniform(), 4);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

// By Bayes, for every predicate over up to five values and every released value.
RC_GTEST_PROP(RandomisedResponse, NoBeliefGetsFartherThanTheBound, ()) {
  SeededRandom random = any_random();
  const auto n = 2 + random.below(4);
  const double rho1 = 0.02 + 0.5 * random.uniform();
  const double rho2 = rho1 + (0.99 - rho1) * (0.05 + 0.9 * random.uniform());
  const double gamma = amplification_bound(rho1, rho2);
  const RandomisedResponse response(n, gamma);
  RC_ASSERT(std::abs(response.amplification() - gamma) < 1e-9 * gamma);
  RC_ASSERT(std::abs(response.intact() + static_cast<double>(n - 1) * response.other() - 1) <
            1e-12);
  const auto prior = any_distribution(random, n);
  for (std::size_t predicate = 1; predicate + 1 < (std::size_t{1} << n); ++predicate) {
    double before = 0;
    for (std::size_t x = 0; x < n; ++x) before += (predicate >> x & 1U) != 0 ? prior[x] : 0;
    for (std::size_t y = 0; y < n; ++y) {
      double yes = 0;
      double all = 0;
      for (std::size_t x = 0; x < n; ++x) {
        const double joint = prior[x] * (x == y ? response.intact() : response.other());
        all += joint;
        if ((predicate >> x & 1U) != 0) yes += joint;
      }
      const double after = yes / all;
      if (before <= rho1) RC_ASSERT(after <= rho2 + 1e-12);
      RC_ASSERT(after <= largest_posterior(gamma, before) + 1e-12);
      RC_ASSERT(after - before <= largest_growth(gamma) + 1e-12);
    }
  }
}

TEST(RandomisedResponse, TheBoundsAreReached) {
  // 0.1 to 0.5: 0.5 * 0.9 / (0.1 * 0.5).
  EXPECT_NEAR(amplification_bound(0.1, 0.5), 9, 1e-12);
  EXPECT_NEAR(largest_posterior(9, 0.1), 0.5, 1e-12);
  EXPECT_NEAR(largest_growth(9), 0.5, 1e-12);  // at a prior of 1/4: 3/4
  EXPECT_NEAR(largest_posterior(9, 0.25) - 0.25, 0.5, 1e-12);
  EXPECT_NEAR(amplification_bound_of_growth(0.5), 9, 1e-12);
  // Few of 15,000 codes stay what they were.
  EXPECT_NEAR(RandomisedResponse(15000, amplification_bound(0.2, 0.6)).intact(), 4e-4, 1e-6);
}

TEST(RandomisedResponse, WhatIsNoBoundIsRefused) {
  EXPECT_THROW((void)amplification_bound(0.5, 0.1), Error);
  EXPECT_THROW((void)amplification_bound(0, 0.1), Error);
  EXPECT_THROW((void)amplification_bound(0.5, 1), Error);
  EXPECT_THROW((void)amplification_bound_of_growth(1), Error);
  EXPECT_THROW((void)RandomisedResponse(1, 2), Error);
  EXPECT_THROW((void)RandomisedResponse(2, 0.5), Error);
}

TEST(RandomisedResponse, DrawsAsItSays) {
  const RandomisedResponse response(5, 4);  // intact 1/2, others 1/8 each
  SeededRandom random(1);
  const std::vector<Code> original(80000, 3);
  const auto drawn = response.perturb(original, [&] { return random.next(); });
  std::vector<double> counts(5, 0);
  for (const Code code : drawn) ++counts.at(code);
  for (Code code = 0; code < 5; ++code) {
    const double p = code == 3 ? 0.5 : 0.125;
    EXPECT_NEAR(counts[code], 80000 * p, 5 * std::sqrt(80000 * p * (1 - p)));
  }
}

TEST(RandomisedResponse, SecureDrawsDiffer) {
  const RandomisedResponse response(1000, 1);
  const std::vector<Code> original(200, 7);
  EXPECT_NE(response.perturb(original), response.perturb(original));
}

// Expected counts, made whole by their size, give the original back.
RC_GTEST_PROP(RandomisedResponse, ReconstructionUndoesTheOperator, ()) {
  SeededRandom random = any_random();
  const auto n = 2 + random.below(6);
  const RandomisedResponse response(n, 1.5 + 10 * random.uniform());
  const auto original = any_distribution(random, n);
  std::vector<std::uint64_t> released;
  for (std::size_t y = 0; y < n; ++y) {
    double expected = 0;
    for (std::size_t x = 0; x < n; ++x) {
      expected += original[x] * (x == y ? response.intact() : response.other());
    }
    released.push_back(static_cast<std::uint64_t>(std::llround(expected * 1e12)));
  }
  const auto unbiased = response.unbiased(released);
  const auto likeliest = response.reconstruct(released);
  for (std::size_t x = 0; x < n; ++x) {
    RC_ASSERT(std::abs(unbiased[x] - original[x]) < 1e-9);
    RC_ASSERT(std::abs(likeliest[x] - original[x]) < 1e-9);
  }
}

// No distribution in small steps around it, or anywhere, explains the released counts better.
RC_GTEST_PROP(RandomisedResponse, TheReconstructionIsTheLikeliest, ()) {
  SeededRandom random = any_random();
  const auto n = 2 + random.below(4);
  const RandomisedResponse response(n, 1.2 + 5 * random.uniform());
  std::vector<std::uint64_t> released;
  for (std::size_t i = 0; i < n; ++i) released.push_back(random.below(20));
  released[0] += 1;
  const auto likelihood = [&](const std::vector<double>& shares) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double p = shares[i] * (response.intact() - response.other()) + response.other();
      sum += static_cast<double>(released[i]) * std::log(p);
    }
    return sum;
  };
  const auto best = response.reconstruct(released);
  RC_ASSERT(std::abs(std::accumulate(best.begin(), best.end(), 0.0) - 1) < 1e-9);
  RC_ASSERT(*std::min_element(best.begin(), best.end()) >= 0);
  for (int attempt = 0; attempt < 50; ++attempt) {
    const auto other = any_distribution(random, n);
    const double step = attempt % 2 == 0 ? 1 : 0.001;
    std::vector<double> mixed(n);
    for (std::size_t i = 0; i < n; ++i) mixed[i] = (1 - step) * best[i] + step * other[i];
    RC_ASSERT(likelihood(mixed) <= likelihood(best) + 1e-9);
  }
}

}  // namespace
}  // namespace pratique::tables
