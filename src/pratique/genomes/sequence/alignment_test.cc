#include "pratique/genomes/sequence/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"

namespace pratique::genomes::alignment_test {
namespace {

Sequence bases(const std::string& text) {
  Sequence sequence;
  for (const char c : text) sequence.push_back(letter_from(c).value());
  return sequence;
}

// The edit distance by its recursion.
std::int64_t edits_by_table(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<std::int64_t>> cost(a.size() + 1,
                                              std::vector<std::int64_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = static_cast<std::int64_t>(i + j);
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    }
  }
  return cost[a.size()][b.size()];
}

TEST(Alignment, HasTheFewestEditsAndLosesNoLetter) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SeededRandom random(seed);
    const auto draw = [&](std::size_t most) {
      Sequence sequence;
      for (std::size_t i = random.below(most + 1); i > 0; --i)
        sequence.push_back(static_cast<Letter>(1U << random.below(seed % 2 == 0 ? 2 : 4)));
      return sequence;
    };
    const Sequence reference = draw(9);
    const Sequence sequence = draw(9);
    const Edits edits = fewest_edits(reference, sequence);
    ASSERT_EQ(edits.count, edits_by_table(reference, sequence)) << seed;
    const auto rows = align({reference, sequence}, reference, Progress::silent());
    ASSERT_EQ(rows[0].size(), rows[1].size());
    ASSERT_EQ(without_gaps(rows[0]), reference) << seed;
    ASSERT_EQ(without_gaps(rows[1]), sequence) << seed;
    std::int64_t differences = 0;
    for (std::size_t c = 0; c < rows[0].size(); ++c)
      differences += rows[0][c] != rows[1][c] ? 1 : 0;
    ASSERT_EQ(differences, edits.count) << seed;
  }
}

TEST(Alignment, SeveralAreUnderEachOther) {
  const auto rows = align({bases("ACGT"), bases("ACGGT"), bases("AGT"), bases("ACGT")},
                          bases("ACGT"), Progress::silent());
  ASSERT_EQ(rows.size(), 4U);
  for (const auto& row : rows) EXPECT_EQ(row.size(), 5U);
  EXPECT_EQ(rows[0], rows[3]);
  EXPECT_EQ(to_text(without_gaps(rows[1])), "ACGGT");
}

TEST(Lattice, JoinsAreUnionsAndDistancesAMetric) {
  std::vector<Letter> all;
  for (const char c : std::string("ACGTRYSWKMBDHVN-")) all.push_back(letter_from(c).value());
  EXPECT_EQ(to_character(join(letter_from('A').value(), letter_from('G').value())), 'R');
  EXPECT_EQ(to_character(join(letter_from('C').value(), letter_from('T').value())), 'Y');
  EXPECT_EQ(to_character(join(letter_from('C').value(), letter_from('G').value())), 'S');
  EXPECT_EQ(to_character(join(letter_from('C').value(), kGap)), 'N');
  EXPECT_EQ(to_character(join(kGap, kGap)), '-');
  for (const Letter x : all) {
    EXPECT_EQ(letter_from(to_character(x)), x);
    for (const Letter y : all) {
      EXPECT_EQ(join(x, y), join(y, x));
      EXPECT_TRUE(covers(join(x, y), x) && covers(join(x, y), y));
      EXPECT_EQ(distance(x, y) == 0, x == y);
      for (const Letter z : all) EXPECT_LE(distance(x, z), distance(x, y) + distance(y, z));
    }
  }
}

}  // namespace
}  // namespace pratique::genomes::alignment_test
