#include "pratique/genomes/method/binning.h"

#include <gtest/gtest.h>

#include <map>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"

namespace pratique::genomes::binning_test {
namespace {

Sequence letters(const std::string& text) {
  Sequence sequence;
  for (const char c : text) sequence.push_back(letter_from(c).value());
  return sequence;
}

std::string within(const std::string& text, std::uint64_t bin) {
  Sequence values = letters(text);
  bin_within(values, bin);
  return to_text(values);
}

TEST(Binning, TheHierarchyIsPurinesAndPyrimidines) {
  const auto joined = [](char a, char b) {
    return to_character(tree_join(letter_from(a).value(), letter_from(b).value()));
  };
  EXPECT_EQ(joined('A', 'G'), 'R');
  EXPECT_EQ(joined('C', 'T'), 'Y');
  EXPECT_EQ(joined('C', 'G'), 'N');  // not R, as B.4.2 has it
  EXPECT_EQ(joined('A', 'T'), 'N');
  EXPECT_EQ(joined('A', 'R'), 'R');
  EXPECT_EQ(joined('A', '-'), 'N');
  EXPECT_EQ(joined('A', 'A'), 'A');
}

TEST(Binning, RareValuesGoUp) {
  EXPECT_EQ(within("AAACCC", 3), "AAACCC");
  // G is rare: R; R is rare still, and so is nothing else: N, which is rare, and C, rarer than A,
  // joins.
  EXPECT_EQ(within("AAAACCCG", 3), "AAAANNNN");
  EXPECT_EQ(within("AGAG", 4), "RRRR");
  EXPECT_EQ(within("ACGT", 2), "RYRY");
  EXPECT_EQ(within("ACGT", 3), "NNNN");
  EXPECT_THROW((void)within("ACG", 4), Error);
}

TEST(Binning, EveryValueIsThereOftenEnough) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SeededRandom random(seed);
    Sequence values;
    for (std::size_t i = 0; i < 30; ++i)
      values.push_back(static_cast<Letter>(1U << random.below(4)));
    const Sequence before = values;
    const std::uint64_t bin = 1 + random.below(30);
    bin_within(values, bin);
    std::map<Letter, std::uint64_t> counts;
    for (const Letter value : values) ++counts[value];
    for (const auto& [value, count] : counts) EXPECT_GE(count, bin) << seed;
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_TRUE(covers(values[i], before[i]));
  }
}

TEST(Binning, AcrossAGroupOneValueStandsForAll) {
  const std::vector<Sequence> aligned = {letters("AAC"), letters("GAT"), letters("CAA"),
                                         letters("CAA")};
  const auto binned = bin_across(aligned, {0, 2}, {{0, 1}, {2, 3}});
  EXPECT_EQ(to_text(binned[0]), "RY");
  EXPECT_EQ(to_text(binned[1]), "CA");
}

}  // namespace
}  // namespace pratique::genomes::binning_test
