#include "pratique/crypto/noise_source.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <map>
#include <set>

#include "pratique/crypto/testing/laid_out_noise.h"

namespace pratique::noise_source_test {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

// The draw for which uniform() is eighths / 8.
std::uint64_t eighth(std::uint64_t eighths) { return eighths << 61U; }

TEST(NoiseSource, BelowThrowsTheIncompleteRunAwayAndNoMore) {
  // 2^64 = 6148914691236517205 * 3 + 1, = 10 * n + 6, and = 1 * (2^63 + 1) + (2^63 - 1).
  const std::map<std::uint64_t, std::uint64_t> incomplete = {
      {1, 0}, {2, 0}, {3, 1}, {10, 6}, {(1ULL << 63U) + 1, (1ULL << 63U) - 1}, {kLargest, 1}};
  for (const auto& [bound, first] : incomplete) {
    for (const std::uint64_t draw : {first, first + 1, kLargest}) {
      LaidOutNoise source({draw, 7});
      EXPECT_EQ(source.below(bound), draw % bound) << bound;
      EXPECT_EQ(source.left(), 1U);
    }
    if (first == 0) continue;
    LaidOutNoise source({first - 1, 0, kLargest, 7});
    EXPECT_EQ(source.below(bound), kLargest % bound) << bound;
    EXPECT_EQ(source.left(), 1U);
  }
}

TEST(NoiseSource, UniformIsFromZeroToJustBelowOne) {
  EXPECT_EQ(LaidOutNoise({0}).uniform(), 0);
  EXPECT_EQ(LaidOutNoise({eighth(3)}).uniform(), 0.375);
  EXPECT_EQ(LaidOutNoise({kLargest}).uniform(), 1 - std::numeric_limits<double>::epsilon() / 2);
  EXPECT_FALSE(LaidOutNoise({eighth(2)}).chance(0.25));
  EXPECT_TRUE(LaidOutNoise({eighth(2) - 1}).chance(0.25));
}

// The polar method by hand: of points of the square [-1, 1)^2 the first within the circle, its
// centre left out, gives x * sqrt(-2 ln s / s), s its squared distance.
TEST(NoiseSource, NormalFollowsThePolarMethod) {
  // x = 1/2, y = 0: s = 1/4.
  EXPECT_NEAR(LaidOutNoise({eighth(6), eighth(4)}).normal(), 1.6651092223153954, 1e-12);
  // x = -1/4, y = 1/2: s = 5/16.
  EXPECT_NEAR(LaidOutNoise({eighth(3), eighth(6)}).normal(), -0.6820999369024104, 1e-12);
  // x = -1, y = -1 lies outside; x = 0, y = -1 on the edge; x = y = 0 in the centre.
  LaidOutNoise source({0, 0, eighth(4), 0, eighth(4), eighth(4), eighth(6), eighth(4), 7});
  EXPECT_NEAR(source.normal(), 1.6651092223153954, 1e-12);
  EXPECT_EQ(source.left(), 1U);
}

TEST(NoiseSource, EveryOrderOfAShuffleIsAsLikely) {
  // Chi-squared with 23 degrees of freedom: 56.9 is exceeded with probability 1e-4.
  SeededNoise source(5);
  std::map<std::array<int, 4>, int> seen;
  constexpr int kDraws = 24'000;
  for (int i = 0; i < kDraws; ++i) {
    std::array<int, 4> items{1, 2, 3, 4};
    source.shuffle(items);
    ++seen[items];
  }
  EXPECT_EQ(seen.size(), 24U);
  double chi = 0;
  for (const auto& [order, count] : seen) chi += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi, 56.9);
}

TEST(NoiseSource, OfTheSystemNeverRepeats) {
  SystemNoise noise;
  SystemNoise other;
  std::set<std::uint64_t> seen;
  // More than two of the blocks that it asks for at once.
  for (int i = 0; i < 1500; ++i) {
    seen.insert(noise.next());
    seen.insert(other.next());
  }
  EXPECT_EQ(seen.size(), 3000U);
  EXPECT_FALSE(seen.contains(0));
}

// A child that went on with its parent's block would draw what the parent draws.
TEST(SystemNoise, ParentAndChildDrawDifferentNumbersAfterAFork) {
  SystemNoise noise;
  (void)noise.next();
  const std::uint64_t generation = fork_generation();
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::uint64_t drawn[] = {noise.next(), fork_generation()};
    _exit(write(pipe_ends[1], drawn, sizeof(drawn)) == sizeof(drawn) ? 0 : 1);
  }
  std::uint64_t of_child[2] = {};
  ASSERT_EQ(read(pipe_ends[0], of_child, sizeof(of_child)), static_cast<ssize_t>(sizeof(of_child)));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  EXPECT_NE(noise.next(), of_child[0]);
  EXPECT_EQ(of_child[1], generation + 1);
  EXPECT_EQ(fork_generation(), generation);
}

}  // namespace
}  // namespace pratique::noise_source_test
