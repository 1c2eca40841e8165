#include "pratique/dp/clustering/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pratique/crypto/random.h"
#include "pratique/dp/tester/tester.h"

namespace pratique::dp::kmeans_test {
namespace {

std::vector<WeightedPoint> blobs() {
  SeededRandom random(4);
  std::vector<WeightedPoint> points;
  for (int i = 0; i < 6000; ++i) {
    const double x = i % 3 == 0 ? -0.7 : i % 3 == 1 ? 0.1 : 0.8;
    const double y = i % 3 == 1 ? 0.6 : -0.4;
    points.push_back({{x + (random.uniform() - 0.5) / 5, y + (random.uniform() - 0.5) / 5}});
  }
  return points;
}

// Lloyd's rounds by their definition.
std::vector<Point> lloyd(const std::vector<WeightedPoint>& points, std::vector<Point> centres,
                         std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<Point> sums(centres.size(), Point(centres[0].size()));
    std::vector<double> counts(centres.size());
    for (const auto& point : points) {
      std::size_t best = 0;
      double least = 1e9;
      for (std::size_t c = 0; c < centres.size(); ++c) {
        const double distance =
            std::hypot(point.at[0] - centres[c][0], point.at[1] - centres[c][1]);
        if (distance < least) best = c;
        least = std::min(least, distance);
      }
      ++counts[best];
      for (std::size_t d = 0; d < 2; ++d) sums[best][d] += point.at[d];
    }
    for (std::size_t c = 0; c < centres.size(); ++c) {
      for (std::size_t d = 0; d < 2 && counts[c] > 0; ++d) centres[c][d] = sums[c][d] / counts[c];
    }
  }
  return centres;
}

TEST(Kmeans, IsLloydsWhereNoiseIsNone) {
  const auto points = blobs();
  const std::vector<Point> begin = {{-0.5, 0}, {0, 0.2}, {0.5, 0}};
  const auto expected = lloyd(points, begin, 4);
  Noise noise(1);
  const auto found = noisy_kmeans(
      points, begin, {.clusters = 3, .rounds = 4, .epsilon = Epsilon::from(1000)}, noise);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(found[c].rows, 2000, 5);
    for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(found[c].centre[d], expected[c][d], 0.002);
  }
}

TEST(Kmeans, FindsClustersWithNoise) {
  Noise noise(2);
  RandomBits random = noise.phase("centres");
  const auto found = noisy_kmeans(blobs(), first_centres(3, 2, random),
                                  {.clusters = 3, .rounds = 5, .epsilon = Epsilon::from(1)}, noise);
  for (const Point& truth : {Point{-0.7, -0.4}, Point{0.1, 0.6}, Point{0.8, -0.4}}) {
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Cluster& cluster) {
      return std::hypot(cluster.centre[0] - truth[0], cluster.centre[1] - truth[1]) < 0.2;
    }));
  }
}

// Nobody is near the second centre: it must not stay empty. Two clusters that lie far apart are
// told apart wherever centres begin.
TEST(Kmeans, AnEmptyCentreSplitsTheLargestCluster) {
  std::vector<WeightedPoint> points = {{{-0.56, -0.8}, 1000}, {{0.44, 0.8}, 1000}};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Noise noise(seed);
    RandomBits random = noise.phase("centres");
    auto begin =
        seed % 2 == 0 ? first_centres(2, 2, random) : std::vector<Point>{{0, 0}, {0.95, -0.95}};
    const auto found = noisy_kmeans(
        points, std::move(begin), {.clusters = 2, .rounds = 5, .epsilon = Epsilon::from(5)}, noise);
    EXPECT_NEAR(std::abs(found[0].centre[1] - found[1].centre[1]), 1.6, 0.1) << seed;
  }
}

TEST(Kmeans, BoundsAreEnds) {
  const NumberRange bounds{10, 30};
  EXPECT_EQ(scaled(10, bounds), -1);
  EXPECT_EQ(scaled(20, bounds), 0);
  EXPECT_EQ(scaled(1e9, bounds), 1);
  EXPECT_EQ(unscaled(0.5, bounds), 25);
  EXPECT_EQ(scaled(5, {5, 5}), 0);
}

Sampler run_on(std::uint64_t rows_of_one, std::uint64_t max_rows) {
  return [=](std::uint64_t run) {
    std::vector<WeightedPoint> points = {{{-0.5}, 2}, {{0.5}, 2}};
    if (rows_of_one > 0) points.push_back({{0.9}, rows_of_one});
    Noise noise(4 * run + rows_of_one);
    const auto found = noisy_kmeans(
        points, {{-0.4}, {0.4}},
        {.clusters = 2, .rounds = 1, .max_rows = max_rows, .epsilon = Epsilon::from(2)}, noise);
    const auto rows = [](double count) {
      return std::to_string(std::clamp<std::int64_t>(std::llround(count), -6, 10));
    };
    return rows(found[0].rows) + " " + rows(found[1].rows) + (found[1].centre[0] > 0.5 ? "+" : "-");
  };
}

constexpr std::uint64_t kRunsOfKmeans = 2000;

TEST(Kmeans, HoldsOnNeighbours) {
  for (const std::uint64_t rows : {1U, 2U}) {
    EXPECT_TRUE(
        test_privacy({{"a person", run_on(rows, rows), run_on(0, rows)}}, 2, 0, kRunsOfKmeans)
            .holds);
  }
}

// Eight rows of one person under the noise of one.
TEST(Kmeans, ForgottenRowsOfAPersonAreCaught) {
  EXPECT_FALSE(test_privacy({{"a person", run_on(8, 1), run_on(0, 1)}}, 2, 0, kRunsOfKmeans).holds);
}

}  // namespace
}  // namespace pratique::dp::kmeans_test
