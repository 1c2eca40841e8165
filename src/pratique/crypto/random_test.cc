#include "pratique/crypto/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "pratique/crypto/noise_source.h"

namespace pratique::random_test {
namespace {

// xoshiro256++ from the state SHA-256(seed, stream), both as eight bytes, smallest first: computed
// in Python from the paper's definition. A release is repeated by its seed, on any machine and by
// any later version.
TEST(SeededRandom, DrawsWhatItsDefinitionSays) {
  struct Known {
    std::uint64_t seed;
    std::uint64_t stream;
    std::array<std::uint64_t, 3> draws;
  };
  const std::array<Known, 4> known = {
      {{0, 0, {0xe5f28b4d2d50b1e6, 0x09e1f64552bdd226, 0x54a97fc0952aa497}},
       {1, 0, {0x385a78487131d11b, 0x37e87f814bfd5cb3, 0xef1bcbd2f48730be}},
       {0, 1, {0x24ae70998dbda9ab, 0x6e49575564d253c3, 0xf128fe1b98749346}},
       {0x0123456789abcdef,
        0xfedcba9876543210,
        {0xc9ea5104936184ec, 0x63f3038381d816b6, 0x0da99cf6a71a9db7}}}};
  for (const Known& sample : known) {
    SeededRandom random(sample.seed, sample.stream);
    for (const std::uint64_t draw : sample.draws) EXPECT_EQ(random.next(), draw);
  }
}

// Lemire 2019, theorem: floor(x * bound / 2^64), but for x with x * bound mod 2^64 below
// 2^64 mod bound.
TEST(SeededRandom, BelowLeavesOutWhatWouldMakeItUneven) {
  __extension__ using Wide = unsigned __int128;
  const Wide all = static_cast<Wide>(1) << 64U;
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  std::size_t left_out = 0;
  const std::vector<std::uint64_t> bounds = {
      1, 2, 3, 10, 1ULL << 62U, 3ULL << 61U, (1ULL << 63U) + 1, largest - 1, largest};
  for (const std::uint64_t bound : bounds) {
    SeededRandom random(3, bound);
    SeededRandom raw(3, bound);
    for (int i = 0; i < 1000; ++i) {
      Wide product = static_cast<Wide>(raw.next()) * bound;
      while (product % all < all % bound) {
        product = static_cast<Wide>(raw.next()) * bound;
        ++left_out;
      }
      ASSERT_EQ(random.below(bound), static_cast<std::uint64_t>(product / all)) << bound;
    }
  }
  EXPECT_GT(left_out, 100U);
}

TEST(SeededRandom, BetweenReachesBothEnds) {
  SeededRandom random(4);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.between(-2, 1));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-2, -1, 0, 1}));
  EXPECT_EQ(random.between(5, 5), 5);
}

TEST(SeededRandom, EveryOrderOfAShuffleIsAsLikely) {
  // Chi-squared with 23 degrees of freedom: 56.9 is exceeded with probability 1e-4.
  SeededRandom random(6);
  std::map<std::array<int, 4>, int> seen;
  for (int i = 0; i < 24'000; ++i) {
    std::array<int, 4> items{1, 2, 3, 4};
    random.shuffle(items);
    ++seen[items];
  }
  EXPECT_EQ(seen.size(), 24U);
  double chi = 0;
  for (const auto& [order, count] : seen) chi += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi, 56.9);
}

// Of the noise source the method is worked by hand in its own test.
TEST(SeededRandom, NormalIsThatOfTheNoiseSourceMovedAndStretched) {
  SeededRandom random(8);
  SeededNoise noise(8);
  for (int i = 0; i < 1000; ++i) {
    const double standard = noise.normal();
    ASSERT_NEAR(random.normal(3, 5), 3 + 5 * standard, 1e-9);
  }
}

TEST(SeededRandom, SameSeedAndStreamRepeat) {
  SeededRandom a(7, 3);
  SeededRandom b(7, 3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(SeededRandom, StreamsDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t stream = 0; stream < 1000; ++stream) {
    first.insert(SeededRandom(7, stream).next());
  }
  EXPECT_EQ(first.size(), 1000U);
}

TEST(SeededRandom, BelowIsUniform) {
  // Chi-squared with 9 degrees of freedom: 33.7 is exceeded with probability 1e-4.
  SeededRandom random(1);
  std::array<int, 10> seen{};
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) ++seen[random.below(10)];
  double chi = 0;
  for (const int count : seen) chi += std::pow(count - draws / 10.0, 2) / (draws / 10.0);
  EXPECT_LT(chi, 33.7);
}

TEST(SeededRandom, NormalHasItsMoments) {
  SeededRandom random(2);
  constexpr int draws = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = random.normal(5, 2);
    sum += x;
    squares += (x - 5) * (x - 5);
  }
  EXPECT_NEAR(sum / draws, 5, 5 * 2 / std::sqrt(draws));
  EXPECT_NEAR(squares / draws, 4, 0.1);
}

TEST(AliasTable, DrawsInProportion) {
  const std::array<double, 4> weights{1, 0, 6, 3};
  const AliasTable table(weights);
  SeededRandom random(3);
  std::array<int, 4> seen{};
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) ++seen[table.draw(random)];
  EXPECT_EQ(seen[1], 0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(seen[i] / double(draws), weights[i] / 10, 0.01);
}

TEST(AliasTable, DrawsInProportionWhateverTheWeights) {
  const std::vector<std::vector<double>> cases = {
      {5},          {1, 1, 1, 1},          {0, 0, 1},       {1e-3, 1, 1e3},
      {0.1, 0.9},   {3, 1, 1, 1},          {1, 2, 3, 4, 5}, {7, 0, 0, 7, 0.5, 0.25},
      {1, 1, 1, 9}, {2, 2, 2, 1, 1, 1, 3}, {0.5, 1.5, 1}};
  constexpr int kDraws = 40'000;
  for (const auto& weights : cases) {
    const AliasTable table(weights);
    ASSERT_EQ(table.size(), weights.size());
    double total = 0;
    for (const double weight : weights) total += weight;
    SeededRandom random(9);
    std::vector<int> seen(weights.size());
    for (int i = 0; i < kDraws; ++i) ++seen[table.draw(random)];
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double share = weights[i] / total;
      // Four deviations of a count.
      EXPECT_NEAR(seen[i], kDraws * share, 4 * std::sqrt(kDraws * share * (1 - share)) + 1e-9);
    }
  }
}

TEST(AliasTable, WithoutWeightThereIsNothingToDraw) {
  const auto refused = [](const std::vector<double>& weights) {
    try {
      const AliasTable table(weights);
      return false;
    } catch (const std::invalid_argument&) {
      return true;
    }
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({0}));
  EXPECT_TRUE(refused({0, 0}));
  EXPECT_TRUE(refused({std::nan("")}));
  EXPECT_FALSE(refused({0, 1e-300}));
}

TEST(Secure, BytesDiffer) { EXPECT_NE(secure_u64(), secure_u64()); }

TEST(Secure, EveryByteIsDrawn) {
  for (const std::size_t size : {0U, 1U, 7U, 1000U}) {
    std::vector<std::set<std::byte>> seen(size);
    std::vector<std::byte> bytes(size);
    for (int i = 0; i < 40; ++i) {
      secure_bytes(bytes);
      for (std::size_t at = 0; at < size; ++at) seen[at].insert(bytes[at]);
    }
    // 40 draws that give fewer than 10 different bytes: less likely than 1e-30.
    for (const auto& values : seen) EXPECT_GE(values.size(), 10U);
  }
}

TEST(Secure, ASeedIsANumberThatJsonKeeps) {
  std::uint64_t largest = 0;
  for (int i = 0; i < 200; ++i) largest = std::max(largest, draw_seed());
  EXPECT_LT(largest, 1ULL << 53U);
  EXPECT_GE(largest, 1ULL << 52U);  // or 2^-200 happened
}

}  // namespace
}  // namespace pratique::random_test
