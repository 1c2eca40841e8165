#include "pratique/fusion/differencing.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::differencing_test {
namespace {

struct Person {
  std::uint32_t value = 0;
  std::uint32_t before = ClassValues::kNowhere;  // the class; kNowhere: not in the release
  std::uint32_t after = ClassValues::kNowhere;
};
using People = std::vector<Person>;

ClassValues release_of(const People& people, std::uint32_t Person::*place, std::size_t classes) {
  std::vector<std::map<std::uint32_t, std::uint64_t>> counts(classes);
  ClassValues release;
  for (const auto& person : people) {
    release.class_of.push_back(person.*place);
    if (person.*place != ClassValues::kNowhere) ++counts[person.*place][person.value];
  }
  for (const auto& values : counts) release.classes.emplace_back(values.begin(), values.end());
  return release;
}

Differencing subtract_versions(const People& people, std::size_t classes,
                               const DifferencingLimits& limits) {
  return subtract(release_of(people, &Person::before, classes),
                  release_of(people, &Person::after, classes), limits);
}

// Those in classes of the mask.
bool in(std::uint32_t place, unsigned mask) {
  return place != ClassValues::kNowhere && (mask >> place & 1U) != 0;
}

// People of one side alone, from who they are: their values less those of the other side alone.
struct Alone {
  std::uint64_t people = 0;
  std::uint64_t values = 0;
  std::uint64_t distinct = 0;
  [[nodiscard]] std::uint64_t exposed(const DifferencingLimits& limits) const {
    const bool few = people < limits.k || (people == values && distinct < limits.l);
    return values > 0 && few ? people : 0;
  }
};
Alone alone(const People& people, std::uint32_t Person::*here, unsigned mask,
            std::uint32_t Person::*there, unsigned other) {
  std::map<std::uint32_t, int> net;
  Alone rest;
  for (const auto& person : people) {
    const bool is_here = in(person.*here, mask);
    const bool is_there = in(person.*there, other);
    if (is_here && !is_there) ++rest.people, ++net[person.value];
    if (!is_here && is_there) --net[person.value];
  }
  for (const auto& [value, count] : net) {
    if (count <= 0) continue;
    rest.values += static_cast<std::uint64_t>(count);
    ++rest.distinct;
  }
  return rest;
}
std::uint64_t exposed(const People& people, unsigned before, unsigned after,
                      const DifferencingLimits& limits) {
  return alone(people, &Person::after, after, &Person::before, before).exposed(limits) +
         alone(people, &Person::before, before, &Person::after, after).exposed(limits);
}

TEST(Differencing, TellsTheValueOfWhoJoined) {
  People people;
  for (std::uint32_t p = 0; p < 6; ++p) people.push_back({p % 3, 0, 0});
  for (std::uint32_t p = 0; p < 5; ++p) people.push_back({p % 3, 1, 1});
  const DifferencingLimits limits{.k = 5, .l = 3};
  EXPECT_EQ(subtract_versions(people, 2, limits).people(), 0U);
  people.push_back({3, ClassValues::kNowhere, 1});
  auto found = subtract_versions(people, 2, limits);
  EXPECT_EQ(found.joined, 1U);
  EXPECT_EQ(found.left, 0U);
  EXPECT_EQ(found.fewest, 1U);
  // A value that others of the class have too is told as well.
  people.back().value = 0;
  EXPECT_EQ(subtract_versions(people, 2, limits).joined, 1U);
  // Five who join together hide each other, unless they have fewer than three values.
  for (std::uint32_t p = 0; p < 4; ++p) people.push_back({0, ClassValues::kNowhere, 1});
  EXPECT_EQ(subtract_versions(people, 2, limits).joined, 5U);
  people[people.size() - 1].value = 1;
  EXPECT_EQ(subtract_versions(people, 2, limits).joined, 5U);
  people[people.size() - 2].value = 2;
  EXPECT_EQ(subtract_versions(people, 2, limits).joined, 0U);
  // The same of those who leave.
  people.push_back({0, 0, ClassValues::kNowhere});
  found = subtract_versions(people, 2, limits);
  EXPECT_EQ(found.joined, 0U);
  EXPECT_EQ(found.left, 1U);
}

TEST(Differencing, NeedsNobodyToJoinWhereClassesAreNested) {
  // Five and five before; six, the first five among them, and four after.
  People people;
  for (std::uint32_t p = 0; p < 10; ++p)
    people.push_back({p % 5, p < 5 ? 0U : 1U, p < 6 ? 0U : 1U});
  EXPECT_EQ(subtract_versions(people, 2, {.k = 4, .l = 2}).joined, 1U);
}

TEST(Differencing, ThoseOfWhomNothingIsKnownMayBeAnybody) {
  // The attacker knows two of five people who are in both; the three others may have changed places
  // with anybody, so six less two may have joined.
  ClassValues before{{{{0, 3}, {1, 2}}}, {0, 0}};
  ClassValues after{{{{0, 3}, {1, 2}, {2, 1}}}, {0, 0}};
  EXPECT_EQ(subtract(before, after, {.k = 4, .l = 2}).people(), 0U);
  EXPECT_EQ(subtract(before, after, {.k = 5, .l = 2}).joined, 4U);
}

// Where the classes of one release are unions of the other's,
// the coarser classes are all that can be subtracted.
RC_GTEST_PROP(Differencing, IsTheDefinitionWhereOneReleaseIsCoarser, ()) {
  const bool later_is_coarser = *rc::gen::arbitrary<bool>();
  const DifferencingLimits limits{.k = *rc::gen::inRange<std::uint64_t>(2, 5),
                                  .l = *rc::gen::inRange<std::uint64_t>(2, 4)};
  People people;
  for (int p = *rc::gen::inRange(1, 16); p > 0; --p) {
    const auto fine = *rc::gen::inRange<std::uint32_t>(0, 4);
    Person person{*rc::gen::inRange<std::uint32_t>(0, 4), fine, fine};
    (later_is_coarser ? person.after : person.before) = fine / 2;
    switch (*rc::gen::weightedElement<int>({{6, 0}, {1, 1}, {1, 2}})) {
      case 1:
        person.before = ClassValues::kNowhere;
        break;
      case 2:
        person.after = ClassValues::kNowhere;
        break;
      default:
        break;
    }
    people.push_back(person);
  }
  std::uint64_t expected = 0;
  for (unsigned coarse = 0; coarse < 2; ++coarse) {
    unsigned fine = 0;  // that share somebody with it
    for (const auto& person : people) {
      const auto there = later_is_coarser ? person.after : person.before;
      const auto here = later_is_coarser ? person.before : person.after;
      if (there == coarse && here != ClassValues::kNowhere) fine |= 1U << here;
    }
    if (fine == 0) continue;
    expected += later_is_coarser ? exposed(people, fine, 1U << coarse, limits)
                                 : exposed(people, 1U << coarse, fine, limits);
  }
  RC_ASSERT(subtract_versions(people, 4, limits).people() == expected);
}

// With any classes: what is found is the difference of some union of classes and another that holds
// all of its people who are in both; and every difference of one class and all within it is found.
RC_GTEST_PROP(Differencing, FindsOnlyAndAllThatIsNested, ()) {
  const DifferencingLimits limits{.k = *rc::gen::inRange<std::uint64_t>(2, 5),
                                  .l = *rc::gen::inRange<std::uint64_t>(2, 4)};
  constexpr unsigned kClasses = 4;
  People people;
  for (int p = *rc::gen::inRange(1, 20); p > 0; --p) {
    const auto place = [&] {
      const auto drawn = *rc::gen::inRange<std::uint32_t>(0, kClasses + 1);
      return drawn == kClasses ? ClassValues::kNowhere : drawn;
    };
    people.push_back({*rc::gen::inRange<std::uint32_t>(0, 4), place(), place()});
  }
  const auto is_nested = [&](std::uint32_t Person::*here, unsigned mask,
                             std::uint32_t Person::*there, unsigned other) {
    return std::all_of(people.begin(), people.end(), [&](const Person& person) {
      return !in(person.*here, mask) || person.*there == ClassValues::kNowhere ||
             in(person.*there, other);
    });
  };
  std::uint64_t most = 0;
  std::uint64_t most_of_one = 0;
  for (unsigned before = 1; before < 1U << kClasses; ++before) {
    for (unsigned after = 1; after < 1U << kClasses; ++after) {
      const bool inside = is_nested(&Person::before, before, &Person::after, after);
      const bool around = is_nested(&Person::after, after, &Person::before, before);
      if (!inside && !around) continue;
      most = std::max(most, exposed(people, before, after, limits));
    }
  }
  for (unsigned one = 0; one < kClasses; ++one) {
    for (const bool later : {false, true}) {
      const auto here = later ? &Person::after : &Person::before;
      const auto there = later ? &Person::before : &Person::after;
      unsigned within = 0;
      for (unsigned other = 0; other < kClasses; ++other) {
        const bool meets = std::any_of(people.begin(), people.end(), [&](const Person& person) {
          return person.*here == one && person.*there == other;
        });
        if (meets && is_nested(there, 1U << other, here, 1U << one)) within |= 1U << other;
      }
      if (within == 0) continue;
      most_of_one = std::max(most_of_one, later ? exposed(people, within, 1U << one, limits)
                                                : exposed(people, 1U << one, within, limits));
    }
  }
  const auto found = subtract_versions(people, kClasses, limits).people();
  RC_ASSERT(found >= most_of_one);
  RC_ASSERT(found == 0 || most > 0);
}

// One woman and four men joined; of what all of them brought, flu and asthma, no woman has asthma.
TEST(Differencing, TheOnlyWomanWhoJoinedHasWhatIsLeftForWomen) {
  People people;
  const auto add = [&](int count, std::uint32_t value, std::uint32_t before, std::uint32_t after) {
    people.insert(people.end(), static_cast<std::size_t>(count), {value, before, after});
  };
  constexpr std::uint32_t kFlu = 0;
  constexpr std::uint32_t kHiv = 1;
  constexpr std::uint32_t kAsthma = 2;
  constexpr std::uint32_t kWomen = 0;
  constexpr std::uint32_t kMen = 1;
  for (const auto sex : {kWomen, kMen}) {
    add(5, kFlu, 0, sex);
    add(5, kHiv, 0, sex);
  }
  add(1, kFlu, ClassValues::kNowhere, kWomen);
  add(4, kAsthma, ClassValues::kNowhere, kMen);
  const auto found = subtract_versions(people, 2, {.k = 5, .l = 2});
  EXPECT_EQ(found.people(), 0U);  // five of them, with two values
  EXPECT_EQ(found.narrowed, 5U);
  EXPECT_EQ(found.exposed(), 5U);
  // A man with flu, too, and a woman with asthma: now each may have either.
  add(1, kFlu, ClassValues::kNowhere, kMen);
  add(1, kAsthma, ClassValues::kNowhere, kWomen);
  EXPECT_EQ(subtract_versions(people, 2, {.k = 5, .l = 2}).narrowed, 0U);
  // Whoever is not on the list of people might be anybody in the class.
  people.pop_back();
  auto unknown = release_of(people, &Person::after, 2);
  unknown.class_of.back() = ClassValues::kNowhere;
  EXPECT_EQ(subtract(release_of(people, &Person::before, 2), unknown, {.k = 5, .l = 2}).narrowed,
            0U);
}

// A list of people tells where they are by their cells: who joined later fits the one class of the
// earlier release as well.
ClassValues with_everybody_in_its_class(ClassValues release) {
  for (auto& place : release.class_of) place = 0;
  return release;
}

TEST(Differencing, WhoJoinedNeedNotBeKnown) {
  People people;
  for (const std::uint32_t sex : {0U, 1U}) {
    people.insert(people.end(), 5, {0, 0, sex});
    people.insert(people.end(), 5, {1, 0, sex});
  }
  people.push_back({0, ClassValues::kNowhere, 0});
  people.insert(people.end(), 4, {2, ClassValues::kNowhere, 1});
  const auto subtracted = [&] {
    return subtract(with_everybody_in_its_class(release_of(people, &Person::before, 2)),
                    release_of(people, &Person::after, 2), {.k = 5, .l = 2});
  };
  // If one woman did, she has flu. One man alone cannot have been: no woman has asthma.
  EXPECT_EQ(subtracted().people(), 0U);
  EXPECT_EQ(subtracted().narrowed, 1U);
  // Flu and asthma are of both sexes: the only one may have either, or cannot have been the only
  // one.
  people.resize(20);
  for (const std::uint32_t sex : {0U, 1U}) {
    people.insert(people.end(), 3, {0, ClassValues::kNowhere, sex});
    people.insert(people.end(), 3, {2, ClassValues::kNowhere, sex});
  }
  people.push_back({0, ClassValues::kNowhere, 0});
  people.push_back({1, ClassValues::kNowhere, 1});
  EXPECT_EQ(subtracted().narrowed, 0U);
}

// Whoever is counted so is told something about, if so many of each class joined as nobody can rule
// out.
RC_GTEST_PROP(Differencing, WhoMayHaveJoinedIsTriedByAllWaysToJoin, ()) {
  constexpr std::uint32_t kClasses = 3;
  const DifferencingLimits limits{.k = 1, .l = 2};
  People people;
  std::vector<std::size_t> size(kClasses, 0);
  for (int p = *rc::gen::inRange(2, 9); p > 0; --p) {
    const auto place = *rc::gen::inRange<std::uint32_t>(0, kClasses);
    ++size[place];
    people.push_back({*rc::gen::inRange<std::uint32_t>(0, 3),
                      *rc::gen::arbitrary<bool>() ? 0 : ClassValues::kNowhere, place});
  }
  const auto before = release_of(people, &Person::before, 1);
  const auto after = release_of(people, &Person::after, kClasses);
  const auto joined = static_cast<std::size_t>(
      std::count(before.class_of.begin(), before.class_of.end(), ClassValues::kNowhere));
  RC_PRE(joined > 0 && joined < people.size());
  const auto found = subtract(with_everybody_in_its_class(before), after, limits).narrowed;
  bool any = false;
  for (std::size_t a = 0; a <= size[0]; ++a) {
    for (std::size_t b = 0; b <= size[1]; ++b) {
      if (a + b > joined || joined - a - b > size[2]) continue;
      std::array<std::size_t, kClasses> open = {a, b, joined - a - b};
      auto known = before;
      for (std::size_t p = 0; p < people.size(); ++p) {
        auto& left = open.at(people[p].after);
        known.class_of[p] = left > 0 ? ClassValues::kNowhere : 0;
        if (left > 0) --left;
      }
      any = any || subtract(known, after, limits).narrowed > 0;
    }
  }
  RC_ASSERT(found == 0 || any);
}

// By trying all values that people may have, so that both releases come out as they are: which are
// possible for each.
std::vector<std::set<std::uint32_t>> possible_values(const People& people, std::size_t classes,
                                                     std::uint32_t kinds) {
  const auto shown = [&](const People& tried) {
    return std::pair(release_of(tried, &Person::before, classes).classes,
                     release_of(tried, &Person::after, classes).classes);
  };
  const auto are = shown(people);
  std::vector<std::set<std::uint32_t>> possible(people.size());
  People tried = people;
  for (auto& person : tried) person.value = 0;
  for (bool more = true; more;) {
    if (shown(tried) == are) {
      for (std::size_t p = 0; p < tried.size(); ++p) possible[p].insert(tried[p].value);
    }
    more = false;
    for (auto& person : tried) {
      person.value = (person.value + 1) % kinds;
      more = person.value != 0;
      if (more) break;
    }
  }
  return possible;
}

// Nobody is counted who may have l values. Where one release is a single class, everybody is who
// joined, and everybody who is in both and may not by the other release.
RC_GTEST_PROP(Differencing, WhoIsLeftWithFewValuesIsFoundByTryingAll, ()) {
  constexpr std::uint32_t kKinds = 3;
  constexpr std::uint32_t kClasses = 3;
  const DifferencingLimits limits{.k = 1, .l = *rc::gen::inRange<std::uint64_t>(2, 4)};
  const bool one_before = *rc::gen::arbitrary<bool>();
  People people;
  for (int p = *rc::gen::inRange(2, 8); p > 0; --p) {
    const auto place = [&](std::uint32_t most) {
      const auto drawn = *rc::gen::inRange<std::uint32_t>(0, most + 1);
      return drawn == most ? ClassValues::kNowhere : drawn;
    };
    people.push_back({*rc::gen::inRange<std::uint32_t>(0, kKinds), place(one_before ? 1 : kClasses),
                      place(kClasses)});
  }
  const auto possible = possible_values(people, kClasses, kKinds);
  const auto after = release_of(people, &Person::after, kClasses);
  std::uint64_t few = 0;
  std::uint64_t by_later = 0;
  bool meet = false;
  bool left = false;
  for (std::size_t p = 0; p < people.size(); ++p) {
    const auto [value, was, is] = people[p];
    meet = meet || (was != ClassValues::kNowhere && is != ClassValues::kNowhere);
    left = left || is == ClassValues::kNowhere;
    if (possible[p].size() >= limits.l) continue;
    ++few;
    if (is != ClassValues::kNowhere && after.classes[is].size() >= limits.l) ++by_later;
  }
  const auto found = subtract_versions(people, kClasses, limits).narrowed;
  RC_ASSERT(found <= few);
  // Compared are classes that share somebody; nobody who left may stand in between.
  const bool all_meet = std::all_of(people.begin(), people.end(), [&](const Person& person) {
    return person.after == ClassValues::kNowhere ||
           std::any_of(people.begin(), people.end(), [&](const Person& other) {
             return other.after == person.after && other.before != ClassValues::kNowhere;
           });
  });
  if (one_before && meet && all_meet && !left) RC_ASSERT(found >= by_later);
}

TEST(Differencing, OfTablesFindsPeopleByTheirCells) {
  const Table before = tables::table_of(
      {"age", "illness"},
      {{"20..29", "flu"}, {"20..29", "gout"}, {"25..34", "flu"}, {"25..34", "cough"}});
  const Table after = tables::table_of({"age", "illness"}, {{"20..29", "flu"},
                                                            {"20..29", "gout"},
                                                            {"20..29", "asthma"},
                                                            {"25..34", "flu"},
                                                            {"25..34", "cough"}});
  const CompositionOptions options{
      .quasi_identifiers = {"age"}, .sensitive = "illness", .truth = {}};
  const auto compare = [&](const Table& people, std::optional<RandomisedColumn> randomised = {}) {
    return subtract({.name = "1", .table = before, .randomised = randomised},
                    {.name = "2", .table = after}, people, options, {.k = 2, .l = 2});
  };
  const Table apart = tables::table_of({"age"}, {{"21"}, {"22"}, {"23"}, {"31"}, {"32"}});
  EXPECT_EQ(compare(apart).joined, 1U);
  // One who fits both classes joins them; the difference is the same.
  const Table between = tables::table_of({"age"}, {{"21"}, {"22"}, {"27"}, {"31"}, {"32"}});
  EXPECT_EQ(compare(between).joined, 1U);
  EXPECT_EQ(compare(between).compared, compare(apart).compared - 3);
  // What was drawn at random does not cancel.
  EXPECT_EQ(compare(apart, RandomisedColumn{}).compared, 0U);
}

}  // namespace
}  // namespace pratique::fusion::differencing_test
