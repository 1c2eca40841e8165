#include "pratique/tables/metric/ru_map.h"

#include <gtest/gtest.h>

namespace pratique::tables::ru_map_test {
namespace {

RuPoint point(std::uint64_t classes, std::uint64_t smallest, double lm) {
  RuPoint ru_point;
  ru_point.method = "m";
  ru_point.exposure.records = 100;
  ru_point.exposure.classes = classes;
  ru_point.exposure.smallest_class = smallest;
  ru_point.utility.lm = lm;
  return ru_point;
}

// Risks 0.2, 0.1, 0.05, 0.1; utilities 0.9, 0.8, 0.5, 0.7.
std::vector<RuPoint> four() {
  return {point(20, 2, 0.1), point(10, 5, 0.2), point(5, 10, 0.5), point(10, 8, 0.3)};
}

TEST(RuMap, MarksWhatNothingBeats) {
  auto points = four();
  mark_pareto(points);
  EXPECT_TRUE(points[0].pareto);
  EXPECT_TRUE(points[1].pareto);
  EXPECT_TRUE(points[2].pareto);
  EXPECT_FALSE(points[3].pareto);
}

TEST(RuMap, ChoosesWithinBounds) {
  const auto points = four();
  EXPECT_EQ(choose(points, {}, {}), std::nullopt);
  EXPECT_EQ(choose(points, 0.75, {}), 1U);     // utility-bound: least risk
  EXPECT_EQ(choose(points, {}, 1.0 / 5), 1U);  // privacy-bound: most utility
  EXPECT_EQ(choose(points, {}, 1.0 / 8), 3U);
  EXPECT_EQ(choose(points, 0.6, 1.0 / 8), 3U);
  EXPECT_EQ(choose(points, 0.95, 1.0 / 8), std::nullopt);
}

}  // namespace
}  // namespace pratique::tables::ru_map_test
