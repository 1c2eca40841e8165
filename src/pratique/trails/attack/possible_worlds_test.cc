// Neither side reserved: against every possible world, by trying them all.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/attack/attack.h"
#include "pratique/trails/testing/side_for_test.h"

namespace pratique::trails::possible_worlds_test {
namespace {

using Trail = std::set<Location>;

// Everybody visits some locations; each location withholds names, or samples, or nothing. Whoever
// is then on no list of a side is not on that side.
struct Truth {
  World world;
  std::vector<Trail> people;
  std::vector<Trail> samples;
  std::vector<int> person_of;  // by sample; -1: on no list of people
};

Truth random_truth(SeededRandom& random, std::size_t subjects, std::size_t locations,
                   bool blocks = false) {
  Truth truth;
  std::vector<int> tactic(locations);
  for (auto& choice : tactic) choice = static_cast<int>(random.below(3));
  const std::size_t all = blocks ? 2 * locations : locations;
  for (std::size_t i = 0; i < subjects; ++i) {
    const bool second = blocks && random.chance(0.5);
    Trail person;
    Trail sample;
    for (std::size_t c = 0; c < locations; ++c) {
      if (!random.chance(0.5)) continue;
      const auto at = static_cast<Location>(second ? locations + c : c);
      if (tactic[c] != 1 || random.chance(0.5)) person.insert(at);
      if (tactic[c] != 2 || random.chance(0.5)) sample.insert(at);
      // One list at each location is complete.
      if (tactic[c] == 0) person.insert(at), sample.insert(at);
    }
    const int number = person.empty() ? -1 : static_cast<int>(truth.people.size());
    if (!person.empty()) truth.people.push_back(person);
    if (sample.empty()) continue;
    truth.samples.push_back(sample);
    truth.person_of.push_back(number);
  }
  truth.world = {all, side_of(truth.people), side_of(truth.samples)};
  if (blocks) {
    for (std::size_t c = 0; c < all; ++c) truth.world.blocks.push_back(c < locations ? 0 : 1);
  }
  return truth;
}

// Definition 6 with a 0 for every blank of the longer list.
struct Tried {
  std::size_t worlds = 0;
  std::set<std::pair<int, int>> always;  // sample, person
  std::vector<std::set<int>> sometimes;  // by sample
};

Tried try_all(const Truth& truth) {
  const auto listed = truth.world.identified.sizes(truth.world.locations);
  const auto sampled = truth.world.deidentified.sizes(truth.world.locations);
  const auto fits = [&](const Trail& sample, const Trail& person) {
    if (!truth.world.blocks.empty() &&
        truth.world.blocks[*sample.begin()] != truth.world.blocks[*person.begin()]) {
      return false;
    }
    for (Location c = 0; c < truth.world.locations; ++c) {
      if (sample.contains(c) && !person.contains(c) && listed[c] >= sampled[c]) return false;
      if (person.contains(c) && !sample.contains(c) && sampled[c] >= listed[c]) return false;
    }
    return true;
  };
  const auto must_sample = [&](const Trail& sample) {
    return std::any_of(sample.begin(), sample.end(),
                       [&](Location c) { return listed[c] >= sampled[c]; });
  };
  const auto must_person = [&](const Trail& person) {
    return std::any_of(person.begin(), person.end(),
                       [&](Location c) { return sampled[c] >= listed[c]; });
  };
  Tried tried;
  tried.sometimes.resize(truth.samples.size());
  std::vector<int> given(truth.samples.size(), -1);
  std::vector<bool> taken(truth.people.size());
  const std::function<void(std::size_t)> give = [&](std::size_t s) {
    if (s == given.size()) {
      for (std::size_t p = 0; p < taken.size(); ++p) {
        if (!taken[p] && must_person(truth.people[p])) return;
      }
      std::set<std::pair<int, int>> pairs;
      for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] < 0) continue;
        pairs.emplace(static_cast<int>(i), given[i]);
        tried.sometimes[i].insert(given[i]);
      }
      if (tried.worlds++ == 0) {
        tried.always = pairs;
      } else {
        std::erase_if(tried.always, [&](const auto& pair) { return !pairs.contains(pair); });
      }
      return;
    }
    if (!must_sample(truth.samples[s])) give(s + 1);
    for (std::size_t p = 0; p < taken.size(); ++p) {
      if (taken[p] || !fits(truth.samples[s], truth.people[p])) continue;
      taken[p] = true;
      given[s] = static_cast<int>(p);
      give(s + 1);
      given[s] = -1;
      taken[p] = false;
    }
  };
  give(0);
  return tried;
}

TEST(PossibleWorlds, CertainIsWhatEveryPossibleWorldHas) {
  SeededRandom random(10);
  std::size_t links = 0;
  std::size_t several = 0;
  for (int round = 0; round < 400; ++round) {
    const Truth truth =
        random_truth(random, 2 + random.below(5), 1 + random.below(4), round % 4 == 0);
    const Tried tried = try_all(truth);
    // A location that withholds some of one side has the shorter list; the truth is one world.
    ASSERT_GT(tried.worlds, 0U);
    const auto disclosure = find_disclosure(truth.world, Reserved::both);
    const auto found = attack(truth.world, disclosure, {.count_partners_to = 100});
    std::set<std::pair<int, int>> linked;
    for (const Link& link : found.links) {
      linked.emplace(link.deidentified, link.identified);
      // Never a false link.
      ASSERT_EQ(truth.person_of[link.deidentified], static_cast<int>(link.identified));
    }
    ASSERT_EQ(linked, tried.always) << round;
    for (std::size_t s = 0; s < truth.samples.size(); ++s) {
      ASSERT_EQ(found.partners[s], tried.sometimes[s].size()) << round;
    }
    links += linked.size();
    several += tried.worlds > 1 ? 1 : 0;
  }
  EXPECT_GT(links, 200U);
  EXPECT_GT(several, 100U);
}

TEST(PossibleWorlds, AMaximumMatchingNeedNotBeTheTruth) {
  // Ann was only where samples are withheld, the sample only where names are: they fit, and the
  // only maximum matching pairs them, but nothing says that they are one person.
  const World world{2, side_of<Trail>({{0}}), side_of<Trail>({{1}})};
  const auto found =
      attack(world, find_disclosure(world, Reserved::both), {.count_partners_to = 9});
  EXPECT_TRUE(found.links.empty());
  EXPECT_EQ(found.partners[0], 1U);
  EXPECT_THROW((void)attack(world, find_disclosure(world, Reserved::both),
                            {.algorithm = Algorithm::incomplete}),
               Error);
}

TEST(PossibleWorlds, WhatCannotBeIsRefused) {
  // Equally long lists at both locations, of different people.
  const World world{2, side_of<Trail>({{0, 1}, {}}), side_of<Trail>({{0}, {1}})};
  EXPECT_THROW((void)attack(world, find_disclosure(world, Reserved::both), {}), Error);
}

}  // namespace
}  // namespace pratique::trails::possible_worlds_test
