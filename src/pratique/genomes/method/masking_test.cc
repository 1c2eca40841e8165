#include "pratique/genomes/method/masking.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/crypto/random.h"

namespace pratique::genomes::masking_test {
namespace {

// Column 0 is the locus; columns 1 to 4 are inherited with it, the rest is independent.
std::vector<Sequence> linked(std::size_t people) {
  SeededRandom random(2);
  std::vector<Sequence> sequences(people);
  for (auto& sequence : sequences) {
    const bool carrier = random.chance(0.5);
    for (int c = 0; c < 5; ++c) sequence.push_back(carrier ? 1 : 2);
    for (int c = 0; c < 10; ++c) sequence.push_back(random.chance(0.5) ? 4 : 8);
  }
  return sequences;
}

TEST(Masking, HidingTheLocusAloneHidesNothing) {
  const auto aligned = linked(200);
  const auto alone = impute(aligned, {0}, {0}, Progress::silent());
  EXPECT_GT(alone.accuracy, 0.9);
  EXPECT_LT(alone.baseline, 0.6);
}

TEST(Masking, WhatIsInheritedWithItGoesToo) {
  const auto aligned = linked(200);
  const auto masking = mask_loci(aligned, {0}, {}, 0.08, Progress::silent());
  EXPECT_TRUE(masking.within_tolerance);
  EXPECT_LE(masking.after.gain(), 0.08);
  for (const std::uint32_t column : {0U, 1U, 2U, 3U, 4U})
    EXPECT_TRUE(std::binary_search(masking.hidden.begin(), masking.hidden.end(), column)) << column;
  // Steps of 1, 2, 4 hide three columns too many, which are shown again; one may seem to tell.
  EXPECT_LE(masking.hidden.size(), 6U);
}

TEST(Masking, NothingToGoByIsTheBaseline) {
  // Two people with A, one with C; nothing else varies: everybody is guessed to be A.
  const std::vector<Sequence> aligned = {{1, 4}, {1, 4}, {2, 4}};
  const auto guess = impute(aligned, {0}, {0}, Progress::silent());
  EXPECT_DOUBLE_EQ(guess.baseline, 2.0 / 3);
  EXPECT_LE(guess.gain(), 0);
}

// Among hundreds of columns that have nothing to do with it, those beside the locus tell it: who
// compares whole genomes does not see that.
TEST(Masking, NeighboursOfTheLocusTellItAmongManyColumns) {
  SeededRandom random(4);
  std::vector<Sequence> people(120);
  for (auto& person : people) {
    const bool carrier = random.chance(0.5);
    for (int c = 0; c < 400; ++c) {
      const bool beside = c >= 100 && c < 105;
      person.push_back((beside ? carrier : random.chance(0.5)) ? 1 : 2);
    }
  }
  const auto alone = impute(people, {102}, {102}, Progress::silent());
  EXPECT_GT(alone.accuracy, 0.95);
  const auto masking = mask_loci(people, {102}, {}, 0.15, Progress::silent());
  for (const std::uint32_t column : {100U, 101U, 103U, 104U})
    EXPECT_TRUE(std::binary_search(masking.hidden.begin(), masking.hidden.end(), column));
  EXPECT_TRUE(masking.within_tolerance);
}

// Nine of 200 have the letter, and column 1 has it where they do: whoever says that nobody has it
// is right 95 times in 100, and yet each of the nine is found.
TEST(Masking, WhatTellsARareLetterIsHiddenToo) {
  SeededRandom random(6);
  std::vector<Sequence> people;
  for (std::size_t p = 0; p < 200; ++p) {
    auto& person = people.emplace_back();
    const bool carrier = p % 22 == 5;  // 5, 27, ..., 181
    person.assign({static_cast<Letter>(carrier ? 8 : 2), static_cast<Letter>(carrier ? 4 : 1)});
    for (int c = 0; c < 30; ++c) person.push_back(random.chance(0.5) ? 4 : 8);
  }
  const auto alone = impute(people, {0}, {0}, Progress::silent());
  EXPECT_DOUBLE_EQ(alone.baseline, 0.5);
  EXPECT_DOUBLE_EQ(alone.accuracy, 1);
  const auto masking = mask_loci(people, {0}, {}, 0.05, Progress::silent());
  EXPECT_TRUE(masking.within_tolerance);
  EXPECT_TRUE(std::binary_search(masking.hidden.begin(), masking.hidden.end(), 1U));
  EXPECT_DOUBLE_EQ(masking.alone.gain(), 0.5);
}

// Where nothing tells the locus, a lucky guess at a rare letter hides nothing more.
TEST(Masking, ARareLetterThatNothingTellsOfHidesNothingElse) {
  std::size_t hidden = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SeededRandom random(seed, 5);
    std::vector<Sequence> people(200);
    for (auto& person : people) {
      person.push_back(random.chance(0.04) ? 8 : 2);
      for (int c = 0; c < 30; ++c) person.push_back(random.chance(0.5) ? 4 : 8);
    }
    hidden += mask_loci(people, {0}, {}, 0.05, Progress::silent()).hidden.size() - 1;
  }
  // Fourteen adversaries, each lucky at one of two letters in one of 500 files: one file of 20.
  EXPECT_LE(hidden, 4U);
}

}  // namespace
}  // namespace pratique::genomes::masking_test
