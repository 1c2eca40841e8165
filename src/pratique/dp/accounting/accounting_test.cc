#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/dp/accounting/privacy_loss.h"
#include "pratique/dp/accounting/zcdp.h"

namespace pratique::dp::accounting_test {
namespace {

PrivacyLoss loss(double epsilon, double delta = 0) {
  return {Epsilon::from(epsilon), Delta::from(delta)};
}

TEST(Epsilon, IsExact) {
  EXPECT_EQ(Epsilon::from(0.1).billionths, 100'000'000U);
  EXPECT_EQ(Epsilon::from(0.3).billionths, 300'000'000U);
  // Ten tenths are one, which floating-point numbers deny.
  Epsilon sum;
  for (int i = 0; i < 10; ++i) sum = sum + Epsilon::from(0.1);
  EXPECT_EQ(sum, Epsilon::from(1));
  EXPECT_EQ(Epsilon::from(1).part_of(3).billionths, 333'333'333U);
  const auto [first, second] = Epsilon::from(1).split(0.25);
  EXPECT_EQ(first, Epsilon::from(0.25));
  EXPECT_EQ(second, Epsilon::from(0.75));
  EXPECT_EQ((Epsilon{2}.split(0).first.billionths), 1U);
  EXPECT_EQ((Epsilon{2}.split(1).first.billionths), 1U);
  for (const double bad : {0.0, -1.0, 1e-10, 1001.0, std::nan("")}) {
    EXPECT_THROW((void)Epsilon::from(bad), Error);
  }
  EXPECT_EQ(Epsilon::from(0.5).over(5).numerator, 1U);
  EXPECT_EQ(Epsilon::from(0.5).over(5).denominator, 10U);
  EXPECT_THROW((void)Epsilon{0}.over(1), Error);
}

TEST(Composition, AddsUpOrTakesTheDearest) {
  const std::vector<PrivacyLoss> losses = {loss(0.1, 1e-6), loss(0.2), loss(0.05, 2e-6)};
  EXPECT_EQ(sequential(losses), loss(0.35, 3e-6));
  EXPECT_EQ(parallel(losses), loss(0.2, 2e-6));
}

TEST(PrivacyFilter, LetsPassWhatFitsToTheLastBillionth) {
  PrivacyFilter filter(loss(1, 1e-6));
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(filter.admit(loss(0.1)));
  EXPECT_FALSE(filter.admit({Epsilon{100'000'001}, {}}));
  EXPECT_FALSE(filter.admit(loss(0.05, 2e-6)));
  EXPECT_TRUE(filter.admit(loss(0.1, 1e-6)));
  EXPECT_EQ(filter.left(), PrivacyLoss{});
  EXPECT_FALSE(filter.admit({Epsilon{1}, {}}));
  EXPECT_EQ(filter.spent(), loss(1, 1e-6));
}

TEST(ChooseEpsilon, IsTheLargestBelowTheCorollary) {
  // ln 2 = 0.693147180..., -ln 0.5 is the same; -ln 0.9 = 0.105360515...
  EXPECT_EQ(choose_epsilon(0.5, 2, 1).billionths, 693'147'180U);
  EXPECT_EQ(choose_epsilon(0.9, 2, 1).billionths, 105'360'515U);
  EXPECT_EQ(choose_epsilon(0.01, 2, 100).billionths, 6'931'471U);
  // exp(1)^1 would make ln(factor) = 1: strictly below it.
  EXPECT_LT(choose_epsilon(0.1, std::exp(1.0), 1).value(), 1);
  EXPECT_THROW((void)choose_epsilon(0, 2, 1), Error);
  EXPECT_THROW((void)choose_epsilon(1, 2, 1), Error);
  EXPECT_THROW((void)choose_epsilon(0.5, 1, 1), Error);
  EXPECT_THROW((void)choose_epsilon(0.5, 2, 0), Error);
  EXPECT_THROW((void)choose_epsilon(0.5, 1.0001, 1'000'000), Error);
}

// The privacy of the discrete Gaussian by its definition: the least delta for an epsilon is the sum
// of what exceeds e^epsilon times the neighbour.
double delta_of_gaussian(double variance, double epsilon) {
  const auto weight = [&](double x) { return std::exp(-x * x / (2 * variance)); };
  double total = 0;
  for (int x = -3000; x <= 3000; ++x) total += weight(x);
  double delta = 0;
  for (int x = -3000; x <= 3000; ++x) {
    delta += std::max(0.0, weight(x) - std::exp(epsilon) * weight(x + 1)) / total;
  }
  return delta;
}

TEST(Zcdp, ConversionIsTrueAndTight) {
  for (const double variance : {4.0, 100.0, 2500.0}) {
    const double rho = 1 / (2 * variance);
    for (const double delta : {1e-3, 1e-6, 1e-9}) {
      const double epsilon = epsilon_of_zcdp(rho, delta);
      EXPECT_LE(delta_of_gaussian(variance, epsilon), delta);
      // No worse than Bun and Steinke's own conversion.
      EXPECT_LE(epsilon, rho + 2 * std::sqrt(rho * -std::log(delta)) + 1e-9);
      const double back = zcdp_within(Epsilon::from(epsilon + 1e-8), delta);
      EXPECT_NEAR(back, rho, 1e-4 * rho);
    }
  }
  EXPECT_EQ(epsilon_of_zcdp(0, 1e-6), 0);
  EXPECT_THROW((void)epsilon_of_zcdp(1, 0), Error);
  EXPECT_DOUBLE_EQ(zcdp_of_pure(Epsilon::from(0.2)), 0.02);
}

TEST(ZcdpFilter, NeverPassesItsLimit) {
  ZcdpFilter filter(0.5);
  EXPECT_TRUE(filter.admit(0.3));
  EXPECT_FALSE(filter.admit(0.3));
  EXPECT_FALSE(filter.admit(-0.1));
  EXPECT_TRUE(filter.admit(0.1));
  EXPECT_NEAR(filter.left(), 0.1, 1e-9);
}

}  // namespace
}  // namespace pratique::dp::accounting_test
