#include "pratique/trails/method/overlooked.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "pratique/trails/testing/allocation_fixture.h"

namespace pratique::trails::overlooked_test {
namespace {

bool has(const std::vector<Id>& list, Id id) {
  return std::binary_search(list.begin(), list.end(), id);
}

// By every way to give the samples of both locations to different people who fit: the most less the
// least people of both whose sample j has and i has not.
std::size_t by_trying(const Holdings& holdings, std::size_t i, std::size_t j) {
  std::vector<Id> samples;
  for (Id sample = 0; sample < holdings.samples; ++sample) {
    if (has(holdings.samples_at[i], sample) || has(holdings.samples_at[j], sample)) {
      samples.push_back(sample);
    }
  }
  std::optional<std::size_t> most;
  std::optional<std::size_t> least;
  std::vector<bool> taken(holdings.people);
  const std::function<void(std::size_t, std::size_t)> give = [&](std::size_t next,
                                                                 std::size_t known) {
    if (next == samples.size()) {
      most = std::max(most.value_or(known), known);
      least = std::min(least.value_or(known), known);
      return;
    }
    const bool at_i = has(holdings.samples_at[i], samples[next]);
    const bool at_j = has(holdings.samples_at[j], samples[next]);
    for (Id person = 0; person < holdings.people; ++person) {
      const bool of_i = has(holdings.people_at[i], person);
      const bool of_j = has(holdings.people_at[j], person);
      if (taken[person] || (at_i && !of_i) || (at_j && !of_j)) continue;
      taken[person] = true;
      give(next + 1, known + (of_i && of_j && at_j && !at_i ? 1 : 0));
      taken[person] = false;
    }
  };
  give(0, 0);
  return *most - *least;
}

TEST(Overlooked, LemmaTwentyIsExact) {
  SeededRandom random(20);
  std::size_t some = 0;
  for (int world = 0; world < 400; ++world) {
    const auto holdings = random_holdings(1 + random.below(6), 2, 0.6, 0.5, random);
    for (const std::size_t i : {0U, 1U}) {
      ASSERT_EQ(overlooked_people(holdings, i, 1 - i), by_trying(holdings, i, 1 - i)) << world;
      some += overlooked_people(holdings, i, 1 - i) > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(some, 50U);
}

TEST(Overlooked, LemmaTwentyOne) {
  SeededRandom random(21);
  for (int world = 0; world < 100; ++world) {
    const auto holdings = random_holdings(20, 5, 0.4, 0, random);
    EXPECT_EQ(overlooked_people(holdings).most, 0U);
  }
}

TEST(Overlooked, AllPairsOfLocations) {
  // Both name 0, 1 and 2; each has one sample, and they may be of any of the three.
  const Holdings holdings{3, 2, {{0, 1, 2}, {0, 1, 2}, {}}, {{0}, {1}, {}}};
  const auto overlooked = overlooked_people(holdings);
  EXPECT_EQ(overlooked.pairs, 2U);
  // All three are common: the sample of j is of one of them, whoever it is.
  EXPECT_EQ(overlooked.most, 0U);
  const Holdings wider{4, 2, {{0, 1, 2}, {0, 1, 2, 3}}, {{0}, {1}}};
  EXPECT_EQ(overlooked_people(wider, 0, 1), 1U);
  EXPECT_EQ(overlooked_people(wider, 1, 0), 0U);
  EXPECT_DOUBLE_EQ(overlooked_people(wider).mean, 0.5);
}

}  // namespace
}  // namespace pratique::trails::overlooked_test
