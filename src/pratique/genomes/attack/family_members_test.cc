#include "pratique/genomes/attack/family_members.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::genomes::family_members_test {
namespace {

using Links = std::vector<std::pair<std::size_t, std::size_t>>;

FamilyMarks no_marks(const std::vector<Pedigree>& pedigrees) {
  FamilyMarks marks;
  for (const auto& pedigree : pedigrees) marks.emplace_back(pedigree.people.size(), 0);
  return marks;
}

Links links_in(const Pedigree& here, const std::vector<std::uint64_t>& marks, const Pedigree& there,
               const std::vector<std::uint64_t>& other_marks, const FamilyKnowledge& knowledge) {
  Links links;
  for (const auto& link :
       match_members({here}, {marks}, {there}, {other_marks}, knowledge, Progress::silent()))
    links.emplace_back(link.here.person, link.there.person);
  std::sort(links.begin(), links.end());
  return links;
}

// Who is who, by all ways to map one family to the other.
Links by_enumeration(const Pedigree& here, const std::vector<std::uint64_t>& marks,
                     const Pedigree& there, const std::vector<std::uint64_t>& other_marks,
                     const FamilyKnowledge& knowledge) {
  const std::size_t n = here.people.size();
  std::vector<std::size_t> to(n);
  std::iota(to.begin(), to.end(), 0U);
  std::vector<std::vector<bool>> possible(n, std::vector<bool>(n, false));
  bool any = false;
  do {
    bool fits = true;
    for (std::size_t p = 0; p < n && fits; ++p) {
      const Relative& a = here.people[p];
      const Relative& b = there.people[to[p]];
      const auto parent_fits = [&](std::int32_t own, std::int32_t other) {
        if (own == kNoParent || other == kNoParent) return own == other;
        return to[static_cast<std::size_t>(own)] == static_cast<std::size_t>(other);
      };
      fits = marks[p] == other_marks[to[p]] && (!knowledge.sex || a.sex == b.sex) &&
             parent_fits(a.father, b.father) && parent_fits(a.mother, b.mother);
      // Siblings keep their order.
      for (std::size_t q = 0; q < p && fits && knowledge.birth_order; ++q) {
        const Relative& c = here.people[q];
        const bool siblings = (a.father != kNoParent && a.father == c.father) ||
                              (a.mother != kNoParent && a.mother == c.mother);
        fits = !siblings || to[q] < to[p];
      }
    }
    if (!fits) continue;
    any = true;
    for (std::size_t p = 0; p < n; ++p) possible[p][to[p]] = true;
  } while (std::next_permutation(to.begin(), to.end()));
  Links links;
  for (std::size_t p = 0; any && p < n; ++p) {
    if (marks[p] != 0 || std::count(possible[p].begin(), possible[p].end(), true) != 1) continue;
    const auto q = std::find(possible[p].begin(), possible[p].end(), true) - possible[p].begin();
    links.emplace_back(p, static_cast<std::size_t>(q));
  }
  return links;
}

// Founders first, then children of two of those before them.
Pedigree random_family(SeededRandom& random, std::size_t size) {
  Pedigree family;
  for (std::size_t p = 0; p < size; ++p) {
    Relative person{.name = std::to_string(p)};
    person.sex = random.chance(0.5) ? Sex::male : Sex::female;
    std::vector<std::int32_t> fathers;
    std::vector<std::int32_t> mothers;
    for (std::size_t q = 0; q < p; ++q) {
      (family.people[q].sex == Sex::male ? fathers : mothers)
          .push_back(static_cast<std::int32_t>(q));
    }
    if (!fathers.empty() && !mothers.empty() && random.chance(0.8)) {
      person.father = fathers[random.below(fathers.size())];
      person.mother = mothers[random.below(mothers.size())];
    }
    family.people.push_back(person);
  }
  return family;
}

TEST(FamilyMembers, AreThoseWhomEveryMapAgreesOn) {
  SeededRandom random(5);
  std::size_t linked = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Pedigree here = random_family(random, 2 + random.below(5));
    const std::size_t n = here.people.size();
    for (const bool order : {true, false}) {
      for (const bool sex : {true, false}) {
        const FamilyKnowledge knowledge{.sex = sex, .status = true, .birth_order = order};
        std::vector<std::uint64_t> marks(n, 0);
        if (random.chance(0.5)) marks[random.below(n)] = 77;
        const auto found = links_in(here, marks, here, marks, knowledge);
        const auto expected = by_enumeration(here, marks, here, marks, knowledge);
        EXPECT_EQ(found, expected) << trial << order << sex;
        linked += found.size();
      }
    }
  }
  EXPECT_GT(linked, 500U);
}

TEST(FamilyMembers, AMarkTellsTwinsAndFamiliesApart) {
  // Two boys whose order nobody knows.
  const Pedigree family = {"a",
                           {{"f", kNoParent, kNoParent, Sex::male},
                            {"m", kNoParent, kNoParent, Sex::female},
                            {"x", 0, 1, Sex::male},
                            {"y", 0, 1, Sex::male}}};
  const FamilyKnowledge without_order{.birth_order = false};
  EXPECT_EQ(links_in(family, {0, 0, 0, 0}, family, {0, 0, 0, 0}, without_order),
            (Links{{0, 0}, {1, 1}}));
  EXPECT_EQ(links_in(family, {0, 0, 5, 0}, family, {0, 0, 0, 5}, without_order),
            (Links{{0, 0}, {1, 1}, {3, 2}}));
  // Two families of one shape are nobody's, until somebody of one is known.
  const std::vector<Pedigree> two = {family, family};
  EXPECT_TRUE(
      match_members(two, no_marks(two), two, no_marks(two), {}, Progress::silent()).empty());
  FamilyMarks marks = no_marks(two);
  marks[1][0] = 9;
  FamilyMarks others = no_marks(two);
  others[0][0] = 9;
  // The marked family is known, and so is the other, which is all that is left.
  EXPECT_EQ(match_members(two, marks, two, others, {}, Progress::silent()).size(), 7U);
}

}  // namespace
}  // namespace pratique::genomes::family_members_test
