#include "pratique/genomes/attack/family_structure.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "pratique/crypto/random.h"

namespace pratique::genomes::family_structure_test {
namespace {

// The same family with its founders anywhere among the others, who stay in birth order.
Pedigree shuffled(const Pedigree& pedigree, SeededRandom& random) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pedigree.people.size(); ++i) {
    if (pedigree.people[i].father != kNoParent) order.push_back(i);
  }
  for (std::size_t i = 0; i < pedigree.people.size(); ++i) {
    if (pedigree.people[i].father != kNoParent) continue;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(random.below(order.size() + 1)), i);
  }
  std::vector<std::int32_t> moved(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[order[i]] = static_cast<std::int32_t>(i);
  Pedigree other;
  for (const auto i : order) {
    Relative person = pedigree.people[i];
    person.name = "x" + std::to_string(random.below(1000));
    if (person.father != kNoParent) person.father = moved[static_cast<std::size_t>(person.father)];
    if (person.mother != kNoParent) person.mother = moved[static_cast<std::size_t>(person.mother)];
    other.people.push_back(person);
  }
  return other;
}

Pedigree trio(Affection father, Affection mother, Affection child, Sex sex) {
  Pedigree family;
  family.people = {{"f", kNoParent, kNoParent, Sex::male, father},
                   {"m", kNoParent, kNoParent, Sex::female, mother},
                   {"c", 0, 1, sex, child}};
  return family;
}

TEST(FamilyStructure, ATrioHasSixteenVariants) {
  // B.2.1: 2 x 2 x 4 of father, mother, and child with its sex.
  std::set<std::string> structures;
  for (const auto father : {Affection::affected, Affection::unaffected}) {
    for (const auto mother : {Affection::affected, Affection::unaffected}) {
      for (const auto child : {Affection::affected, Affection::unaffected}) {
        for (const auto sex : {Sex::male, Sex::female})
          structures.insert(canonical_structure(trio(father, mother, child, sex), {}));
      }
    }
  }
  EXPECT_EQ(structures.size(), 16U);
}

TEST(FamilyStructure, NeitherNamesNorTheOrderOfLinesMatter) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SeededRandom random(seed);
    Pedigree family =
        trio(Affection::affected, Affection::unaffected, Affection::unaffected, Sex::female);
    // Children of random couples, now and then with a partner from outside.
    for (int i = 0; i < 8; ++i) {
      std::int32_t father = kNoParent;
      std::int32_t mother = kNoParent;
      for (std::size_t p = 0; p < family.people.size(); ++p) {
        if (!random.chance(0.5)) continue;
        (family.people[p].sex == Sex::male ? father : mother) = static_cast<std::int32_t>(p);
      }
      if (father == kNoParent || mother == kNoParent) father = mother = kNoParent;
      family.people.push_back({"n", father, mother, random.chance(0.5) ? Sex::male : Sex::female,
                               random.chance(0.5) ? Affection::affected : Affection::unaffected});
    }
    const std::string structure = canonical_structure(family, {});
    EXPECT_EQ(canonical_structure(shuffled(family, random), {}), structure) << seed;
    Pedigree changed = family;
    changed.people[3].affection = changed.people[3].affection == Affection::affected
                                      ? Affection::unaffected
                                      : Affection::affected;
    EXPECT_NE(canonical_structure(changed, {}), structure) << seed;
    EXPECT_EQ(canonical_structure(changed, {.status = false}),
              canonical_structure(family, {.status = false}))
        << seed;
  }
}

TEST(FamilyStructure, BirthOrderTellsFamiliesApart) {
  Pedigree son_first =
      trio(Affection::unaffected, Affection::unaffected, Affection::unaffected, Sex::male);
  Pedigree daughter_first =
      trio(Affection::unaffected, Affection::unaffected, Affection::unaffected, Sex::female);
  son_first.people.push_back({"d", 0, 1, Sex::female, Affection::unaffected});
  daughter_first.people.push_back({"s", 0, 1, Sex::male, Affection::unaffected});
  EXPECT_NE(canonical_structure(son_first, {}), canonical_structure(daughter_first, {}));
  EXPECT_EQ(canonical_structure(son_first, {.birth_order = false}),
            canonical_structure(daughter_first, {.birth_order = false}));
}

// The same family with its people in any order.
Pedigree reordered(const Pedigree& pedigree, SeededRandom& random) {
  std::vector<std::size_t> order(pedigree.people.size());
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(order);
  std::vector<std::int32_t> moved(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) moved[order[i]] = static_cast<std::int32_t>(i);
  Pedigree other;
  for (const auto i : order) {
    Relative person = pedigree.people[i];
    if (person.father != kNoParent) person.father = moved[static_cast<std::size_t>(person.father)];
    if (person.mother != kNoParent) person.mother = moved[static_cast<std::size_t>(person.mother)];
    other.people.push_back(person);
  }
  return other;
}

Relative relative(Sex sex, std::int32_t father = kNoParent, std::int32_t mother = kNoParent) {
  return {.name = "n", .father = father, .mother = mother, .sex = sex};
}

TEST(FamilyStructure, WithoutBirthOrderNoOrderMatters) {
  const FamilyKnowledge knowledge{.birth_order = false};
  constexpr Sex kMan = Sex::male;
  constexpr Sex kWoman = Sex::female;
  // A man, two wives, and two sons of each.
  const Pedigree two_wives = {
      "",
      {relative(kMan), relative(kWoman), relative(kWoman), relative(kMan, 0, 1),
       relative(kMan, 0, 1), relative(kMan, 0, 2), relative(kMan, 0, 2)}};
  // Two brothers who married two sisters, their cousins.
  const Pedigree cousins = {
      "",
      {relative(kMan), relative(kWoman), relative(kMan, 0, 1), relative(kWoman, 0, 1),
       relative(kWoman), relative(kMan), relative(kMan, 2, 4), relative(kMan, 2, 4),
       relative(kWoman, 5, 3), relative(kWoman, 5, 3), relative(kMan, 6, 8), relative(kMan, 7, 9)}};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SeededRandom random(seed);
    for (const auto& family : {two_wives, cousins}) {
      EXPECT_EQ(canonical_structure(reordered(family, random), knowledge),
                canonical_structure(family, knowledge))
          << seed;
    }
    // Couples of any two, who have up to three children each.
    Pedigree family = {"", {relative(kMan), relative(kWoman), relative(kMan), relative(kWoman)}};
    for (int couple = 0; couple < 5; ++couple) {
      std::vector<std::int32_t> men;
      std::vector<std::int32_t> women;
      for (std::size_t p = 0; p < family.people.size(); ++p)
        (family.people[p].sex == kMan ? men : women).push_back(static_cast<std::int32_t>(p));
      const auto father = men[random.below(men.size())];
      const auto mother = women[random.below(women.size())];
      for (std::uint64_t child = 0; child <= random.below(3); ++child)
        family.people.push_back(relative(random.chance(0.5) ? kMan : kWoman, father, mother));
    }
    const std::string structure = canonical_structure(family, knowledge);
    for (int again = 0; again < 5; ++again)
      EXPECT_EQ(canonical_structure(reordered(family, random), knowledge), structure) << seed;
  }
}

}  // namespace
}  // namespace pratique::genomes::family_structure_test
