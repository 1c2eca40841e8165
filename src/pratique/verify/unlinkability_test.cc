#include "pratique/verify/unlinkability.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/random.h"

namespace pratique::verify::unlinkability_test {
namespace {

using Trail = std::set<int>;
using Trails = std::map<std::string, Trail>;

bool contains(const Trail& outer, const Trail& inner) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

// Definition 19, vertex by vertex, over all maximum matchings tried one after the other.
struct ByDefinition {
  std::vector<std::vector<bool>> links;  // left (reserved) x right
  std::vector<bool> null;                // left
  bool both_complete = false;

  std::optional<std::uint64_t> k_left = {};
  std::optional<std::uint64_t> k_right = {};
  std::uint64_t impossible = 0;

  void decide() {
    const std::size_t right = links.empty() ? right_size : links.front().size();
    used_.assign(right, false);
    partner_.assign(links.size(), -1);
    in_union_.assign(links.size(), std::vector<bool>(right, false));
    try_from(0, 0);
    for (std::size_t l = 0; l < links.size(); ++l) {
      if (null[l]) continue;
      const auto partners =
          static_cast<std::uint64_t>(std::count(in_union_[l].begin(), in_union_[l].end(), true));
      k_left = std::min(k_left.value_or(partners), partners);
    }
    for (std::size_t r = 0; r < right; ++r) {
      std::uint64_t partners = 0;
      bool all_null = true;
      for (std::size_t l = 0; l < links.size(); ++l) {
        if (!in_union_[l][r]) continue;
        ++partners;
        all_null = all_null && null[l];
      }
      if (all_null && !both_complete) continue;
      k_right = std::min(k_right.value_or(partners), partners);
    }
    impossible = links.size() - largest_;
    if (both_complete) impossible += right - largest_;
  }

  std::size_t right_size = 0;
  [[nodiscard]] const std::vector<std::vector<bool>>& in_union() const { return in_union_; }

 private:
  void try_from(std::size_t left, std::size_t size) {
    if (left == links.size()) {
      if (size < largest_) return;
      if (size > largest_) {
        for (auto& row : in_union_) row.assign(row.size(), false);
      }
      largest_ = size;
      for (std::size_t l = 0; l < links.size(); ++l) {
        if (partner_[l] >= 0) in_union_[l][static_cast<std::size_t>(partner_[l])] = true;
      }
      return;
    }
    try_from(left + 1, size);
    for (std::size_t r = 0; r < used_.size(); ++r) {
      if (!links[left][r] || used_[r]) continue;
      used_[r] = true;
      partner_[left] = static_cast<int>(r);
      try_from(left + 1, size + 1);
      partner_[left] = -1;
      used_[r] = false;
    }
  }

  std::size_t largest_ = 0;
  std::vector<bool> used_;
  std::vector<int> partner_;
  std::vector<std::vector<bool>> in_union_;
};

// Reserved elements first, then null trails until both sides are as many.
ByDefinition external_by_definition(const Trails& reserved, const Trails& other, bool complete) {
  ByDefinition definition;
  definition.both_complete = complete;
  definition.right_size = other.size();
  for (const auto& [name, trail] : reserved) {
    definition.null.push_back(false);
    auto& row = definition.links.emplace_back();
    for (const auto& [person, visits] : other) {
      row.push_back(complete ? visits == trail : contains(visits, trail));
    }
  }
  while (!complete && definition.links.size() < other.size()) {
    definition.links.emplace_back(other.size(), true);
    definition.null.push_back(true);
  }
  definition.decide();
  return definition;
}

class UnlinkabilityTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.memory_bytes = 1U << 30, .threads = 1});

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() + "/" + name) << text;
    return folder.path() + "/" + name;
  }

  TrailList list(const std::string& name, const Trails& trails) const {
    std::string text = "location,element\n";
    for (const auto& [element, trail] : trails) {
      for (const int at : trail) text += "H" + std::to_string(at) + "," + element + "\n";
    }
    return {.path = file(name, text)};
  }

  UnlinkabilityQuestion question(const Trails& identified, const Trails& deidentified,
                                 std::uint64_t k) const {
    UnlinkabilityQuestion asked;
    asked.identified = list("identified.csv", identified);
    asked.deidentified = list("deidentified.csv", deidentified);
    asked.k = k;
    return asked;
  }

  [[nodiscard]] Unlinkability verify(const UnlinkabilityQuestion& asked) const {
    return verify_unlinkability(*engine, asked, Progress::silent());
  }
};

// Figures 6.6 to 6.8 have these people.
const Trails kPeople = {
    {"Ali", {1, 2, 3}}, {"Bob", {1, 2, 4}}, {"Charlie", {1, 3, 4}}, {"Dan", {2, 3, 4}}};

TEST_F(UnlinkabilityTest, FigureSixSix) {
  const auto verdict = verify(question(
      kPeople, {{"actg", {1, 2}}, {"ctga", {1, 2}}, {"tgac", {3, 4}}, {"gatc", {3, 4}}}, 2));
  EXPECT_EQ(verdict.k(), 2U);
  EXPECT_TRUE(verdict.holds());
  const auto words = to_json(verdict).dump();
  EXPECT_EQ(words.find("(as said)") != std::string::npos, verdict.reserved_was_said);
  EXPECT_EQ(words.find("(detected from") != std::string::npos, !verdict.reserved_was_said);
}

TEST_F(UnlinkabilityTest, FigureSixSeven) {
  auto asked = question(kPeople, {{"actg", {1}}, {"ctga", {2}}, {"tgac", {3}}, {"gatc", {4}}}, 3);
  auto verdict = verify(asked);
  EXPECT_EQ(verdict.k_deidentified, 3U);
  EXPECT_EQ(verdict.k_identified, 3U);
  EXPECT_EQ(verdict.violations, 0U);
  EXPECT_TRUE(verdict.holds());
  asked.k = 4;
  verdict = verify(asked);
  EXPECT_EQ(verdict.violations, 8U);
  EXPECT_FALSE(verdict.holds());
}

TEST_F(UnlinkabilityTest, FigureSixEight) {
  const auto verdict = verify(question(
      kPeople, {{"actg", {1, 2, 3}}, {"ctga", {1, 2}}, {"tgac", {3, 4}}, {"gatc", {2, 4}}}, 2));
  // By the definition: actg is Ali, so ctga is Bob, so gatc is Dan, so tgac is Charlie.
  EXPECT_EQ(verdict.k(), 1U);
  EXPECT_EQ(verdict.violations, 8U);
}

// Pairs at eleven locations, and somebody alone at the last, who is the worst of the ten shown.
TEST_F(UnlinkabilityTest, NotMoreThanTenAreShown) {
  Trails people;
  Trails samples;
  for (int i = 1; i <= 12; ++i) {
    for (const char* one : {"a", "b"}) {
      if (i == 12 && *one == 'b') continue;
      people[one + std::to_string(i)] = {i};
      samples["s" + (one + std::to_string(i))] = {i};
    }
  }
  const auto verdict = verify(question(people, samples, 3));
  EXPECT_EQ(verdict.violations, 46U);
  ASSERT_EQ(verdict.worst.size(), 10U);
  EXPECT_EQ(verdict.worst[0].partners, 1U);
  EXPECT_EQ(verdict.worst[9].partners, 2U);
}

// One sample that anyone of three may own: two of them have published none.
TEST_F(UnlinkabilityTest, NullTrailsAreAlternatives) {
  const Trails people = {{"a", {1}}, {"b", {1}}, {"c", {1, 2}}, {"d", {2}}};
  auto verdict = verify(question(people, {{"x", {1}}}, 3));
  EXPECT_EQ(verdict.undisclosed, 3U);
  EXPECT_EQ(verdict.k_deidentified, 3U);
  EXPECT_EQ(verdict.k_identified,
            4U);  // x or one of three null trails; d, who has only those, is exempt
  EXPECT_TRUE(verdict.holds());
  // One sample too many: with all of location 1 published, y cannot be c's and is d's.
  verdict = verify(question(people, {{"u", {1}}, {"v", {1}}, {"x", {1}}, {"y", {2}}}, 2));
  EXPECT_EQ(verdict.k_deidentified, 1U);
  EXPECT_EQ(verdict.k_identified, 1U);
  EXPECT_EQ(verdict.violations, 2U);
  ASSERT_FALSE(verdict.worst.empty());
  EXPECT_EQ(verdict.worst[0].locations, std::vector<std::string>{"H2"});
  EXPECT_FALSE(verdict.holds());
}

TEST_F(UnlinkabilityTest, ImpossibleDataNeverHolds) {
  const Trails people = {{"a", {1}}, {"b", {1}}, {"c", {2, 3}}, {"d", {2, 3}}};
  auto asked = question(people, {{"x", {1}}, {"y", {1}}, {"z", {1}}}, 2);
  asked.reserved = ReservedSide::deidentified;
  auto verdict = verify(asked);
  EXPECT_EQ(verdict.impossible, 1U);
  EXPECT_EQ(verdict.violations, 0U);
  EXPECT_FALSE(verdict.holds());
  // Nobody was at both 1 and 2.
  verdict = verify(question(people, {{"x", {1, 2}}}, 2));
  EXPECT_EQ(verdict.impossible, 1U);
  EXPECT_EQ(verdict.k(), 0U);
  EXPECT_FALSE(verdict.holds());
}

TEST_F(UnlinkabilityTest, AnEmptyListProvesNothing) {
  for (const bool samples_are_missing : {true, false}) {
    const auto verdict =
        samples_are_missing ? verify(question(kPeople, {}, 5)) : verify(question({}, kPeople, 5));
    EXPECT_FALSE(verdict.k());
    EXPECT_FALSE(verdict.holds());
    const Json json = to_json(verdict);
    EXPECT_TRUE(json["k"].is_null());
    EXPECT_EQ(json["holds"], false);
    EXPECT_EQ(json["note"], samples_are_missing
                                ? "there is nothing to link: no sample was published"
                                : "there is nothing to link: no person was published");
  }
  EXPECT_FALSE(to_json(verify(question(kPeople, kPeople, 1))).contains("note"));
}

Trails random_trails(SeededRandom& random, const std::string& prefix, std::size_t count,
                     int locations, double density) {
  Trails trails;
  for (std::size_t e = 0; e < count; ++e) {
    Trail trail;
    for (int at = 0; at < locations; ++at) {
      if (random.chance(density)) trail.insert(at);
    }
    if (trail.empty()) trail.insert(static_cast<int>(random.below(2)));
    trails[prefix + std::to_string(e)] = trail;
  }
  return trails;
}

TEST_F(UnlinkabilityTest, RandomListsByDefinition) {
  SeededRandom random(19);
  for (int round = 0; round < 40; ++round) {
    const int locations = 2 + static_cast<int>(random.below(3));
    const Trails people = random_trails(random, "p", 1 + random.below(6), locations, 0.6);
    const Trails samples = random_trails(random, "s", 1 + random.below(6), locations, 0.3);
    for (const auto reserved :
         {ReservedSide::deidentified, ReservedSide::identified, ReservedSide::none}) {
      const bool swapped = reserved == ReservedSide::identified;
      const bool complete = reserved == ReservedSide::none;
      const auto expected =
          external_by_definition(swapped ? people : samples, swapped ? samples : people, complete);
      auto asked = question(people, samples, 2);
      asked.reserved = reserved;
      const auto verdict = verify(asked);
      ASSERT_EQ(swapped ? verdict.k_identified : verdict.k_deidentified, expected.k_left) << round;
      ASSERT_EQ(swapped ? verdict.k_deidentified : verdict.k_identified, expected.k_right) << round;
      ASSERT_EQ(verdict.impossible, expected.impossible) << round;
      ASSERT_EQ(verdict.violations == 0, verdict.k().value_or(2) >= 2) << round;
    }
  }
}

struct Withheld {
  Trails people;
  Trails submitted;
  Trails published;
  std::map<std::string, std::string> owner;
};

// A truthful world: everybody's sample is seen at some of the places of its owner, some of that is
// submitted, and some of this published.
Withheld random_world(SeededRandom& random) {
  Withheld world;
  const int locations = 2 + static_cast<int>(random.below(3));
  world.people = random_trails(random, "p", 2 + random.below(5), locations, 0.6);
  std::size_t number = 0;
  for (const auto& [person, visits] : world.people) {
    const std::string name = "s" + std::to_string(number++);
    Trail submitted;
    Trail published;
    for (const int at : visits) {
      if (!random.chance(0.8)) continue;
      submitted.insert(at);
      if (random.chance(0.5)) published.insert(at);
    }
    if (submitted.empty()) continue;
    world.submitted[name] = submitted;
    world.owner[name] = person;
    if (!published.empty()) world.published[name] = published;
  }
  return world;
}

std::size_t seen_at(const Trails& trails, int location) {
  return static_cast<std::size_t>(
      std::count_if(trails.begin(), trails.end(),
                    [&](const auto& element) { return element.second.contains(location); }));
}

struct Row {
  Trail published;
  Trail submitted;
};
using Linked = std::function<bool(const Trail&, const Trail&)>;

struct CentralByDefinition {
  ByDefinition definition;
  std::optional<std::uint64_t> joint;
};

// Every maximum matching of submitted samples and people; a published sample may be any submitted
// one with the same published trail.
std::optional<std::uint64_t> fewest_joint(const std::vector<Row>& rows, const Withheld& world,
                                          const Linked& linked) {
  ByDefinition submitted;
  submitted.right_size = world.people.size();
  for (const Row& row : rows) {
    submitted.null.push_back(false);
    auto& links = submitted.links.emplace_back();
    for (const auto& [person, visits] : world.people)
      links.push_back(linked(row.submitted, visits));
  }
  submitted.decide();
  std::optional<std::uint64_t> fewest;
  std::vector<std::uint64_t> partners_of(world.people.size());
  std::vector<bool> published_of(world.people.size());
  for (const Row& row : rows) {
    std::uint64_t partners = 0;
    for (std::size_t person = 0; person < world.people.size(); ++person) {
      bool possible = false;
      for (std::size_t other = 0; other < rows.size(); ++other) {
        possible = possible ||
                   (rows[other].published == row.published && submitted.in_union()[other][person]);
      }
      if (!possible) continue;
      ++partners;
      ++partners_of[person];
      if (!row.published.empty()) published_of[person] = true;
    }
    if (!row.published.empty()) fewest = std::min(fewest.value_or(partners), partners);
  }
  for (std::size_t person = 0; person < world.people.size(); ++person) {
    if (published_of[person]) fewest = std::min(*fewest, partners_of[person]);
  }
  return fewest;
}

// Definition 24 with the matrices written out: rows for every person's sample, published trails
// first. Q: submitted trail (blank where the location submitted fewer than it lists, else absent)
// against person. P: same published trail as some submitted sample.
CentralByDefinition central_by_definition(const Withheld& world) {
  std::vector<Row> rows;
  for (const auto& [name, trail] : world.published) {
    rows.push_back({trail, world.submitted.at(name)});
  }
  for (const auto& [name, trail] : world.submitted) {
    if (!world.published.contains(name)) rows.push_back({{}, trail});
  }
  rows.resize(world.people.size());
  const auto linked = [&](const Trail& submitted, const Trail& visits) {
    if (!contains(visits, submitted)) return false;
    return std::all_of(visits.begin(), visits.end(), [&](int at) {
      return submitted.contains(at) || seen_at(world.people, at) != seen_at(world.submitted, at);
    });
  };
  CentralByDefinition result;
  result.joint = fewest_joint(rows, world, linked);
  ByDefinition& definition = result.definition;
  definition.right_size = world.people.size();
  for (const Row& row : rows) {
    definition.null.push_back(row.published.empty());
    auto& links = definition.links.emplace_back();
    for (const auto& [person, visits] : world.people) {
      bool any = false;
      for (const Row& other : rows) {
        any = any || (other.published == row.published && linked(other.submitted, visits));
      }
      links.push_back(any);
    }
  }
  definition.decide();
  return result;
}

TEST_F(UnlinkabilityTest, CentralViewByDefinition) {
  SeededRandom random(24);
  int stricter = 0;
  for (int round = 0; round < 40; ++round) {
    const Withheld world = random_world(random);
    const auto expected = central_by_definition(world);
    auto asked = question(world.people, world.published, 2);
    asked.reserved = ReservedSide::deidentified;
    const auto external = verify(asked);
    asked.view = TrailView::central;
    asked.submitted = list("submitted.csv", world.submitted);
    const auto verdict = verify(asked);
    ASSERT_EQ(verdict.k_deidentified, expected.definition.k_left) << round;
    ASSERT_EQ(verdict.k_identified, expected.definition.k_right) << round;
    ASSERT_EQ(verdict.k_joint, expected.joint) << round;
    ASSERT_LE(verdict.k_joint.value_or(0), verdict.k().value_or(0)) << round;
    ASSERT_EQ(verdict.impossible, 0U) << round;
    ASSERT_LE(verdict.k_deidentified.value_or(0), external.k_deidentified.value_or(0)) << round;
    stricter += verdict.k_deidentified < external.k_deidentified ? 1 : 0;
  }
  EXPECT_GT(stricter, 3);
}

// Each row of a world stands for one to three elements: written out, each with a name of its own,
// or counted.
TEST_F(UnlinkabilityTest, CountedElementsAreLikeThatManyNames) {
  SeededRandom random(25);
  std::set<std::uint64_t> seen;
  for (int round = 0; round < 60; ++round) {
    const Withheld world = random_world(random);
    std::map<std::string, std::size_t> times;
    for (const auto& [person, visits] : world.people) times[person] = 1 + random.below(3);
    for (const auto& [sample, person] : world.owner) times[sample] = times.at(person);
    const auto written = [&](const std::string& name, const Trails& trails, bool counted) {
      std::string text = counted ? "location,element,count\n" : "location,element\n";
      for (const auto& [element, trail] : trails)
        for (const int at : trail)
          for (std::size_t i = 0; i < (counted ? 1 : times.at(element)); ++i)
            text += fmt::format(
                "H{},{}{}\n", at, element,
                counted ? fmt::format(",{}", times.at(element)) : fmt::format(" {}", i));
      return TrailList{.path = file(name, text), .count_column = counted ? "count" : ""};
    };
    const auto verdict_of = [&](TrailView view, std::uint64_t coalition, bool counted) {
      UnlinkabilityQuestion asked;
      asked.identified = written("identified.csv", world.people, counted);
      asked.deidentified = written("deidentified.csv", world.published, counted);
      asked.submitted = written("submitted.csv", world.submitted, counted);
      asked.reserved = ReservedSide::deidentified;
      asked.k = 2;
      asked.view = view;
      asked.coalition = coalition;
      Json json = to_json(verify(asked));
      json.erase("worst");  // in any order
      return json;
    };
    for (const auto view : {TrailView::external, TrailView::central, TrailView::contributor}) {
      for (std::uint64_t coalition = 1; coalition <= (view == TrailView::contributor ? 2 : 1);
           ++coalition) {
        const Json counted = verdict_of(view, coalition, true);
        ASSERT_EQ(counted, verdict_of(view, coalition, false)) << round;
        if (!counted["k"].is_null()) seen.insert(counted["k"].get<std::uint64_t>());
      }
    }
  }
  EXPECT_GT(seen.size(), 3U);
}

TEST_F(UnlinkabilityTest, CountsThatAreNoneAreRefused) {
  const auto refused = [&](const std::string& people, const std::string& samples) {
    UnlinkabilityQuestion asked;
    asked.identified = {.path = file("p.csv", "location,element,count\n" + people),
                        .count_column = "count"};
    asked.deidentified = {.path = file("s.csv", "location,element,count\n" + samples),
                          .count_column = "count"};
    asked.submitted = TrailList{.path = file("t.csv", "location,element,count\nH1,x,2\n"),
                                .count_column = "count"};
    asked.reserved = ReservedSide::deidentified;
    asked.view = TrailView::central;
    try {
      (void)verify(asked);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(refused("H1,a,3\n", "H1,x,2\n"), "");
  for (const char* count : {"0", "-1", "1.5", "x", "99999999999"})
    EXPECT_NE(refused(fmt::format("H1,a,{}\n", count), "H1,x,2\n"), "") << count;
  EXPECT_NE(refused("H1,a,3\nH2,a,2\n", "H1,x,2\n"), "");  // one name, two counts
  EXPECT_NE(refused("H1,a,3\n", "H1,x,1\n"), "");          // some of what was submitted as one
}

// Figures 8.1 to 8.6: 2-unlinkable outside, and known sample by sample to the third party.
TEST_F(UnlinkabilityTest, FiguresOfChapterEight) {
  const Trails submitted = {
      {"actg", {1, 2, 3}}, {"ctga", {2, 4}}, {"tgac", {1, 3, 4}}, {"gatc", {2, 3}}};
  auto asked = question(kPeople, {{"actg", {1}}, {"ctga", {4}}, {"tgac", {3}}, {"gatc", {2}}}, 2);
  EXPECT_TRUE(verify(asked).holds());
  asked.view = TrailView::central;
  asked.submitted = list("submitted.csv", submitted);
  auto verdict = verify(asked);
  EXPECT_EQ(verdict.k(), 1U);
  EXPECT_EQ(verdict.violations, 8U);
  EXPECT_FALSE(verdict.holds());
}

struct Fewest {
  std::optional<std::uint64_t> left;
  std::optional<std::uint64_t> right;
  [[nodiscard]] std::optional<std::uint64_t> both() const {
    if (!left) return right;
    return right ? std::min(left, right) : left;
  }
};

using Owners = std::map<std::string, std::string>;

// Definition 25 for every coalition of up to `size` locations and everything that it may know: the
// samples that it submitted, and any of the other pairs of people whom it lists.
void try_everything_known(const Withheld& world, const Owners& owner, int locations,
                          std::size_t size, Fewest& fewest) {
  std::map<std::string, std::string> sample_of;
  for (const auto& [sample, person] : owner) sample_of[person] = sample;
  int listed = 0;  // a location that lists nobody is not in the files
  for (const auto& [person, visits] : world.people) {
    for (const int at : visits) listed |= 1 << at;
  }
  for (int members = 1; members < (1 << locations); ++members) {
    if ((members & ~listed) != 0) continue;
    if (static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(members))) > size)
      continue;
    const auto has = [&](const Trail& trail) {
      return std::any_of(trail.begin(), trail.end(),
                         [&](int at) { return ((members >> at) & 1) != 0; });
    };
    Trails people = world.people;
    Trails published = world.published;
    std::vector<std::string> maybe;  // people
    for (const auto& [person, visits] : world.people) {
      if (!has(visits)) continue;
      const auto own = sample_of.find(person);
      if (own != sample_of.end() && has(world.submitted.at(own->second))) {
        people.erase(person);
        published.erase(own->second);
      } else {
        maybe.push_back(person);
      }
    }
    for (unsigned hidden = 0; hidden < (1U << maybe.size()); ++hidden) {
      Trails people_left = people;
      Trails samples_left = published;
      for (std::size_t i = 0; i < maybe.size(); ++i) {
        if (((hidden >> i) & 1U) == 0) continue;
        people_left.erase(maybe[i]);
        if (sample_of.contains(maybe[i])) samples_left.erase(sample_of.at(maybe[i]));
      }
      const auto view = external_by_definition(samples_left, people_left, false);
      if (view.k_left) fewest.left = std::min(fewest.left.value_or(*view.k_left), *view.k_left);
      if (view.k_right)
        fewest.right = std::min(fewest.right.value_or(*view.k_right), *view.k_right);
    }
  }
}

// Every way to give each submitted sample a person who fits.
void for_every_truth(const Withheld& world, Trails::const_iterator next, Owners& owner,
                     std::set<std::string>& taken, const std::function<void()>& body) {
  if (next == world.submitted.end()) return body();
  for (const auto& [person, visits] : world.people) {
    if (taken.contains(person) || !contains(visits, next->second)) continue;
    taken.insert(person);
    owner[next->first] = person;
    for_every_truth(world, std::next(next), owner, taken, body);
    owner.erase(next->first);
    taken.erase(person);
  }
}

// Everybody was at location 0, which publishes a sample of each, and some at one of two others.
Withheld sparse_world(SeededRandom& random) {
  Withheld world;
  for (int i = 0; i < 5; ++i) {
    const std::string person = "p" + std::to_string(i);
    const std::string sample = "s" + std::to_string(i);
    Trail visits = {0};
    if (random.chance(0.5)) visits.insert(1 + static_cast<int>(random.below(2)));
    world.people[person] = visits;
    world.submitted[sample] = visits;
    world.owner[sample] = person;
    world.published[sample] = {0};
  }
  return world;
}

TEST_F(UnlinkabilityTest, CoalitionsByDefinition) {
  SeededRandom random(25);
  int bound_is_useful = 0;
  int coalition_matters = 0;
  for (int round = 0; round < 40; ++round) {
    // Every other world is sparse and hides nothing, so that a location alone is left with several.
    const Withheld world = round % 2 == 0 ? random_world(random) : sparse_world(random);
    std::string truth = "deidentified,identified\n";
    for (const auto& [sample, person] : world.owner) truth += sample + "," + person + "\n";
    int locations = 0;
    for (const auto& [person, visits] : world.people) {
      if (!visits.empty()) locations = std::max(locations, *visits.rbegin() + 1);
    }
    std::optional<std::uint64_t> alone;
    for (const std::size_t size : {1U, 2U}) {
      Fewest expected;
      try_everything_known(world, world.owner, locations, size, expected);
      Fewest by_any_truth;
      Owners owner;
      std::set<std::string> taken;
      for_every_truth(world, world.submitted.begin(), owner, taken,
                      [&] { try_everything_known(world, owner, locations, size, by_any_truth); });
      auto asked = question(world.people, world.published, 2);
      asked.reserved = ReservedSide::deidentified;
      asked.view = TrailView::contributor;
      asked.coalition = size;
      asked.submitted = list("submitted.csv", world.submitted);
      const auto bound = verify(asked);
      asked.truth = file("truth.csv", truth);
      const auto verdict = verify(asked);
      ASSERT_TRUE(verdict.exact);
      ASSERT_EQ(verdict.k_deidentified, expected.left) << round << " " << size;
      ASSERT_EQ(verdict.k_identified, expected.right) << round << " " << size;
      if (bound.exact) {
        ASSERT_EQ(bound.k(), by_any_truth.both()) << round << " " << size;
      } else if (by_any_truth.both()) {
        ASSERT_LE(bound.k(), by_any_truth.both()) << round << " " << size;
        ASSERT_TRUE(bound.k());
        bound_is_useful += *bound.k() > 1 ? 1 : 0;
      }
      if (size == 2 && verdict.k() && alone && *verdict.k() < *alone) ++coalition_matters;
      alone = verdict.k();
    }
  }
  EXPECT_GT(bound_is_useful, 0);
  EXPECT_GT(coalition_matters, 0);
}

// A lists twelve people, B and C six of them each: alone they leave six, together none but one.
TEST_F(UnlinkabilityTest, TwoLocationsTogetherPinASample) {
  Trails people;
  Trails samples;
  Trails published;
  for (int i = 0; i < 13; ++i) {
    Trail visits = {1};
    if (i < 6) visits.insert(2);
    if (i >= 6 && i < 12) visits.insert(3);
    people["p" + std::to_string(i)] = visits;
    samples["s" + std::to_string(i)] = visits;
    published["s" + std::to_string(i)] = {1};
  }
  auto asked = question(people, published, 6);
  asked.reserved = ReservedSide::deidentified;
  asked.view = TrailView::contributor;
  asked.submitted = list("submitted.csv", samples);
  EXPECT_EQ(verify(asked).k(), 7U);
  EXPECT_TRUE(verify(asked).holds());
  asked.coalition = 2;
  const auto verdict = verify(asked);
  EXPECT_TRUE(verdict.exact);
  EXPECT_EQ(verdict.k(), 1U);
  EXPECT_FALSE(verdict.holds());
  ASSERT_FALSE(verdict.worst.empty());
  EXPECT_EQ(verdict.worst[0].contributors, (std::vector<std::string>{"H2", "H3"}));
}

// B names nine of A's ten people. Nine samples that it does not submit are known to it all the
// same.
TEST_F(UnlinkabilityTest, ALocationThatSubmitsLessKnowsNoLess) {
  Trails people;
  Trails honest;
  Trails withheld;
  Trails published;
  for (int i = 0; i < 10; ++i) {
    const Trail visits = i < 9 ? Trail{1, 2} : Trail{1};
    people["p" + std::to_string(i)] = visits;
    honest["s" + std::to_string(i)] = visits;
    withheld["s" + std::to_string(i)] = {1};
    published["s" + std::to_string(i)] = {1};
  }
  for (const Trails& submitted : {honest, withheld}) {
    auto asked = question(people, published, 2);
    asked.reserved = ReservedSide::deidentified;
    asked.view = TrailView::contributor;
    asked.submitted = list("submitted.csv", submitted);
    EXPECT_EQ(verify(asked).k(), 1U);
    EXPECT_FALSE(verify(asked).holds());
  }
}

// Locations that have a sample of everybody they list: whom they know needs no truth.
TEST_F(UnlinkabilityTest, ContributorsWithCompleteListsNeedNoTruth) {
  SeededRandom random(26);
  int protected_worlds = 0;
  for (int round = 0; round < 36; ++round) {
    Withheld world;
    world.people = random_trails(random, "p", 3 + random.below(5), 3, 0.6);
    std::string truth = "deidentified,identified\n";
    for (const auto& [person, visits] : world.people) {
      if (visits.empty()) continue;
      const std::string sample = "s" + person;
      world.submitted[sample] = visits;
      truth += sample + "," + person + "\n";
      if (random.chance(0.8)) world.published[sample] = {*visits.begin()};
    }
    auto asked = question(world.people, world.published, 2);
    asked.reserved = ReservedSide::deidentified;
    asked.view = TrailView::contributor;
    asked.submitted = list("submitted.csv", world.submitted);
    const auto without = verify(asked);
    asked.truth = file("truth.csv", truth);
    const auto with = verify(asked);
    EXPECT_TRUE(without.exact);
    EXPECT_EQ(without.k_deidentified, with.k_deidentified);
    EXPECT_EQ(without.k_identified, with.k_identified);
    EXPECT_EQ(without.violations, with.violations);
    protected_worlds += without.holds() ? 1 : 0;
  }
  // Both kinds are among them.
  EXPECT_GT(protected_worlds, 3);
  EXPECT_LT(protected_worlds, 21);
}

// Figure 8.7 has two of two left to hospital 1: it believes that the hospital, which lists Bob, has
// no sample of his. It may, and then tells whose the fourth is.
TEST_F(UnlinkabilityTest, FigureEightSeven) {
  auto asked = question(kPeople, {{"actg", {1}}, {"ctga", {4}}, {"tgac", {3}}, {"gatc", {2}}}, 2);
  asked.view = TrailView::contributor;
  asked.submitted =
      list("submitted.csv",
           {{"actg", {1, 2, 3}}, {"ctga", {2, 4}}, {"tgac", {1, 3, 4}}, {"gatc", {2, 3}}});
  asked.truth =
      file("truth.csv", "deidentified,identified\nactg,Ali\nctga,Bob\ntgac,Charlie\ngatc,Dan\n");
  const auto verdict = verify(asked);
  // Hospital 2 knows all but tgac, hospital 3 all but ctga: one is left for one. Hospital 4 has
  // actg and gatc left for Ali and Dan, and Dan was never at 1.
  EXPECT_EQ(verdict.k(), 1U);
  std::set<std::string> who;
  for (const auto& few : verdict.worst) {
    if (few.partners == 1) who.insert(few.contributors.at(0));
  }
  EXPECT_EQ(who, (std::set<std::string>{"H1", "H2", "H3", "H4"}));
}

// Every way to pair some samples with people that leaves nobody alone who has a counterpart.
struct PossiblePairs {
  std::size_t worlds = 0;
  std::map<std::string, std::set<std::string>> of_sample;
  std::map<std::string, std::set<std::string>> of_person;
  std::set<std::string> alone;
};

PossiblePairs pairs_by_trying(const Trails& people, const Trails& samples) {
  const auto listed = [](const Trails& side, int at) {
    return std::count_if(side.begin(), side.end(),
                         [&](const auto& element) { return element.second.contains(at); });
  };
  const auto people_complete = [&](int at) { return listed(people, at) >= listed(samples, at); };
  const auto samples_complete = [&](int at) { return listed(samples, at) >= listed(people, at); };
  PossiblePairs found;
  std::vector<std::pair<std::string, std::string>> pairs;
  std::set<std::string> taken;
  const std::function<void(Trails::const_iterator)> give = [&](Trails::const_iterator sample) {
    if (sample == samples.end()) {
      for (const auto& [person, visits] : people) {
        if (!taken.contains(person) &&
            std::any_of(visits.begin(), visits.end(), samples_complete)) {
          return;
        }
      }
      ++found.worlds;
      std::set<std::string> paired;
      for (const auto& [one, other] : pairs) {
        found.of_sample[one].insert(other);
        found.of_person[other].insert(one);
        paired.insert(one);
        paired.insert(other);
      }
      for (const auto* side : {&people, &samples}) {
        for (const auto& [name, trail] : *side) {
          if (!paired.contains(name)) found.alone.insert(name);
        }
      }
      return;
    }
    const std::string& name = sample->first;
    const Trail& seen = sample->second;
    if (std::none_of(seen.begin(), seen.end(), people_complete)) give(std::next(sample));
    for (const auto& entry : people) {
      const std::string& person = entry.first;
      const Trail& visits = entry.second;
      const bool conflict =
          std::any_of(seen.begin(), seen.end(),
                      [&](int at) { return !visits.contains(at) && people_complete(at); }) ||
          std::any_of(visits.begin(), visits.end(),
                      [&](int at) { return !seen.contains(at) && samples_complete(at); });
      if (conflict || taken.contains(person)) continue;
      taken.insert(person);
      pairs.emplace_back(name, person);
      give(std::next(sample));
      pairs.pop_back();
      taken.erase(person);
    }
  };
  give(samples.begin());
  return found;
}

TEST_F(UnlinkabilityTest, EitherSideIncompleteByDefinition) {
  SeededRandom random(6);
  int impossible = 0;
  int protected_worlds = 0;
  for (int round = 0; round < 120; ++round) {
    const int locations = 1 + static_cast<int>(random.below(3));
    std::vector<std::uint64_t> withholds;
    for (int c = 0; c < locations; ++c) withholds.push_back(random.below(3));
    Trails people;
    Trails samples;
    for (int i = 0; i < 5; ++i) {
      for (int c = 0; c < locations; ++c) {
        if (random.chance(0.4)) continue;
        const auto at = static_cast<std::size_t>(c);
        if (withholds[at] != 1 || random.chance(0.5)) people["p" + std::to_string(i)].insert(c);
        // Now and then lists are of other people.
        const int seen = round % 5 == 0 ? static_cast<int>(random.below(3)) : c;
        if (withholds[at] != 2 || random.chance(0.5)) samples["s" + std::to_string(i)].insert(seen);
      }
    }
    if (people.empty() || samples.empty()) continue;
    const auto tried = pairs_by_trying(people, samples);
    auto asked = question(people, samples, 2);
    asked.reserved = ReservedSide::both;
    const auto verdict = verify(asked);
    ASSERT_EQ(verdict.impossible > 0, tried.worlds == 0) << round;
    if (tried.worlds == 0) {
      ASSERT_FALSE(verdict.holds());
      ++impossible;
      continue;
    }
    const auto fewest = [&](const std::map<std::string, std::set<std::string>>& of) {
      std::optional<std::uint64_t> least;
      for (const auto& [name, partners] : of) {
        const std::uint64_t count = partners.size() + (tried.alone.contains(name) ? 1 : 0);
        least = std::min(least.value_or(count), count);
      }
      return least;
    };
    ASSERT_EQ(verdict.k_deidentified, fewest(tried.of_sample)) << round;
    ASSERT_EQ(verdict.k_identified, fewest(tried.of_person)) << round;
    protected_worlds += verdict.holds() ? 1 : 0;
  }
  EXPECT_GT(impossible, 0);
  EXPECT_GT(protected_worlds, 5);
  EXPECT_LT(protected_worlds, 110);
}

// Definition 20, conditions 1 and 2.
TEST_F(UnlinkabilityTest, NothingIsPublishedThatWasNotThere) {
  const Trails people = {{"p0", {1, 2}}, {"p1", {1, 2}}, {"p2", {1}}};
  const Trails samples = {{"s0", {1, 2}}, {"s1", {1, 2}}, {"s2", {1}}};
  auto asked = question({{"p0", {1}}, {"p1", {1, 2}}}, {{"s0", {1}}, {"s1", {1}}}, 2);
  asked.reserved = ReservedSide::both;
  asked.submitted = list("all_samples.csv", samples);
  asked.submitted_identified = list("all_people.csv", people);
  const auto verdict = verify(asked);
  EXPECT_EQ(verdict.suppressed_people, 2U);
  EXPECT_EQ(verdict.suppressed_samples, 3U);
  EXPECT_TRUE(verdict.holds());
  asked.submitted_identified = list("all_people.csv", {{"p0", {1}}, {"p1", {1}}});
  EXPECT_THROW((void)verify(asked), Error);
}

// Figure 6.9: the entropy is largest at k = 2 and falls, while protection grows.
TEST_F(UnlinkabilityTest, ProtectionAndEntropyOfK) {
  const auto figures = [&](int people) {
    Trails all;
    Trails samples;
    for (int i = 0; i < people; ++i) {
      all["p" + std::to_string(i)] = {1};
      samples["s" + std::to_string(i)] = {1};
    }
    const Json json = to_json(verify(question(all, samples, 2)));
    return std::pair(json.at("protection").get<double>(),
                     json.at("ent_unlinkability").get<double>());
  };
  EXPECT_EQ(figures(1), std::pair(0.0, 0.0));
  EXPECT_EQ(figures(2), std::pair(0.5, 1.0));
  EXPECT_DOUBLE_EQ(figures(4).first, 0.75);
  EXPECT_NEAR(figures(4).second, 0.25 * 2 + 0.75 * std::log2(4.0 / 3), 1e-12);
  EXPECT_LT(figures(8).second, figures(4).second);
}

TEST_F(UnlinkabilityTest, FoldersPatternsAndColumns) {
  std::filesystem::create_directories(folder.path() + "/names");
  std::filesystem::create_directories(folder.path() + "/sites/north");
  std::filesystem::create_directories(folder.path() + "/sites/south");
  (void)file("names/north.csv", "first,last\nAnn,Oak\nBob,Elm\nAnn,Oak\n");
  (void)file("names/south.csv", "first,last\nAnn,Oak\nCid,Ash\n");
  // What lies beside the lists in their folder is none.
  (void)file("names/README.md", "first,last\nDan,Fir\n");
  (void)file("names/.east.csv", "first,last\nDan,Fir\n");
  std::filesystem::create_directories(folder.path() + "/names/west.csv");
  (void)file("sites/north/dna.csv", "dna,ward\nacgt,1\n");
  (void)file("sites/south/dna.csv", "dna,ward\nacgt,2\nggta,3\n");
  UnlinkabilityQuestion asked;
  asked.identified = {.path = folder.path() + "/names", .element_columns = {"first", "last"}};
  asked.deidentified = {.path = folder.path() + "/sites/*/dna.csv", .element_columns = {"dna"}};
  const auto verdict = verify(asked);
  EXPECT_EQ(verdict.identified, 3U);
  EXPECT_EQ(verdict.deidentified, 2U);
  EXPECT_EQ(verdict.locations, 2U);
  EXPECT_EQ(verdict.reserved, ReservedSide::deidentified);
  EXPECT_EQ(verdict.k(), 1U);  // acgt was at both places, as only Ann Oak
}

TEST_F(UnlinkabilityTest, WhatIsAssumedIsTold) {
  auto asked = question({{"a", {1}}, {"b", {2}}}, {{"x", {1}}, {"y", {2}}}, 1);
  const auto told = [&](std::optional<ReservedSide> reserved) {
    asked.reserved = reserved;
    return to_json(verify(asked))["assumption"].get<std::string>();
  };
  EXPECT_EQ(told({}), "both sides are complete (detected from the sizes per location)");
  EXPECT_EQ(told(ReservedSide::none), "both sides are complete (as said)");
  EXPECT_EQ(told(ReservedSide::identified), "identified trails may be incomplete (as said)");
  EXPECT_EQ(told(ReservedSide::deidentified), "de-identified trails may be incomplete (as said)");
}

TEST_F(UnlinkabilityTest, ErrorsSayWhatToDo) {
  const auto refused = [&](const UnlinkabilityQuestion& asked) {
    try {
      (void)verify(asked);
    } catch (const Error& error) {
      EXPECT_FALSE(error.hint().empty());
      return error.message();
    }
    return std::string("was accepted");
  };
  auto asked = question({{"a", {1}}, {"b", {1}}}, {{"x", {2}}}, 2);
  EXPECT_NE(refused(asked).find("neither side"), std::string::npos);
  asked = question(kPeople, {{"x", {1}}}, 2);
  asked.view = TrailView::central;
  EXPECT_NE(refused(asked).find("submitted"), std::string::npos);
  asked.submitted = list("submitted.csv", {{"x", {2}}});
  EXPECT_NE(refused(asked).find("did not submit"), std::string::npos);
  asked.submitted = list("submitted.csv", {{"x", {1}}, {"y", {2}}});
  for (const auto complete : {ReservedSide::identified, ReservedSide::none}) {
    asked.reserved = complete;
    EXPECT_NE(refused(asked).find("samples are the incomplete side"), std::string::npos);
  }
  asked.reserved.reset();
  asked.view = TrailView::contributor;
  asked.truth = file("truth.csv", "deidentified,identified\nx,Ali\n");
  EXPECT_NE(refused(asked).find("no owner"), std::string::npos);
  asked.truth = file("truth.csv", "deidentified,identified\nx,Ali\ny,Ali\n");
  EXPECT_NE(refused(asked).find("two samples"), std::string::npos);
  asked.truth = file("truth.csv", "deidentified,identified\nx,Ali\ny,Charlie\n");
  EXPECT_NE(refused(asked).find("seen where its owner was not"), std::string::npos);  // at H2
  asked.truth = file("truth.csv", "deidentified,identified\nx,Ali\ny,Dan\n");
  EXPECT_EQ(refused(asked), "was accepted");
  asked.truth = file("truth.csv", "deidentified,identified\nx,Eve\n");
  EXPECT_NE(refused(asked).find("no location"), std::string::npos);
  asked = question(kPeople, {{"x", {1}}}, 2);
  (void)file("deidentified.csv", "location,element\nH1,\n");
  EXPECT_NE(refused(asked).find("'element'"), std::string::npos);
}

// Whoever wrote NA named nobody: such rows would count as people who hide the others.
TEST_F(UnlinkabilityTest, RowsWithoutANameAreNobody) {
  const std::string three = "location,element\nH1,P1\nH1,P2\nH1,P3\n";
  const auto refusal = [&](const std::string& people, const std::string& samples) {
    UnlinkabilityQuestion asked;
    asked.identified.path = file("people.csv", people);
    asked.deidentified.path = file("samples.csv", samples);
    asked.reserved = ReservedSide::deidentified;
    try {
      EXPECT_EQ(verify(asked).k(), 3U);
    } catch (const Error& error) {
      return error.place() + ": " + error.message();
    }
    return std::string();
  };
  const std::string sample = "location,element\nH1,s1\n";
  EXPECT_EQ(refusal(three, sample), "");
  for (const std::string nothing :
       {"NA", "unknown", "N/A", "-", "  ", " null", "\xc2\xa0", "'_'"}) {
    EXPECT_EQ(refusal(three + "H1," + nothing + "\n", sample),
              folder.path() + "/people.csv" + ": row 4 has no value in column 'element'");
    EXPECT_EQ(refusal(three, sample + "H1," + nothing + "\n"),
              folder.path() + "/samples.csv" + ": row 2 has no value in column 'element'");
    EXPECT_EQ(refusal(three + nothing + ",P4\n", sample),
              folder.path() + "/people.csv" + ": row 4 has no value in column 'location'");
  }
}

// A part that is not known leaves the others to name somebody.
TEST_F(UnlinkabilityTest, ElementsOfSeveralColumnsNeedOneThatNamesThem) {
  const auto k = [&](const std::string& row) {
    UnlinkabilityQuestion asked;
    asked.identified.path =
        file("people.csv", "location,name,born\nH1,Ann,1970\nH1,Bob,NA\n" + row);
    asked.identified.element_columns = {"name", "born"};
    asked.deidentified.path = file("samples.csv", "location,element\nH1,s1\n");
    asked.reserved = ReservedSide::deidentified;
    return verify(asked).k();
  };
  EXPECT_EQ(k(""), 2U);
  EXPECT_EQ(k("H1,NA,1971\n"), 3U);
  for (const auto* row : {"H1,NA,unknown\n", "H1,-,?\n", "H1,,1971\n", "H1,Cy,  \n"})
    EXPECT_THROW((void)k(row), Error) << row;
}

}  // namespace
}  // namespace pratique::verify::unlinkability_test
