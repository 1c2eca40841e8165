#include "pratique/verify/internal/supertrails.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pratique::verify::supertrails_test {
namespace {

using Trail = std::vector<Code>;

// By the definition, location by location, below and beyond the 64 of a word.
TEST(Supertrails, AreThoseWithEveryLocationAndNoCompleteOneBeside) {
  std::mt19937 chance(20261117);
  const auto below = [&](std::size_t n) { return chance() % n; };
  for (int world = 0; world < 200; ++world) {
    const std::size_t locations = 1 + below(200);
    const auto draw = [&](std::size_t share) {
      Trail trail;
      for (Code location = 0; location < locations; ++location) {
        if (below(share) == 0) trail.push_back(location);
      }
      return trail;
    };
    std::vector<Trail> trails(1 + below(6));
    for (auto& trail : trails) trail = draw(2);
    const Trail complete = draw(1 + below(8));
    const Supertrails index(trails, locations, complete);
    // A part of one of them, which one need not find by the definition.
    Trail asked = trails[below(trails.size())];
    std::erase_if(asked, [&](Code) { return below(4) == 0; });
    std::vector<std::uint32_t> expected;
    for (std::uint32_t t = 0; t < trails.size(); ++t) {
      const auto has = [](const Trail& trail, Code location) {
        return std::find(trail.begin(), trail.end(), location) != trail.end();
      };
      bool fits = true;
      for (Code location = 0; location < locations; ++location) {
        if (has(asked, location) && !has(trails[t], location)) fits = false;
        if (has(complete, location) && has(trails[t], location) && !has(asked, location))
          fits = false;
      }
      if (fits) expected.push_back(t);
    }
    std::vector<std::uint32_t> matches;
    index.find(asked, matches);
    EXPECT_EQ(matches, expected) << "world " << world;
  }
}

}  // namespace
}  // namespace pratique::verify::supertrails_test
