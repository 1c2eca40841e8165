#include "pratique/dp/diffgen/diffgen.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/data/hierarchy_csv.h"
#include "pratique/dp/tester/tester.h"

namespace pratique::dp::diffgen_test {
namespace {

// a, b under x; c, d under y.
Hierarchy tree() { return parse_hierarchy_csv("a;x;*\nb;x;*\nc;y;*\nd;y;*\n", "tree"); }

// Of one attribute and two classes.
ClassifiedRows rows_of(std::vector<Hierarchy::Node> leaves, std::vector<std::uint32_t> classes,
                       std::uint64_t each = 1) {
  const std::size_t rows = classes.size();
  return {.leaves = {std::move(leaves)},
          .classes = std::move(classes),
          .counts = std::vector<std::uint64_t>(rows, each)};
}

TEST(MaxScore, IsThatOfThePaper) {
  const Hierarchy values = tree();
  // a: 3 of class 0, 1 of class 1; b: 2 of class 1; c: 1 of class 0.
  const auto rows = rows_of({0, 0, 0, 0, 1, 1, 2}, {0, 0, 0, 1, 1, 1, 0});
  // Under x, 3 of either class; under y, one: 3 + 1.
  EXPECT_EQ(max_score(values, values.root(), rows.leaves[0], rows, 2), 4);
  EXPECT_EQ(max_score(values, *values.find("x"), rows.leaves[0], rows, 2), 3 + 2);
  EXPECT_EQ(max_score(values, *values.find("y"), rows.leaves[0], rows, 2), 1);
}

// What the noise is scaled by: all tables of up to three rows, each with any row more.
TEST(MaxScore, ARowChangesItByAtMostOne) {
  const Hierarchy values = tree();
  std::int64_t most = 0;
  for (int code = 0; code < 512; ++code) {
    std::vector<Hierarchy::Node> leaves;
    std::vector<std::uint32_t> classes;
    for (int i = 0, rest = code; i < 3; ++i, rest /= 8) {
      leaves.push_back(static_cast<Hierarchy::Node>(rest % 4));
      classes.push_back(static_cast<std::uint32_t>(rest % 8 / 4));
    }
    for (std::uint32_t more = 0; more < 8; ++more) {
      const auto without = rows_of(leaves, classes);
      auto with = without;
      with.leaves[0].push_back(more % 4);
      with.classes.push_back(more / 4);
      with.counts.push_back(1);
      for (const char* label : {"*", "x", "y"}) {
        const auto node = *values.find(label);
        most = std::max(most, std::abs(max_score(values, node, with.leaves[0], with, 2) -
                                       max_score(values, node, without.leaves[0], without, 2)));
      }
    }
  }
  EXPECT_EQ(most, 1);
}

TEST(Diffgen, SpecialisesWhereClassesDifferAndCountsAll) {
  // Class follows a and b; everybody else is c.
  const auto rows = rows_of({0, 1, 2, 2}, {0, 1, 0, 1}, 1000);
  std::vector<Hierarchy> trees;
  trees.push_back(tree());
  Noise noise(1);
  const auto table =
      diffgen(trees, rows, 2, {.epsilon = Epsilon::from(2), .specialisations = 2}, noise);
  const Hierarchy& values = trees.front();
  std::vector<std::string> labels;
  for (const auto node : table.cuts[0]) labels.emplace_back(values.label(node));
  EXPECT_EQ(labels, (std::vector<std::string>{"a", "b", "y"}));
  ASSERT_EQ(table.counts.size(), 6U);
  const std::vector<double> truth = {1000, 0, 0, 1000, 1000, 1000};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(table.counts[i], truth[i], 25);
    EXPECT_GE(table.counts[i], 0);
  }
}

TEST(Diffgen, StopsWhereNothingIsLeftToSpecialise) {
  std::vector<Hierarchy> trees;
  trees.push_back(tree());
  Noise noise(2);
  const auto table = diffgen(trees, rows_of({0}, {0}), 2,
                             {.epsilon = Epsilon::from(1), .specialisations = 50}, noise);
  EXPECT_EQ(table.cuts[0], (std::vector<Hierarchy::Node>{0, 1, 2, 3}));
  Noise other(3);
  EXPECT_EQ(
      diffgen(trees, rows_of({}, {}), 2, {.epsilon = Epsilon::from(1), .specialisations = 1}, other)
          .counts.size(),
      4U);
}

// Cuts and counts together. A cut that is chosen by true scores is caught.
TEST(Diffgen, HoldsOnNeighboursAndTrueScoresAreCaught) {
  std::vector<Hierarchy> trees;
  trees.push_back(tree());
  for (const bool honest : {true, false}) {
    const auto sampler = [&](const ClassifiedRows& rows, std::uint64_t offset) {
      return Sampler([&trees, honest, rows, offset](std::uint64_t run) {
        if (!honest) {
          const Hierarchy& values = trees.front();
          return std::to_string(max_score(values, *values.find("x"), rows.leaves[0], rows, 2) >
                                max_score(values, *values.find("y"), rows.leaves[0], rows, 2));
        }
        Noise noise(2 * run + offset);
        const auto table =
            diffgen(trees, rows, 2, {.epsilon = Epsilon::from(1), .specialisations = 2}, noise);
        std::string label = fmt::format("{}:", fmt::join(table.cuts[0], ","));
        for (const double count : table.counts) label += count > 2 ? '1' : '0';
        return label;
      });
    };
    const auto base = rows_of({0, 1, 2, 3}, {0, 1, 0, 1});
    auto larger = base;
    larger.leaves[0].push_back(0);
    larger.classes.push_back(0);
    larger.counts.push_back(1);
    const auto verdict =
        test_privacy({{"a tie", sampler(larger, 0), sampler(base, 1)}}, 1, 0, 3000);
    EXPECT_EQ(verdict.holds, honest) << verdict.epsilon_bound;
  }
}

}  // namespace
}  // namespace pratique::dp::diffgen_test
