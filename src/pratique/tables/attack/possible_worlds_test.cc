#include "pratique/tables/attack/internal/possible_worlds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::possible_worlds_test {
namespace {

using internal::count_worlds;
using internal::Deal;
using internal::Worlds;
using internal::WorldsKnown;
using Condition = WorldsKnown::Condition;

constexpr std::uint64_t kEnough = 1'000'000;

// By going through every order of the values.
Worlds by_enumeration(const Deal& deal, const WorldsKnown& known) {
  std::vector<std::size_t> values;
  for (std::size_t v = 0; v < deal.values.size(); ++v)
    values.insert(values.end(), deal.values[v], v);
  Worlds worlds;
  worlds.having.assign(deal.parts.size(), std::vector<long double>(deal.values.size(), 0));
  long double all = 0;
  do {
    std::size_t person = 0;
    std::size_t breaking = 0;
    long double weight = 1;
    std::vector<std::vector<std::uint64_t>> dealt;
    for (std::size_t p = 0; p < deal.parts.size(); ++p) {
      std::vector<std::uint64_t> hand(deal.values.size(), 0);
      for (std::uint64_t i = 0; i < deal.parts[p]; ++i, ++person) {
        ++hand[values[person]];
        if (!known.weights.empty()) weight *= known.weights[p][values[person]];
      }
      if (known.breaks(p, hand)) ++breaking;
      dealt.push_back(std::move(hand));
    }
    all += 1;
    const bool met =
        known.condition == Condition::some ? breaking > 0 : breaking == deal.parts.size();
    if (!met) continue;
    worlds.chance += weight;
    for (std::size_t p = 0; p < dealt.size(); ++p) {
      for (std::size_t v = 0; v < deal.values.size(); ++v)
        worlds.having[p][v] += weight * static_cast<long double>(dealt[p][v]) /
                               static_cast<long double>(deal.parts[p]);
    }
  } while (std::next_permutation(values.begin(), values.end()));
  worlds.chance /= all;
  for (auto& part : worlds.having) {
    for (auto& chance : part) chance /= all;
  }
  return worlds;
}

void expect_same(const Worlds& counted, const Worlds& expected) {
  EXPECT_NEAR(static_cast<double>(counted.chance), static_cast<double>(expected.chance), 1e-12);
  ASSERT_EQ(counted.having.size(), expected.having.size());
  for (std::size_t p = 0; p < expected.having.size(); ++p) {
    for (std::size_t v = 0; v < expected.having[p].size(); ++v)
      EXPECT_NEAR(static_cast<double>(counted.having[p][v]),
                  static_cast<double>(expected.having[p][v]), 1e-12)
          << p << " " << v;
  }
}

TEST(PossibleWorlds, AreThoseOfEnumeration) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SeededRandom random(seed);
    Deal deal;
    std::uint64_t people = 0;
    for (std::size_t p = 1 + random.below(4); p > 0; --p) {
      deal.parts.push_back(1 + random.below(3));
      people += deal.parts.back();
    }
    while (people > 0) {
      deal.values.push_back(1 + random.below(std::min<std::uint64_t>(people, 4)));
      people -= deal.values.back();
    }
    // Any rule at all: which hands break is drawn.
    const std::uint64_t rule = random.below(1U << 20U);
    WorldsKnown known;
    known.breaks = [rule](std::size_t part, std::span<const std::uint64_t> dealt) {
      std::uint64_t mixed = rule + part * 7919;
      for (const auto count : dealt) mixed = mixed * 1'000'003 + count;
      return (mixed >> 3U) % 3 != 0;
    };
    for (const auto condition : {Condition::some, Condition::every}) {
      known.condition = condition;
      std::uint64_t steps = kEnough;
      const auto counted = count_worlds(deal, known, steps);
      ASSERT_TRUE(counted);
      expect_same(*counted, by_enumeration(deal, known));
    }
    for (std::size_t p = 0; p < deal.parts.size(); ++p) {
      known.weights.emplace_back();
      for (std::size_t v = 0; v < deal.values.size(); ++v)
        known.weights.back().push_back(static_cast<double>(random.below(4)) / 3);
    }
    std::uint64_t steps = kEnough;
    const auto weighed = count_worlds(deal, known, steps);
    ASSERT_TRUE(weighed);
    expect_same(*weighed, by_enumeration(deal, known));
  }
}

TEST(PossibleWorlds, HasNoAnswerBeyondItsSteps) {
  const WorldsKnown known{
      .breaks = [](std::size_t, std::span<const std::uint64_t>) { return true; }};
  const Deal deal{.parts = {10, 10, 10, 10}, .values = std::vector<std::uint64_t>(40, 1)};
  std::uint64_t steps = 1000;
  EXPECT_FALSE(count_worlds(deal, known, steps));
  EXPECT_LT(steps, 1000U);
  // More states than a number holds.
  steps = kEnough;
  EXPECT_FALSE(
      count_worlds({.parts = {35, 35}, .values = std::vector<std::uint64_t>(70, 1)}, known, steps));
  steps = kEnough;
  EXPECT_FALSE(count_worlds({.parts = {2, 5000}, .values = {5002}}, known, steps));
}

// 2000 people, of whom 3 are ill, in parts of 3 and 1997: all ill are in the first in one of
// C(2000, 3) worlds.
TEST(PossibleWorlds, KeepsTinyChances) {
  const WorldsKnown known{.condition = Condition::some,
                          .breaks = [](std::size_t, std::span<const std::uint64_t> dealt) {
                            return dealt[0] + dealt[1] == 3 && dealt[0] == 3;
                          }};
  std::uint64_t steps = kEnough;
  const auto worlds = count_worlds({.parts = {3, 1997}, .values = {3, 1997}}, known, steps);
  ASSERT_TRUE(worlds);
  const double expected = 6.0 / (2000.0 * 1999 * 1998);
  EXPECT_NEAR(static_cast<double>(worlds->chance) / expected, 1, 1e-9);
  EXPECT_DOUBLE_EQ(worlds->belief(0, 0), 1);
  EXPECT_DOUBLE_EQ(worlds->belief(1, 0), 0);
}

}  // namespace
}  // namespace pratique::tables::possible_worlds_test
