#include "pratique/trails/attack/attack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/testing/side_for_test.h"

namespace pratique::trails::attack_test {
namespace {

using Trail = std::set<Location>;
using Pair = std::pair<Element, Element>;  // sub, super

// People with names and samples, and who is who. Sample i belongs to person owner[i].
struct Truth {
  World world;
  std::vector<Trail> people;
  std::vector<Trail> samples;
  std::vector<Element> owner;
};

Truth random_truth(SeededRandom& random, std::size_t people, std::size_t locations, double access,
                   double missing) {
  Truth truth;
  truth.world.locations = locations;
  std::vector<double> missing_at(locations);
  for (auto& rate : missing_at) rate = random.chance(0.3) ? 0 : missing;
  std::vector<std::pair<Trail, Element>> samples;
  for (Element person = 0; person < people; ++person) {
    Trail trail;
    Trail sample;
    for (Location c = 0; c < locations; ++c) {
      if (!random.chance(access)) continue;
      trail.insert(c);
      if (!random.chance(missing_at[c])) sample.insert(c);
    }
    truth.people.push_back(trail);
    if (!sample.empty()) samples.emplace_back(sample, person);
  }
  random.shuffle(samples);
  for (const auto& [trail, person] : samples) {
    truth.samples.push_back(trail);
    truth.owner.push_back(person);
  }
  truth.world.identified = side_of(truth.people);
  truth.world.deidentified = side_of(truth.samples);
  return truth;
}

World flipped(const World& world) {
  return {world.locations, world.deidentified, world.identified};
}

// By Definition 17 and the rule for blanks.
bool is_subtrail(const Trail& sub, const Trail& super, const std::vector<bool>& complete) {
  for (Location c = 0; c < complete.size(); ++c) {
    if (sub.contains(c) && !super.contains(c)) return false;
    if (complete[c] && !sub.contains(c) && super.contains(c)) return false;
  }
  return true;
}

struct Enumeration {
  std::size_t largest = 0;
  std::set<Pair> in_all;
  std::set<Pair> in_some;
};

// All maximum matchings, one by one.
Enumeration enumerate(const std::vector<Trail>& subs, const std::vector<Trail>& supers,
                      const std::vector<bool>& complete) {
  Enumeration result;
  std::vector<bool> taken(supers.size(), false);
  std::vector<Pair> chosen;
  const std::function<void(Element)> choose = [&](Element sub) {
    if (sub == subs.size()) {
      if (chosen.size() < result.largest) return;
      const std::set<Pair> pairs(chosen.begin(), chosen.end());
      if (chosen.size() > result.largest) {
        result = {chosen.size(), pairs, pairs};
        return;
      }
      result.in_some.insert(pairs.begin(), pairs.end());
      std::erase_if(result.in_all, [&](const Pair& pair) { return !pairs.contains(pair); });
      return;
    }
    for (Element super = 0; super < supers.size(); ++super) {
      if (taken[super] || subs[sub].empty() || !is_subtrail(subs[sub], supers[super], complete)) {
        continue;
      }
      taken[super] = true;
      chosen.emplace_back(sub, super);
      choose(sub + 1);
      chosen.pop_back();
      taken[super] = false;
    }
    choose(sub + 1);
  };
  choose(0);
  return result;
}

std::set<Pair> pairs_of(const Attack& attack, bool identified_is_sub) {
  std::set<Pair> pairs;
  for (const auto& link : attack.links) {
    pairs.insert(identified_is_sub ? Pair(link.identified, link.deidentified)
                                   : Pair(link.deidentified, link.identified));
  }
  return pairs;
}

TEST(TrailAttack, ExactIsTheEnumerationOfAllMaximumMatchings) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SeededRandom random(seed);
    const Truth truth = random_truth(random, 1 + random.below(7), 1 + random.below(5),
                                     0.3 + 0.5 * random.uniform(), random.chance(0.2) ? 0 : 0.4);
    const bool flip = random.chance(0.5);
    const World world = flip ? flipped(truth.world) : truth.world;
    const auto said = flip ? Reserved::identified : Reserved::deidentified;
    const Disclosure disclosure = find_disclosure(world, said);
    const Enumeration all = enumerate(truth.samples, truth.people, disclosure.complete);
    ASSERT_EQ(all.largest, truth.samples.size());
    const Attack linkage =
        attack(world, disclosure, {Algorithm::exact, std::numeric_limits<std::uint64_t>::max()});
    ASSERT_EQ(pairs_of(linkage, flip), all.in_all) << "seed " << seed;
    std::set<Trail> distinct(truth.people.begin(), truth.people.end());
    distinct.erase(Trail());
    ASSERT_EQ(linkage.distinct_trails, distinct.size());
    std::vector<std::uint64_t> partners(truth.samples.size(), 0);
    for (const auto& [sub, super] : all.in_some) ++partners[sub];
    ASSERT_EQ(linkage.partners, partners) << "seed " << seed;
  }
}

// Algorithms 4, 6 and 15 as they are written, element by element.
struct Written {
  std::set<Pair> links;
  std::vector<std::uint64_t> partners;
};
Written reidit_i_as_written(const std::vector<Trail>& subs, const std::vector<Trail>& supers,
                            const std::vector<bool>& complete) {
  std::set<Element> m;
  std::set<Element> n;
  for (Element e = 0; e < subs.size(); ++e) m.insert(e);
  for (Element e = 0; e < supers.size(); ++e) {
    if (!supers[e].empty()) n.insert(e);
  }
  Written result;
  const auto candidates = [&](Element sub) {
    std::vector<Element> fitting;
    for (const Element super : n) {
      if (is_subtrail(subs[sub], supers[super], complete)) fitting.push_back(super);
    }
    return fitting;
  };
  std::size_t before = 0;
  do {
    before = result.links.size();
    for (const Element sub : std::set(m)) {
      const auto fitting = candidates(sub);
      if (fitting.size() != 1) continue;
      result.links.emplace(sub, fitting[0]);
      m.erase(sub);
      n.erase(fitting[0]);
    }
    if (m.size() != n.size()) continue;
    for (const Element super : std::set(n)) {
      std::vector<Element> fitting;
      for (const Element sub : m) {
        if (is_subtrail(subs[sub], supers[super], complete)) fitting.push_back(sub);
      }
      if (fitting.size() != 1) continue;
      result.links.emplace(fitting[0], super);
      m.erase(fitting[0]);
      n.erase(super);
    }
  } while (result.links.size() > before);
  result.partners.assign(subs.size(), 1);
  for (const Element sub : m) result.partners[sub] = candidates(sub).size();
  return result;
}

TEST(TrailAttack, IncompleteIsTheAlgorithmAsWritten) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SeededRandom random(seed, 1);
    const Truth truth = random_truth(random, 1 + random.below(40), 2 + random.below(6),
                                     0.3 + 0.4 * random.uniform(), random.chance(0.3) ? 0.05 : 0.4);
    const Disclosure disclosure = find_disclosure(truth.world, Reserved::deidentified);
    const Written written = reidit_i_as_written(truth.samples, truth.people, disclosure.complete);
    const Attack linkage = attack(truth.world, disclosure, {Algorithm::incomplete, 1000});
    ASSERT_EQ(pairs_of(linkage, false), written.links) << "seed " << seed;
    ASSERT_EQ(linkage.partners, written.partners) << "seed " << seed;
  }
}

TEST(TrailAttack, NoFalseLinkAndExactFindsAtLeastWhatOthersDo) {
  std::size_t found_by_exact = 0;
  std::size_t found_by_incomplete = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SeededRandom random(seed, 2);
    const Truth truth = random_truth(random, 50 + random.below(200), 3 + random.below(20),
                                     0.1 + 0.5 * random.uniform(), random.chance(0.3) ? 0 : 0.3);
    const Disclosure disclosure = find_disclosure(truth.world, {});
    std::set<Pair> exact;
    for (const auto algorithm : {Algorithm::exact, Algorithm::complete, Algorithm::incomplete}) {
      const Attack linkage = attack(truth.world, disclosure, {algorithm, 0});
      for (const auto& link : linkage.links) {
        ASSERT_EQ(truth.owner[link.deidentified], link.identified) << to_text(algorithm);
      }
      const auto links = pairs_of(linkage, false);
      if (algorithm == Algorithm::exact) exact = links;
      ASSERT_TRUE(std::ranges::includes(exact, links)) << to_text(algorithm);
      if (algorithm == Algorithm::exact) found_by_exact += links.size();
      if (algorithm == Algorithm::incomplete) found_by_incomplete += links.size();
    }
    if (disclosure.reserved == Reserved::none) {
      EXPECT_EQ(pairs_of(attack(truth.world, disclosure, {Algorithm::complete, 0}), false), exact);
    }
  }
  EXPECT_GT(found_by_exact, found_by_incomplete);
}

TEST(TrailAttack, MultipleLinksManyToOneAndNeverFalsely) {
  std::size_t links = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededRandom random(seed, 3);
    Truth truth = random_truth(random, 30, 12, 0.4, 0);
    std::vector<Trail> samples;
    std::vector<Element> owner;
    for (Element person = 0; person < truth.people.size(); ++person) {
      for (std::uint64_t copies = random.below(4); copies > 0; --copies) {
        Trail part = truth.people[person];
        std::erase_if(part, [&](Location) { return random.chance(0.2); });
        if (part.empty()) continue;
        samples.push_back(part);
        owner.push_back(person);
      }
    }
    truth.world.deidentified = side_of(samples);
    const Disclosure disclosure = find_disclosure_of_many(truth.world, Reserved::deidentified);
    const Attack linkage = attack(truth.world, disclosure, {Algorithm::multiple, 100});
    std::set<Pair> expected;
    for (Element sample = 0; sample < samples.size(); ++sample) {
      std::vector<Element> supers;
      for (Element person = 0; person < truth.people.size(); ++person) {
        if (is_subtrail(samples[sample], truth.people[person], disclosure.complete)) {
          supers.push_back(person);
        }
      }
      ASSERT_EQ(linkage.partners[sample], supers.size());
      if (supers.size() == 1) expected.emplace(sample, supers[0]);
    }
    ASSERT_EQ(pairs_of(linkage, false), expected);
    for (const auto& link : linkage.links) ASSERT_EQ(owner[link.deidentified], link.identified);
    links += linkage.links.size();
  }
  EXPECT_GT(links, 0U);
}

// Figures 3.4 and 3.5: actg, ctga, tgac and gatc against Ali, Bob, Charlie and Dan. At H2 both
// lists have three entries, so blanks there are 0; by hand: actg 1 1 1 * is Ali, ctga * 1 * 1 is
// Bob or Dan, tgac 1 0 1 1 is Charlie, gatc * 1 1 * is Ali or Dan, so Dan once Ali is gone, and Bob
// is left.
TEST(TrailAttack, FigureOfTheThesis) {
  const World world{4, side_of({{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}),
                    side_of({{0, 1, 2}, {1, 3}, {0, 2, 3}, {1, 2}})};
  const Disclosure disclosure = find_disclosure(world, {});
  EXPECT_EQ(disclosure.reserved, Reserved::deidentified);
  const std::set<Pair> expected = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(pairs_of(attack(world, disclosure, {Algorithm::incomplete, 0}), false), expected);
  EXPECT_EQ(pairs_of(attack(world, disclosure, {Algorithm::exact, 0}), false), expected);
}

// Section 4.2.5: a stable set that REIDIT-I does not see. Samples 1 and 2 are Bob and Charlie in
// some order, so sample 0 is Ali.
TEST(TrailAttack, ExactSeesStableSets) {
  const World world{4, side_of({{0, 3}, {0, 1}, {0, 1}, {3}}), side_of({{0}, {0, 1}, {0, 1}, {3}})};
  Disclosure disclosure = find_disclosure(world, Reserved::deidentified);
  disclosure.complete.assign(4, false);
  EXPECT_EQ(pairs_of(attack(world, disclosure, {Algorithm::exact, 0}), false),
            (std::set<Pair>{{0, 0}, {3, 3}}));
}

TEST(TrailAttack, ImpossibleTrailsAreNamed) {
  // Element 1 was seen at location 2, where nobody with a name was.
  const World world{3, side_of({{0, 1}, {1}, {0}}), side_of({{0}, {2}})};
  const Disclosure disclosure{Reserved::deidentified, {false, false, false}, false};
  for (const auto algorithm : {Algorithm::incomplete, Algorithm::multiple, Algorithm::exact}) {
    try {
      (void)attack(world, disclosure, {algorithm, 0});
      FAIL() << to_text(algorithm);
    } catch (const ImpossibleTrails& error) {
      EXPECT_EQ(error.elements(), std::vector<Element>{1});
      EXPECT_FALSE(error.identified());
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
    }
  }
  // Three trails for two people: each has a supertrail, but not all can have their own.
  const World crowd{1, side_of({{0}, {0}}), side_of({{0}, {0}, {0}})};
  EXPECT_THROW((void)attack(crowd, {Reserved::deidentified, {false}, false}, {Algorithm::exact, 0}),
               ImpossibleTrails);
}

TEST(TrailAttack, OneThreadAndManyAgree) {
  SeededRandom random(7);
  const Truth truth = random_truth(random, 12000, 14, 0.3, 0.3);
  const Disclosure disclosure = find_disclosure(truth.world, {});
  for (const auto algorithm : {Algorithm::exact, Algorithm::incomplete, Algorithm::multiple}) {
    const Attack many = attack(truth.world, disclosure, {algorithm, 50});
    const ThreadLimit limit(1);
    const Attack alone = attack(truth.world, disclosure, {algorithm, 50});
    EXPECT_EQ(alone.links, many.links);
    EXPECT_EQ(alone.partners, many.partners);
  }
}

TEST(TrailAttack, EmptySides) {
  const World world{2, side_of({{}, {}}), side_of({{}})};
  for (const auto algorithm : {Algorithm::exact, Algorithm::incomplete, Algorithm::complete}) {
    const Attack linkage = attack(world, find_disclosure(world, {}), {algorithm, 5});
    EXPECT_TRUE(linkage.links.empty());
    EXPECT_EQ(linkage.fewer_partners_than(5), 0U);
  }
}

}  // namespace
}  // namespace pratique::trails::attack_test
