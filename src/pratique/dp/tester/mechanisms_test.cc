#include "pratique/dp/tester/mechanisms.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::dp::mechanisms_test {
namespace {

constexpr std::uint64_t kRuns = 20'000;

TEST(TestedMechanisms, AllHold) {
  for (const auto& mechanism : tested_mechanisms()) {
    // What takes longer has tests of its own: synthesis_test.cc, histogram/histogram_test.cc.
    if (mechanism.runs < kRuns) continue;
    const auto pairs = mechanism.pairs(Epsilon::from(1), mechanism.delta);
    const auto verdict = test_privacy(pairs, 1, mechanism.delta, kRuns);
    EXPECT_TRUE(verdict.holds) << mechanism.name << " " << verdict.epsilon_bound;
    EXPECT_GT(verdict.epsilon_bound, 0.05) << mechanism.name << " was not put to the test";
  }
}

// The same runs cannot be of half the epsilon: the pairs do put each to the test.
TEST(TestedMechanisms, NoneIsTwiceAsPrivateAsItSays) {
  for (const auto& mechanism : tested_mechanisms()) {
    if (mechanism.name == "sparse-vector" || mechanism.name == "exponential" ||
        mechanism.name == "noisy-maximum" || mechanism.runs < kRuns) {
      continue;  // on such small data these lose less than they are charged
    }
    const auto pairs = mechanism.pairs(Epsilon::from(2), mechanism.delta);
    EXPECT_FALSE(test_privacy(pairs, 0.9, mechanism.delta, kRuns).holds) << mechanism.name;
  }
}

TEST(TestedMechanisms, AnUnknownOneIsRefused) {
  EXPECT_THROW((void)tested_mechanism("zzz"), Error);
  EXPECT_EQ(tested_mechanism("laplace").name, "laplace");
}

}  // namespace
}  // namespace pratique::dp::mechanisms_test
