#include "pratique/trails/trail_figures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/trails/testing/side_for_test.h"

namespace pratique::trails::trail_figures_test {
namespace {

TEST(TrailFigures, VisitsPerElement) {
  // 1, 2, 2, 4 locations: mean 9/4, squares 25/16 + 2/16 + 49/16 = 76/16 over 3.
  const auto figures = visit_figures(side_of({{0}, {0, 1}, {1, 2}, {0, 1, 2, 3}, {}}));
  EXPECT_EQ(figures.elements, 4U);
  EXPECT_EQ(figures.fewest, 1U);
  EXPECT_EQ(figures.most, 4U);
  EXPECT_DOUBLE_EQ(figures.mean, 2.25);
  EXPECT_DOUBLE_EQ(figures.median, 2);
  EXPECT_DOUBLE_EQ(figures.deviation, std::sqrt(4.75 / 3));
  EXPECT_DOUBLE_EQ(visit_figures(side_of({{0}, {0, 1, 2}})).median, 2);
  EXPECT_DOUBLE_EQ(visit_figures(side_of({{0}, {0, 1}, {0, 1, 2, 3}})).median, 2);
  EXPECT_EQ(visit_figures(side_of(std::vector<std::vector<Location>>{})).elements, 0U);
}

TEST(TrailFigures, ATrailReidentifiesOneElement) {
  EXPECT_EQ(most_reidentifiable(100, 3), 7U);
  EXPECT_EQ(most_reidentifiable(5, 3), 5U);
  EXPECT_EQ(most_reidentifiable(100, 3, 2), 14U);
  EXPECT_EQ(most_reidentifiable(5, 0), 0U);
  EXPECT_EQ(most_reidentifiable(7730, 207), 7730U);
}

TEST(TrailFigures, TheProbabilityIsAProduct) {
  // Of four: three at 0, one at 1, four at 2, nobody at 3.
  const auto trails = trail_probabilities(side_of({{0, 2}, {0, 2}, {0, 1, 2}, {2}}), 4);
  ASSERT_EQ(trails.size(), 3U);
  const double both = 0.75 * 0.75;
  EXPECT_EQ(trails[0].elements, 2U);
  EXPECT_EQ(trails[0].visited, 2U);
  EXPECT_NEAR(trails[0].log10_probability, std::log10(both), 1e-12);
  EXPECT_NEAR(trails[0].alone, std::pow(1 - both, 3), 1e-12);
  // {0, 1, 2} and {2} are as probable: 3/4 * 1/4 and 1/4 * 3/4.
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_NEAR(trails[i].log10_probability, std::log10(0.1875), 1e-12);
    EXPECT_NEAR(trails[i].alone, std::pow(1 - 0.1875, 3), 1e-12);
  }
}

// All 2^3 trails over three locations: their probabilities sum to one.
TEST(TrailFigures, ProbabilitiesOfAllTrailsSumToOne) {
  std::vector<std::vector<Location>> all;
  for (unsigned trail = 1; trail < 8; ++trail) {
    std::vector<Location> seen;
    for (Location c = 0; c < 3; ++c) {
      if (((trail >> c) & 1U) != 0) seen.push_back(c);
    }
    all.push_back(seen);
  }
  double sum = 0;
  for (const auto& trail : trail_probabilities(side_of(all), 3)) {
    sum += std::pow(10, trail.log10_probability);
  }
  // Of seven, four were at each location; the empty trail is missing.
  EXPECT_NEAR(sum, 1 - std::pow(3.0 / 7, 3), 1e-12);
}

}  // namespace
}  // namespace pratique::trails::trail_figures_test
