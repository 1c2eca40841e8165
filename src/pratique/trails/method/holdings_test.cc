#include "pratique/trails/method/holdings.h"

#include <gtest/gtest.h>

#include "pratique/crypto/random.h"

namespace pratique::trails::holdings_test {
namespace {

// Elements that are alike side by side, in runs of any length, and elements that are not.
TEST(ElementLocations, IsTheOtherWayRound) {
  SeededRandom random(1);
  for (int world = 0; world < 200; ++world) {
    const std::size_t elements = random.below(120);
    const std::size_t longest = world % 2 == 0 ? 1 : 60;
    std::vector<std::vector<Id>> of(elements);
    LocationLists at(1 + random.below(5));
    for (std::size_t first = 0; first < elements;) {
      const std::size_t end = std::min(elements, first + 1 + random.below(longest));
      std::vector<Id> trail;
      for (Id location = 0; location < at.size(); ++location)
        if (random.chance(0.4)) trail.push_back(location);
      for (; first < end; ++first) {
        of[first] = trail;
        for (const Id location : trail) at[location].push_back(static_cast<Id>(first));
      }
    }
    const ElementLocations locations(at, elements);
    ASSERT_EQ(locations.size(), elements);
    for (std::size_t element = 0; element < elements; ++element) {
      const auto found = locations[element];
      EXPECT_EQ(std::vector<Id>(found.begin(), found.end()), of[element]) << world;
    }
  }
}

}  // namespace
}  // namespace pratique::trails::holdings_test
