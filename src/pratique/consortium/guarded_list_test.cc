// Cheats against the thesis's protocol are found as often as its theorems say: measured at small n,
// with intervals that a right rate leaves once in a million runs.
#include "pratique/consortium/guarded_list.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "pratique/crypto/random.h"

namespace pratique::consortium::guarded_list_test {
namespace {

Points some_points(std::size_t count) {
  Points points;
  for (std::size_t i = 0; i < count; ++i)
    points.push_back(Point::hash("record " + std::to_string(i), "test"));
  return points;
}

void expect_rate(std::size_t found, std::size_t tries, double rate) {
  const double expected = rate * static_cast<double>(tries);
  const double deviation = std::sqrt(expected * (1 - rate)) + 1;
  EXPECT_NEAR(static_cast<double>(found), expected, 4.9 * deviation) << tries;
}

// Alice's list, raised and lowered by Sally alone.
struct Sally {
  Scalar good = Scalar::random();
  Scalar bad = Scalar::random();

  Points raise(const Points& points, std::size_t switched) const {
    Points raised;
    for (std::size_t i = 0; i < points.size(); ++i)
      raised.push_back((i < switched ? bad : good) * points[i]);
    return raised;
  }
  // She has to guess which were under the other key.
  Points lower(const Points& points, std::size_t switched) const {
    const auto order = secret_order(points.size());
    Points lowered = points;
    for (std::size_t i = 0; i < points.size(); ++i)
      lowered[order[i]] = (i < switched ? bad : good).inverse() * points[order[i]];
    return lowered;
  }
};

bool switch_is_found(std::size_t records, std::size_t dummies, std::size_t rounds,
                     std::size_t switched) {
  const Sally sally;
  const Scalar alice = Scalar::random();
  GuardedList list(some_points(records), Point::generator(), dummies);
  EXPECT_TRUE(list.take_encrypted(sally.raise(list.blinded(alice), switched)));
  for (std::size_t round = 0; round < rounds; ++round)
    if (!list.is_answered(sally.lower(list.question(), switched), alice)) return true;
  return false;
}

TEST(GuardedList, HonestListsComeBack) {
  for (std::size_t round = 0; round < 5; ++round) EXPECT_FALSE(switch_is_found(5, 3, 2, 0));
  const Sally sally;
  const Scalar alice = Scalar::random();
  const auto records = some_points(6);
  GuardedList list(records, Point::generator(), 4);
  EXPECT_EQ(list.size(), 11U);
  ASSERT_TRUE(list.take_encrypted(sally.raise(list.blinded(alice), 0)));
  const auto submission = list.submission();
  const auto places = list.submitted();
  ASSERT_EQ(submission.size(), 7U);
  EXPECT_EQ(submission[0], (sally.good * alice) * Point::generator());
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(submission[i + 1], (sally.good * alice) * records[places[i]]);
  EXPECT_FALSE(list.take_encrypted(some_points(10)));
}

// Theorem 12: 1 - 1 / C(n, f) in a round, the least at f = 1.
TEST(GuardedList, APartialKeySwitchIsFoundAsOftenAsTheoremTwelveSays) {
  struct Case {
    std::size_t records, dummies, rounds, switched;
    double missed;
  };
  for (const Case& c :
       {Case{2, 0, 1, 1, 1.0 / 3}, Case{2, 1, 1, 2, 1.0 / 6}, Case{2, 1, 1, 3, 1.0 / 4},
        Case{2, 0, 2, 1, 1.0 / 9}, Case{3, 2, 1, 1, 1.0 / 6}}) {
    constexpr std::size_t kTries = 400;
    std::size_t found = 0;
    for (std::size_t i = 0; i < kTries; ++i)
      found += switch_is_found(c.records, c.dummies, c.rounds, c.switched) ? 1 : 0;
    expect_rate(found, kTries, 1 - c.missed);
  }
}

// A switch of the whole list: the owner never finds it, and the authority always does (theorem 11).
TEST(GuardedList, AFullKeySwitchShowsInTheCommonDummy) {
  const Sally sally;
  const Scalar alice = Scalar::random();
  const Scalar bob = Scalar::random();
  const Point common = Point::hash("common", "test");
  GuardedList of_alice(some_points(4), common, 1);
  GuardedList of_bob(some_points(3), common, 2);
  ASSERT_TRUE(of_alice.take_encrypted(multiplied(bob, sally.raise(of_alice.blinded(alice), 100))));
  ASSERT_TRUE(of_bob.take_encrypted(multiplied(alice, sally.raise(of_bob.blinded(bob), 0))));
  EXPECT_NE(of_alice.submission()[0], of_bob.submission()[0]);
}

// Theorem 13: |return| / (|return| + |D|) that one spoiled record is not noticed.
TEST(GuardedList, AGrabAndGoIsFoundAsOftenAsTheoremThirteenSays) {
  const Scalar keys = Scalar::random();
  for (const std::size_t dummies : {1U, 3U, 6U}) {
    const auto returned = multiplied(keys, some_points(3));
    constexpr std::size_t kTries = 400;
    std::size_t found = 0;
    for (std::size_t i = 0; i < kTries; ++i) {
      LockSet set(dummies);
      ASSERT_TRUE(set.take_encrypted(multiplied(keys, set.blinded())));
      const auto locked = set.lock(returned);
      Points decrypted = multiplied(keys.inverse(), locked.mixed);
      const auto spoiled = secure_u64() % decrypted.size();
      decrypted[spoiled] = Scalar::random() * decrypted[spoiled];
      found += honestly_decrypted(decrypted, locked.dummies) ? 0 : 1;
    }
    expect_rate(found, kTries, static_cast<double>(dummies) / static_cast<double>(dummies + 3));
  }
}

TEST(GuardedList, WhatIsUnlockedIsWhatWasReturned) {
  const Scalar keys = Scalar::random();
  const auto records = some_points(5);
  LockSet set(4);
  ASSERT_TRUE(set.take_encrypted(multiplied(keys, set.blinded())));
  const auto locked = set.lock(multiplied(keys, records));
  EXPECT_EQ(locked.mixed.size(), 9U);
  const auto left = honestly_decrypted(multiplied(keys.inverse(), locked.mixed), locked.dummies);
  ASSERT_TRUE(left);
  auto unlocked = multiplied(locked.unlock, *left);
  std::sort(unlocked.begin(), unlocked.end());
  auto expected = records;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(unlocked, expected);
}

// By trying everything that is small.
TEST(GuardPlan, IsTheCheapestThatIsSureEnough) {
  for (const std::uint64_t sites : {2U, 4U})
    for (const std::uint64_t records : {1U, 3U, 10U, 50U})
      for (const double confidence : {0.5, 0.9, 0.99, 0.999}) {
        const auto plan = plan_guards(sites, records, records, confidence);
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (std::uint64_t rounds = 1; rounds <= 12; ++rounds)
          for (std::uint64_t dummies = 0; dummies <= 1100; ++dummies) {
            const double missed =
                std::pow(static_cast<double>(records + dummies + 1), -static_cast<double>(rounds));
            if (missed > 1 - confidence + 1e-12) continue;
            least = std::min(
                least,
                cost_of_guards(sites, records, records, rounds, dummies, plan.lock).bandwidth);
          }
        EXPECT_EQ(plan.bandwidth, least) << sites << " " << records << " " << confidence;
        EXPECT_GE(plan.grab_found + 1e-9, confidence);
        EXPECT_LT(static_cast<double>(plan.lock - 1) / static_cast<double>(plan.lock - 1 + records),
                  confidence);
      }
  // Theorem 13 is weak: one spoiled record among 2,000, unnoticed with 1 %.
  EXPECT_EQ(plan_guards(10, 2000, 2000, 0.99).lock, 198'000U);
}

}  // namespace
}  // namespace pratique::consortium::guarded_list_test
