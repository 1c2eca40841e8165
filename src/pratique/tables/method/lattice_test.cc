#include "pratique/tables/method/lattice.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pratique::tables::lattice_test {
namespace {

TEST(Lattice, NumbersNodesInLexicographicOrder) {
  const Lattice lattice({2, 1, 3});
  EXPECT_EQ(lattice.size(), 6U);
  EXPECT_EQ(lattice.index(lattice.bottom()), 0U);
  EXPECT_EQ(lattice.index(lattice.top()), 5U);
  Levels before;
  for (Lattice::Index index = 0; index < lattice.size(); ++index) {
    const Levels levels = lattice.levels(index);
    EXPECT_EQ(lattice.index(levels), index);
    EXPECT_LT(before, levels);
    before = levels;
  }
}

TEST(Lattice, RanksHoldEveryNodeOnceInOrder) {
  const Lattice lattice({2, 1, 3, 4});
  std::vector<int> seen(lattice.size(), 0);
  for (int rank = 0; rank <= lattice.highest_rank(); ++rank) {
    Lattice::Index last = 0;
    lattice.visit_rank(rank, [&](Lattice::Index index, const Levels& levels) {
      EXPECT_EQ(std::accumulate(levels.begin(), levels.end(), 0), rank);
      EXPECT_EQ(lattice.index(levels), index);
      EXPECT_GE(index, last);
      last = index;
      ++seen[index];
    });
  }
  EXPECT_EQ(lattice.highest_rank(), 1 + 0 + 2 + 3);
  for (const int times : seen) EXPECT_EQ(times, 1);
}

TEST(Lattice, WithoutAttributesIsOneNode) {
  const Lattice lattice((std::vector<int>()));
  EXPECT_EQ(lattice.size(), 1U);
  int nodes = 0;
  lattice.visit_rank(0, [&](Lattice::Index, const Levels&) { ++nodes; });
  EXPECT_EQ(nodes, 1);
}

TEST(Lattice, SaysWhenItHasTooManyNodesToCount) {
  EXPECT_EQ(Lattice(std::vector<int>(100, 3)).size(), Lattice::kUncountable);
}

}  // namespace
}  // namespace pratique::tables::lattice_test
