#include "pratique/genomes/method/perfect_matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"

namespace pratique::genomes::perfect_matching_test {
namespace {

// The least sum of any pairing, by trying all: the first vertex with each of the others.
std::int64_t least_by_brute_force(const DistanceMatrix& distances, std::vector<bool>& taken) {
  const auto free = std::find(taken.begin(), taken.end(), false);
  if (free == taken.end()) return 0;
  const auto first = static_cast<std::size_t>(free - taken.begin());
  taken[first] = true;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t other = first + 1; other < taken.size(); ++other) {
    if (taken[other]) continue;
    taken[other] = true;
    least = std::min(least, distances.at(first, other) + least_by_brute_force(distances, taken));
    taken[other] = false;
  }
  taken[first] = false;
  return least;
}

std::int64_t sum_of(const DistanceMatrix& distances) {
  const auto partners = minimum_perfect_matching(distances, Progress::silent());
  std::int64_t twice = 0;
  for (std::uint32_t v = 0; v < partners.size(); ++v) {
    EXPECT_NE(partners[v], v);
    EXPECT_EQ(partners.at(partners[v]), v);
    twice += distances.at(v, partners[v]);
  }
  return twice / 2;
}

TEST(PerfectMatching, EveryGraphOfFourWithDistancesUpToThree) {
  for (int code = 0; code < 4 * 4 * 4 * 4 * 4 * 4; ++code) {
    DistanceMatrix distances(4);
    int rest = code;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = a + 1; b < 4; ++b, rest /= 4) distances.set(a, b, rest % 4);
    }
    const std::int32_t least =
        std::min({distances.at(0, 1) + distances.at(2, 3), distances.at(0, 2) + distances.at(1, 3),
                  distances.at(0, 3) + distances.at(1, 2)});
    ASSERT_EQ(sum_of(distances), least) << code;
  }
}

TEST(PerfectMatching, IsTheBestOfAllPairingsOfUpToTen) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SeededRandom random(seed);
    const std::size_t size = 2 * (1 + random.below(5));
    // Few values make ties, and with them blossoms.
    const std::int64_t largest = std::vector<std::int64_t>{1, 2, 5, 30, 100000}[seed % 5];
    DistanceMatrix distances(size);
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = a + 1; b < size; ++b)
        distances.set(a, b, static_cast<std::int32_t>(random.between(0, largest)));
    }
    std::vector<bool> taken(size, false);
    ASSERT_EQ(sum_of(distances), least_by_brute_force(distances, taken)) << "seed " << seed;
  }
}

TEST(PerfectMatching, NestedOddCyclesThatAreCheapWithin) {
  // Threes of threes: distance 0 within a three, 1 within nine, 50 else. 18 vertices: of each three
  // one is left, of each nine then three, paired for 1, and one; these two for 50.
  DistanceMatrix distances(18);
  for (std::size_t a = 0; a < 18; ++a) {
    for (std::size_t b = a + 1; b < 18; ++b)
      distances.set(a, b, a / 3 == b / 3 ? 0 : a / 9 == b / 9 ? 1 : 50);
  }
  EXPECT_EQ(sum_of(distances), 52);
}

TEST(PerfectMatching, AnOddNumberIsRefusedAndNobodyIsNobody) {
  EXPECT_THROW((void)minimum_perfect_matching(DistanceMatrix(3), Progress::silent()), Error);
  EXPECT_TRUE(minimum_perfect_matching(DistanceMatrix(0), Progress::silent()).empty());
}

}  // namespace
}  // namespace pratique::genomes::perfect_matching_test
