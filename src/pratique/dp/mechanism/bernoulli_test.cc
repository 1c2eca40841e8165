#include "pratique/dp/mechanism/bernoulli.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "pratique/core/error.h"
#include "pratique/crypto/testing/laid_out_noise.h"

namespace pratique::dp::bernoulli_test {
namespace {

// Bytes are taken from the low end of each word.
bool drawn(const ExactProbability& coin, std::deque<std::uint64_t> words) {
  RandomBits random(std::make_unique<LaidOutNoise>(std::move(words)));
  return coin.draw(random);
}

// The word whose bytes, low end first, are the digits of `digits`, high end first.
std::uint64_t in_order_of_bytes(std::uint64_t digits) { return __builtin_bswap64(digits); }

// Digits worked out with 120 decimal places by another program.
TEST(ExactProbability, HasTheDigitsOfTheNumber) {
  struct Known {
    Rational rate;
    std::uint64_t exp_first, exp_second, logistic_first, logistic_second, thrice;
  };
  const Known known[] = {
      {{1, 1},
       0x5e2d58d8b3bcdf1a,
       0xbadec7829054f90d,
       0x44d9585152ea1935,
       0xdae23bc7349ee58b,
       0x864e5b113aff546b},
      {{1, 10},
       0xe7a36ccea959d401,
       0x51e5380f2cede803,
       0x799af6c6b28241e8,
       0x428c89a8d1adb24f,
       0xbb14c4b583a16b54},
      {{1, 1000},
       0xffbe7f2b78d4edd2,
       0x2e4295a3f09843f7,
       0x7fef9db243f665bd,
       0xde19071ded94717c,
       0xbff3b57c527c1ad9},
      {{7, 3},
       0x18d327a69b3be5a8,
       0x9091f41b3ea83993,
       0x16a15c7a94ce4667,
       0x2c2a0b11fc82ed1f,
       0x39b0f1a8691cbca7},
      {{1, 1ULL << 40U},
       0xffffffffff000000,
       0x00007fffffffffd5,
       0x7fffffffffc00000,
       0x5,
       0xbfffffffffcfffff},
  };
  for (const auto& of : known) {
    const auto exp = ExactProbability::exp_minus(of.rate);
    EXPECT_EQ(exp.digits(0), of.exp_first);
    EXPECT_EQ(exp.digits(1), of.exp_second);
    const auto logistic = ExactProbability::logistic(of.rate);
    EXPECT_EQ(logistic.digits(0), of.logistic_first);
    EXPECT_EQ(logistic.digits(1), of.logistic_second);
    EXPECT_EQ(ExactProbability::logistic(of.rate, 3).digits(0), of.thrice);
  }
}

TEST(ExactProbability, ComparesDigitByDigit) {
  const auto coin = ExactProbability::exp_minus({1, 1});  // .5e2d58d8b3bcdf1a badec7829054f90d
  EXPECT_TRUE(drawn(coin, {0x5d}));
  EXPECT_FALSE(drawn(coin, {0x5f}));
  EXPECT_TRUE(drawn(coin, {0x2c5e}));
  EXPECT_FALSE(drawn(coin, {0x2e5e}));
  const std::uint64_t tie = in_order_of_bytes(0x5e2d58d8b3bcdf1a);
  EXPECT_TRUE(drawn(coin, {in_order_of_bytes(0x5e2d58d8b3bcdf19)}));
  EXPECT_FALSE(drawn(coin, {in_order_of_bytes(0x5e2d58d8b3bcdf1b)}));
  EXPECT_TRUE(drawn(coin, {tie, 0xbadec7829054f90c}));
  EXPECT_FALSE(drawn(coin, {tie, 0xbadec7829054f90e}));
  const std::uint64_t third = coin.digits(2);
  EXPECT_TRUE(drawn(coin, {tie, 0xbadec7829054f90d, third - 1}));
  EXPECT_FALSE(drawn(coin, {tie, 0xbadec7829054f90d, third + 1}));
}

TEST(BernoulliExpMinus, IsTrueAsOftenAsItShould) {
  constexpr std::uint64_t kDraws = 400'000;
  struct Case {
    std::uint64_t numerator, denominator;
  };
  for (const auto& [numerator, denominator] :
       {Case{0, 1}, Case{1, 3}, Case{1, 1}, Case{5, 2}, Case{999, 1000}, Case{700, 100}}) {
    RandomBits random(std::make_unique<SeededNoise>(17, numerator));
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
      hits += bernoulli_exp_minus(numerator, denominator, random) ? 1 : 0;
    }
    const double p = std::exp(-static_cast<double>(numerator) / static_cast<double>(denominator));
    EXPECT_NEAR(static_cast<double>(hits), p * kDraws, 6 * std::sqrt(p * (1 - p) * kDraws) + 1e-9)
        << numerator << "/" << denominator;
  }
}

TEST(BernoulliExpMinus, TakesWideNumbers) {
  // exp(-2^110 / 2^111) = exp(-1/2)
  constexpr int kDraws = 100'000;
  RandomBits random(std::make_unique<SeededNoise>(5));
  int hits = 0;
  for (int i = 0; i < kDraws; ++i) {
    hits += bernoulli_exp_minus(Wide{1} << 110U, Wide{1} << 111U, random) ? 1 : 0;
  }
  EXPECT_NEAR(hits, std::exp(-0.5) * kDraws, 6 * std::sqrt(0.24 * kDraws));
}

TEST(RandomBits, WideNumbersBelowABound) {
  RandomBits random(std::make_unique<SeededNoise>(3));
  const Wide bound = (Wide{1} << 100U) + 7;
  bool above_half = false;
  for (int i = 0; i < 100; ++i) {
    const Wide draw = random.below_wide(bound);
    ASSERT_TRUE(draw < bound);
    above_half = above_half || draw > bound / 2;
  }
  EXPECT_TRUE(above_half);
}

TEST(Noise, GivesEachPhaseAStreamOfItsOwnAndOnce) {
  Noise seeded(7);
  RandomBits first = seeded.phase("cells");
  RandomBits second = seeded.phase("boxes");
  EXPECT_NE(first.word(), second.word());
  EXPECT_THROW((void)seeded.phase("cells"), std::logic_error);
  EXPECT_FALSE(seeded.is_private());
  Noise again(7);
  EXPECT_EQ(again.phase("boxes").word(), Noise(7).phase("boxes").word());
  Noise secure;
  EXPECT_TRUE(secure.is_private());
  EXPECT_NE(secure.phase("a").word(), Noise().phase("a").word());
}

TEST(Rational, IsInLowestTermsAndRefusesWhatDoesNotFit) {
  const auto half = Rational::quotient(500, 100, 10);
  EXPECT_EQ(half.numerator, 1U);
  EXPECT_EQ(half.denominator, 2U);
  EXPECT_THROW((void)Rational::of(0, 1), Error);
  EXPECT_THROW((void)Rational::of(1, 0), Error);
  EXPECT_THROW((void)Rational::quotient(1, 1ULL << 40U, 1ULL << 40U), Error);
  EXPECT_EQ(Rational::quotient(1ULL << 40U, 1ULL << 41U, 1ULL << 40U).denominator, 1ULL << 41U);
}

}  // namespace
}  // namespace pratique::dp::bernoulli_test
