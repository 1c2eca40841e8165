#include "pratique/trails/attack/sensitivity.h"

#include <gtest/gtest.h>

namespace pratique::trails::sensitivity_test {
namespace {

// Location 0 has seen everybody, 1 the first two, 2 the first.
World ladder() {
  const std::vector<Element> elements = {0, 1, 2, 0, 1, 0};
  const std::vector<Location> locations = {0, 0, 0, 1, 1, 2};
  const Side side(3, elements, locations);
  return {3, side, side};
}

TEST(Sensitivity, LocationsJoinByRank) {
  const World world = ladder();
  const Disclosure disclosure = find_disclosure(world, {});
  const auto down =
      attack_by_rank(world, disclosure, Algorithm::exact, Rank::down, Progress::silent());
  // {0}: three alike; {0, 1}: two alike and one; all: three different trails.
  ASSERT_EQ(down.size(), 3U);
  EXPECT_EQ(down[0].reidentified, 0U);
  EXPECT_EQ(down[1].reidentified, 1U);
  EXPECT_EQ(down[2].reidentified, 3U);
  EXPECT_EQ(down[0].visitors, 3U);
  const auto up = attack_by_rank(world, disclosure, Algorithm::exact, Rank::up, Progress::silent());
  // {2}: one person, known at once; {1, 2}: two people, two trails.
  EXPECT_EQ(up[0].deidentified, 1U);
  EXPECT_EQ(up[0].reidentified, 1U);
  EXPECT_DOUBLE_EQ(up[1].share(), 1);
  EXPECT_EQ(up[1].deidentified, 2U);
}

TEST(Sensitivity, WithoutOneLocation) {
  const World world = ladder();
  for (const auto algorithm : {Algorithm::complete, Algorithm::incomplete, Algorithm::exact}) {
    const auto points =
        attack_leaving_one_out(world, find_disclosure(world, {}), algorithm, Progress::silent());
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0].deidentified, 2U);  // the third was seen at 0 alone
    EXPECT_EQ(points[0].reidentified, 2U);
    EXPECT_EQ(points[1].reidentified, 1U);
    EXPECT_EQ(points[2].reidentified, 1U);
    EXPECT_EQ(points[2].locations, 2U);
  }
}

}  // namespace
}  // namespace pratique::trails::sensitivity_test
