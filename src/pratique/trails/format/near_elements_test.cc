#include "pratique/trails/format/near_elements.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/crypto/random.h"
#include "pratique/trails/testing/side_for_test.h"

namespace pratique::trails::near_elements_test {
namespace {

// The whole table.
std::size_t by_definition(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                              table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    }
  }
  return table[a.size()][b.size()];
}

std::string random_sequence(SeededRandom& random, std::size_t longest) {
  std::string text;
  const std::size_t length = random.below(longest + 1);
  for (std::size_t i = 0; i < length; ++i) text += "acgt"[random.below(random.chance(0.5) ? 2 : 4)];
  return text;
}

TEST(NearElements, EditsAreThoseOfTheWholeTable) {
  SeededRandom random(1);
  for (int round = 0; round < 4000; ++round) {
    const std::string a = random_sequence(random, 9);
    const std::string b = random_sequence(random, 9);
    for (const std::size_t most : {0U, 1U, 2U, 4U, 12U}) {
      ASSERT_EQ(edit_distance(a, b, most), std::min(by_definition(a, b), most + 1))
          << a << " " << b << " " << most;
    }
  }
}

TEST(NearElements, EveryPairIsFound) {
  SeededRandom random(2);
  for (int round = 0; round < 60; ++round) {
    Dictionary names;
    for (int i = 0; i < 40; ++i) (void)names.intern(random_sequence(random, 8));
    for (const std::size_t most : {1U, 2U, 3U}) {
      std::vector<NearPair> expected;
      for (Code a = 0; a < names.size(); ++a) {
        for (Code b = a + 1; b < names.size(); ++b) {
          const auto edits =
              by_definition(std::string(names.value(a)), std::string(names.value(b)));
          if (edits <= most) expected.push_back({a, b, edits});
        }
      }
      ASSERT_EQ(near_pairs(names, most, Progress::silent()), expected);
    }
  }
}

NamedWorld samples(const std::vector<std::pair<std::string, std::vector<Location>>>& seen) {
  NamedWorld read;
  std::vector<std::vector<Location>> trails;
  for (const auto& [name, trail] : seen) {
    (void)read.deidentified.intern(name);
    trails.push_back(trail);
  }
  read.world.locations = 4;
  read.world.deidentified = side_of(trails);
  return read;
}

TEST(NearElements, VariantsBecomeOneTrail) {
  auto read = samples({{"acgtacgt", {0, 1}}, {"acgtaccgt", {2}}, {"ttttgggg", {0, 3}}});
  const auto joined = join_near_samples(read, 1, Progress::silent());
  EXPECT_EQ(joined.before, 3U);
  EXPECT_EQ(joined.joined, 1U);
  ASSERT_EQ(read.world.deidentified.elements(), 2U);
  const auto element = read.deidentified.find("acgtacgt");
  ASSERT_TRUE(element);
  EXPECT_EQ(read.world.deidentified.trail(*element).size(), 3U);
  EXPECT_EQ(read.find_deidentified("acgtaccgt"), element);
  EXPECT_FALSE(read.deidentified.find("acgtaccgt"));
}

TEST(NearElements, OneLocationKnowsItsElementsApart) {
  // b is near a and near c, which location 0 has both of: the closer one gets it.
  auto read = samples({{"aaaaaaaa", {0}}, {"aaaaaaac", {1}}, {"aaaaaccc", {0}}});
  const auto joined = join_near_samples(read, 2, Progress::silent());
  EXPECT_EQ(joined.joined, 1U);
  EXPECT_EQ(joined.apart, 1U);
  EXPECT_EQ(read.find_deidentified("aaaaaaac"), read.find_deidentified("aaaaaaaa"));
  EXPECT_NE(read.find_deidentified("aaaaaccc"), read.find_deidentified("aaaaaaaa"));
}

TEST(NearElements, TheOrderOfRowsDoesNotMatter) {
  SeededRandom random(3);
  // Variants of 300 sequences, each at a location of its own; some are near more than one.
  std::vector<std::pair<std::string, std::vector<Location>>> seen;
  std::set<std::string> names;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int j = 0; j < 12; ++j) text += "ac"[random.below(2)];
    for (Location c = 0; c < 4; ++c) {
      std::string variant = text;
      if (random.chance(0.4)) variant[random.below(12)] = 'g';
      if (names.insert(variant).second) seen.push_back({variant, {c}});
    }
  }
  auto first = samples(seen);
  const auto joined = join_near_samples(first, 1, Progress::silent());
  EXPECT_GT(joined.joined, 100U);
  EXPECT_GT(joined.apart, 0U);
  for (int round = 0; round < 3; ++round) {
    random.shuffle(seen);
    auto again = samples(seen);
    const auto result = join_near_samples(again, 1, Progress::silent());
    EXPECT_EQ(result.joined, joined.joined);
    EXPECT_EQ(again.variants.size(), first.variants.size());
    for (const auto& [name, element] : first.variants) {
      const auto other = again.find_deidentified(name);
      ASSERT_TRUE(other);
      EXPECT_EQ(again.deidentified.value(*other), first.deidentified.value(element));
    }
  }
}

TEST(NearElements, OtherValuesOfASharedAttributeAreOthers) {
  auto read = samples({{"aaaaaaaa", {0}}, {"aaaaaaac", {1}}});
  read.world.blocks = {0, 1, 0, 0};
  EXPECT_EQ(join_near_samples(read, 2, Progress::silent()).joined, 0U);
}

}  // namespace
}  // namespace pratique::trails::near_elements_test
