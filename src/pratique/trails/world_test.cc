#include "pratique/trails/world.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/core/error.h"
#include "pratique/trails/distinct_trails.h"
#include "pratique/trails/reserved.h"
#include "pratique/trails/testing/side_for_test.h"

namespace pratique::trails::world_test {
namespace {

using Trail = std::vector<Location>;

Trail trail_of(std::span<const Location> trail) { return {trail.begin(), trail.end()}; }

TEST(Side, SightingsInAnyOrderAndTwice) {
  const std::vector<Element> elements = {2, 0, 2, 2, 0};
  const std::vector<Location> locations = {3, 1, 0, 3, 2};
  const Side side(4, elements, locations);
  EXPECT_EQ(side.elements(), 4U);
  EXPECT_EQ(side.seen(), 2U);
  EXPECT_EQ(side.sightings(), 4U);
  EXPECT_EQ(trail_of(side.trail(0)), (Trail{1, 2}));
  EXPECT_EQ(trail_of(side.trail(1)), Trail{});
  EXPECT_EQ(trail_of(side.trail(2)), (Trail{0, 3}));
  EXPECT_EQ(side.sizes(4), (std::vector<std::uint64_t>{1, 1, 1, 1}));
}

TEST(Side, RestrictedToSomeLocations) {
  const Side side = restricted(side_of({{0, 1}, {1}, {0, 2}}), {true, false, true});
  EXPECT_EQ(trail_of(side.trail(0)), Trail{0});
  EXPECT_EQ(trail_of(side.trail(1)), Trail{});
  EXPECT_EQ(trail_of(side.trail(2)), (Trail{0, 2}));
}

TEST(DistinctTrails, GroupsEqualTrailsAndLeavesTheEmptyOut) {
  const DistinctTrails groups(side_of({{0, 1}, {}, {2}, {0, 1}, {0}}));
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups.elements(), 4U);
  EXPECT_EQ(trail_of(groups.trail(0)), (Trail{0, 1}));
  EXPECT_EQ(groups.members(0)[0], 0U);
  EXPECT_EQ(groups.members(0)[1], 3U);
  EXPECT_EQ(groups.capacity(1), 1U);
}

TEST(Entropy, SumOverLocations) {
  // Shares 1/2, 1/4 and 1: 1 bit, 0.811 bits and none.
  const World world{3, side_of({{0, 2}, {0, 2}, {1, 2}, {2}}), {}};
  EXPECT_NEAR(entropy_bits(world), 1 + (0.25 * 2 + 0.75 * std::log2(4.0 / 3)), 1e-12);
}

TEST(Reserved, FoundOutFromSizes) {
  const Side large = side_of({{0, 1}, {0}, {1}});
  const Side small = side_of({{0, 1}, {0}});
  const Disclosure none = find_disclosure({2, large, large}, {});
  EXPECT_EQ(none.reserved, Reserved::none);
  EXPECT_EQ(none.complete, (std::vector<bool>{true, true}));
  EXPECT_TRUE(none.assumed);
  const Disclosure samples = find_disclosure({2, large, small}, {});
  EXPECT_EQ(samples.reserved, Reserved::deidentified);
  EXPECT_EQ(samples.complete, (std::vector<bool>{true, false}));
  EXPECT_EQ(find_disclosure({2, small, large}, {}).reserved, Reserved::identified);
  EXPECT_TRUE(find_disclosure({2, small, large}, {}).identified_is_sub());
}

TEST(Reserved, ImpossibleSizesAreRefused) {
  const Side a = side_of({{0}, {0}, {1}});
  const Side b = side_of({{0}, {1}, {1}});
  EXPECT_THROW((void)find_disclosure({2, a, b}, {}), Error);
  const Side fewer = side_of({{0}, {1}});
  EXPECT_THROW((void)find_disclosure({2, a, fewer}, Reserved::none), Error);
  EXPECT_THROW((void)find_disclosure({2, a, fewer}, Reserved::identified), Error);
  EXPECT_FALSE(find_disclosure({2, a, fewer}, Reserved::deidentified).assumed);
  EXPECT_EQ(find_disclosure_of_many({2, a, b}, {}).reserved, Reserved::deidentified);
}

}  // namespace
}  // namespace pratique::trails::world_test
