// The model against all cells of tiny domains, one by one.
#include "pratique/dp/synthesis/graphical_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::dp::graphical_model_test {
namespace {

using Sizes = std::vector<std::size_t>;

ColumnSet all_columns(const Sizes& sizes) {
  ColumnSet all(sizes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<double> joint_of(const Sizes& sizes, std::uint64_t seed, double total) {
  SeededRandom random(seed);
  std::vector<double> joint(static_cast<std::size_t>(cells_over(all_columns(sizes), sizes)));
  for (auto& cell : joint) cell = 0.05 + static_cast<double>(random.below(1000)) / 1000;
  const double sum = std::accumulate(joint.begin(), joint.end(), 0.0);
  for (auto& cell : joint) cell *= total / sum;
  return joint;
}

std::vector<double> marginal_of(const std::vector<double>& joint, const Sizes& sizes,
                                const ColumnSet& columns) {
  return summed(joint, places(all_columns(sizes), columns, sizes),
                static_cast<std::size_t>(cells_over(columns, sizes)));
}

Measurement exact(const std::vector<double>& joint, const Sizes& sizes, const ColumnSet& columns) {
  auto values = marginal_of(joint, sizes, columns);
  std::vector<double> weights(values.size(), 1);
  return {columns, std::move(values), std::move(weights)};
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double within) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], within) << i;
}

// All cells of the model, by the definition of a junction tree: cliques over separators.
std::vector<double> joint_of(const GraphicalModel& model) {
  const auto& sizes = model.sizes();
  const ColumnSet all = all_columns(sizes);
  std::vector<double> joint(static_cast<std::size_t>(cells_over(all, sizes)), 1);
  const auto times = [&](const ColumnSet& columns, int power) {
    const auto counts = model.over(columns);
    const auto where = places(all, columns, sizes);
    for (std::size_t i = 0; i < joint.size(); ++i) {
      joint[i] *= std::pow(counts[where[i]] / model.total(), power);
    }
  };
  for (const auto& clique : model.tree().cliques) times(clique, 1);
  for (const auto& link : model.tree().links) {
    if (!link.separator.empty()) times(link.separator, -1);
  }
  for (auto& cell : joint) cell *= model.total();
  return joint;
}

// All graphs of five columns.
TEST(JunctionTree, HasEveryMarginalAndKeepsColumnsConnected) {
  std::vector<ColumnSet> pairs;
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = a + 1; b < 5; ++b) pairs.push_back({a, b});
  }
  for (unsigned graph = 0; graph < 1024; ++graph) {
    std::vector<ColumnSet> marginals;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if ((graph >> i & 1U) != 0) marginals.push_back(pairs[i]);
    }
    const auto tree = junction_tree(5, marginals);
    for (const auto& marginal : marginals) EXPECT_NO_THROW((void)tree.clique_with(marginal));
    EXPECT_EQ(tree.links.size() + 1, tree.cliques.size());
    for (std::size_t column = 0; column < 5; ++column) {
      // A tree of n cliques that are connected has n - 1 links among them.
      const auto has = [&](const ColumnSet& columns) {
        return std::binary_search(columns.begin(), columns.end(), column);
      };
      const auto cliques = std::count_if(tree.cliques.begin(), tree.cliques.end(), has);
      const auto links = std::count_if(tree.links.begin(), tree.links.end(),
                                       [&](const auto& link) { return has(link.separator); });
      EXPECT_EQ(links, cliques - 1) << graph;
    }
  }
}

TEST(JunctionTree, ATreeOnTopOfMarginalsEnlargesNone) {
  const auto tree = junction_tree(6, {{0, 1, 2}, {2, 3}, {3, 4}, {0, 5}});
  for (const auto& clique : tree.cliques) EXPECT_LE(clique.size(), 3U);
}

TEST(GraphicalModel, ReproducesMarginalsWithoutNoise) {
  const Sizes sizes = {2, 3, 4, 2};
  const auto joint = joint_of(sizes, 5, 1000);
  const std::vector<ColumnSet> measured = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  std::vector<Measurement> measurements;
  for (const auto& columns : measured) measurements.push_back(exact(joint, sizes, columns));
  GraphicalModel model(sizes, measured, 1000);
  model.fit(measurements, 20'000);
  for (const auto& columns : measured) {
    expect_near(model.over(columns), marginal_of(joint, sizes, columns), 0.01);
  }
}

// Of a tree, the distribution of highest entropy is known: p(a, b) p(b, c) / p(b).
TEST(GraphicalModel, KnowsNothingThatWasNotMeasured) {
  const Sizes sizes = {2, 3, 4};
  const auto joint = joint_of(sizes, 6, 500);
  GraphicalModel model(sizes, {{0, 1}, {1, 2}}, 500);
  model.fit({exact(joint, sizes, {0, 1}), exact(joint, sizes, {1, 2})}, 20'000);
  const auto ab = marginal_of(joint, sizes, {0, 1});
  const auto bc = marginal_of(joint, sizes, {1, 2});
  const auto b = marginal_of(joint, sizes, {1});
  std::vector<double> expected(8);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        expected[i * 4 + k] += ab[i * 3 + j] * bc[j * 4 + k] / b[j];
      }
    }
  }
  expect_near(model.over_pair(0, 2), expected, 0.01);
}

// With a cycle, iterative proportional fitting over all cells gives it.
TEST(GraphicalModel, FindsTheHighestEntropyOnACycle) {
  const Sizes sizes = {2, 3, 2};
  const auto joint = joint_of(sizes, 7, 300);
  const std::vector<ColumnSet> measured = {{0, 1}, {1, 2}, {0, 2}};
  std::vector<double> fitted(12, 25);
  for (int round = 0; round < 2000; ++round) {
    for (const auto& columns : measured) {
      const auto where = places(all_columns(sizes), columns, sizes);
      const auto wanted = marginal_of(joint, sizes, columns);
      const auto have = marginal_of(fitted, sizes, columns);
      for (std::size_t i = 0; i < 12; ++i) fitted[i] *= wanted[where[i]] / have[where[i]];
    }
  }
  GraphicalModel model(sizes, measured, 300);
  model.fit({exact(joint, sizes, {0, 1}), exact(joint, sizes, {1, 2}), exact(joint, sizes, {0, 2})},
            20'000);
  expect_near(joint_of(model), fitted, 0.05);
}

// Marginals that contradict each other, with cells below 0: no distribution over all cells comes
// nearer, as a search over these finds by multiplicative steps that know no graph.
TEST(GraphicalModel, ComesAsNearToNoiseAsAnyDistribution) {
  const Sizes sizes = {2, 3, 2};
  std::vector<Measurement> measurements = {
      {{0, 1}, {30, -4, 12, 7, 40, 21}, std::vector<double>(6, 0.5)},
      {{1, 2}, {-3, 25, 33, 14, 9, 11}, std::vector<double>(6, 1)},
      {{0}, {45, 60}, {2, 2}}};
  const double total = 100;
  const auto loss = [&](const std::vector<double>& joint) {
    double sum = 0;
    for (const auto& m : measurements) {
      const auto have = marginal_of(joint, sizes, m.columns);
      for (std::size_t i = 0; i < have.size(); ++i) {
        sum += m.weights[i] / 2 * (have[i] - m.values[i]) * (have[i] - m.values[i]);
      }
    }
    return sum;
  };
  std::vector<double> joint(12, total / 12);
  for (int step = 0; step < 200'000; ++step) {
    std::vector<double> slope(12);
    for (const auto& m : measurements) {
      const auto where = places(all_columns(sizes), m.columns, sizes);
      const auto have = marginal_of(joint, sizes, m.columns);
      for (std::size_t i = 0; i < 12; ++i) {
        slope[i] += m.weights[where[i]] * (have[where[i]] - m.values[where[i]]);
      }
    }
    double sum = 0;
    for (std::size_t i = 0; i < 12; ++i) sum += joint[i] *= std::exp(-0.001 * slope[i]);
    for (auto& cell : joint) cell *= total / sum;
  }
  GraphicalModel model(sizes, {{0, 1}, {1, 2}}, total);
  model.fit(measurements, 20'000);
  EXPECT_NEAR(loss(joint_of(model)), loss(joint), 1e-3 * loss(joint));
  EXPECT_GT(loss(joint), 1);
}

TEST(GraphicalModel, PairsAreThoseOfAllCells) {
  const Sizes sizes = {2, 3, 2, 3, 2};
  const auto joint = joint_of(sizes, 9, 700);
  // A triangle, a path from it, and a column that nothing is known of.
  const std::vector<ColumnSet> measured = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
  std::vector<Measurement> measurements;
  for (const auto& columns : measured) measurements.push_back(exact(joint, sizes, columns));
  GraphicalModel model(sizes, measured, 700);
  model.fit(measurements, 200);
  const auto all = joint_of(model);
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    for (std::size_t b = a + 1; b < sizes.size(); ++b) {
      expect_near(model.over_pair(a, b), marginal_of(all, sizes, {a, b}), 1e-6);
    }
  }
}

}  // namespace
}  // namespace pratique::dp::graphical_model_test
