#include "pratique/crypto/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace pratique::random_test {
namespace {

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

TEST(Secure, BytesDiffer) { EXPECT_NE(secure_u64(), secure_u64()); }

}  // namespace
}  // namespace pratique::random_test
