// Columns whose cells count more than others' (Attribute::weight): one definition for the search,
// its bounds and what is reported.
#include <gtest/gtest.h>

#include <limits>

#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/optimal.h"
#include "pratique/tables/method/protection.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/testing/protection_for_test.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::column_weights_test {
namespace {

// The mean of the cells' losses, each as often as its column's weight says; a suppressed record
// loses all. From the weights as they were given.
double weighted_loss(const ProtectionInput& input, const std::vector<double>& weights,
                     const Recoding& recoding) {
  double lost = 0;
  double all = 0;
  for (std::size_t a = 0; a < weights.size(); ++a) {
    const double leaves = input.attributes[a].hierarchy->leaf_count();
    const RecodedColumn& column = recoding.columns[a];
    for (std::size_t i = 0; i < recoding.counts.size(); ++i) {
      const auto count = static_cast<double>(recoding.counts[i]);
      if (leaves > 1)
        lost += weights[a] * count * (column.leaves[column.codes[i]] - 1) / (leaves - 1);
      all += weights[a] * count;
    }
    lost += weights[a] * static_cast<double>(recoding.suppressed);
    all += weights[a] * static_cast<double>(recoding.suppressed);
  }
  return lost / all;
}

std::vector<double> weigh(ProtectionInput& input, SeededRandom& random) {
  std::vector<double> weights;
  for (auto& attribute : input.attributes) {
    weights.push_back(weights.empty() || random.chance(0.8) ? 0.1 + 5 * random.uniform() : 0);
    attribute.weight = weights.back();
  }
  scale_weights(input.attributes);
  return weights;
}

double best_by_brute_force(const ProtectionInput& input, const std::vector<double>& weights,
                           const Models& models, double suppression) {
  double best = std::numeric_limits<double>::infinity();
  const auto records = static_cast<double>(records_of(input));
  std::vector<int> levels(input.attributes.size(), 0);
  for (;;) {
    const Recoding released = apply_levels(input, levels, models);
    if (released.class_count > 0 &&
        static_cast<double>(released.suppressed) <= suppression * records)
      best = std::min(best, weighted_loss(input, weights, released));
    std::size_t a = 0;
    while (a < levels.size() && ++levels[a] == input.attributes[a].hierarchy->height())
      levels[a++] = 0;
    if (a == levels.size()) return best;
  }
}

TEST(ColumnWeights, ALossByHand) {
  // Ages 21, 22, 31, 32 in tens lose 1 of 3 each; the other column loses nothing. With weights 3
  // and 1, that is 3 * (1 / 3) / 4.
  ProtectionWorld world({{"21", "a"}, {"22", "a"}, {"31", "b"}, {"32", "b"}},
                        {"interval:10", "flat"});
  const Recoding tens = apply_levels(world.input, {1, 0}, k_only(2));
  EXPECT_DOUBLE_EQ(loss_metric(world.input, tens), 1.0 / 6);
  EXPECT_EQ(column_losses(world.input, tens), (std::vector<double>{1.0 / 3, 0}));
  world.input.attributes[0].weight = 3;
  EXPECT_DOUBLE_EQ(scale_weights(world.input.attributes), 4);
  EXPECT_DOUBLE_EQ(loss_metric(world.input, tens), 1.0 / 4);
  EXPECT_EQ(column_losses(world.input, tens), (std::vector<double>{1.0 / 3, 0}));  // as before
  // 21..22 is 1 of 11 years long; a column as it was has no penalty.
  EXPECT_DOUBLE_EQ(utility_measure(world.input, tens),
                   normalized_certainty_penalty(world.input, tens));
  EXPECT_EQ(loss_metric(world.input, apply_levels(world.input, {2, 1}, k_only(2))), 1);
}

TEST(ColumnWeights, OptimalIsTheBestByTheWeightsOfAllNodes) {
  std::size_t other = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SeededRandom random(seed);
    auto world = random_protection(1 + random.below(3), 14, random);
    const auto unweighted = world->input;
    const auto weights = weigh(world->input, random);
    const Models models = k_only(2 + random.below(3));
    const double suppression = random.chance(0.5) ? 0 : 0.3;
    const double best = best_by_brute_force(world->input, weights, models, suppression);
    OptimalOptions options;
    options.suppression = suppression;
    const auto node = optimal_node(world->input, models, options);
    ASSERT_EQ(node.has_value(), !std::isinf(best)) << seed;
    if (!node) continue;
    EXPECT_NEAR(node->cost, best, 1e-12) << seed;
    const Recoding released = apply_levels(world->input, node->levels, models);
    EXPECT_NEAR(weighted_loss(world->input, weights, released), best, 1e-12) << seed;
    EXPECT_NEAR(loss_metric(world->input, released), best, 1e-12) << seed;
    other += optimal_node(unweighted, models, options)->levels == node->levels ? 0 : 1;
    // Where not all of it is searched, the bound still holds.
    options.largest_lattice = 1;
    options.largest_part = 1 + random.below(12);
    const auto effort = optimal_node(world->input, models, options);
    ASSERT_TRUE(effort.has_value());
    EXPECT_LE(effort->lower_bound, best + 1e-12) << seed;
  }
  // They change what is best.
  EXPECT_GT(other, 20U);
}

TEST(ColumnWeights, EveryMethodReportsTheLossThatItsBoundIsOf) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SeededRandom random(seed);
    auto world = random_protection(2 + random.below(2), 14, random);
    if (records_of(world->input) < 4) continue;
    const auto weights = weigh(world->input, random);
    const Models models = k_only(2);
    for (const char* name : {"local", "mondrian", "cluster-up", "cluster-down"}) {
      Method method;
      method.name = name;
      const auto released = protect(world->input, models, method);
      const double loss = loss_metric(world->input, released.recoding);
      EXPECT_NEAR(loss, weighted_loss(world->input, weights, released.recoding), 1e-12) << name;
      const auto bound = bound_of_loss(world->input, models, method);
      if (bound) {
        EXPECT_LE(*bound, loss + 1e-12) << name << seed;
      }
    }
  }
}

// A column that counts nothing is given away first.
TEST(ColumnWeights, LocalMethodsFollowThem) {
  ProtectionWorld world({{"1", "1"}, {"1", "2"}, {"2", "1"}, {"2", "2"}}, {"flat", "flat"});
  for (const std::size_t kept : {0U, 1U}) {
    world.input.attributes[kept].weight = 9;
    world.input.attributes[1 - kept].weight = 1;
    scale_weights(world.input.attributes);
    for (const char* name : {"optimal", "local", "mondrian", "cluster-up", "cluster-down"}) {
      Method method;
      method.name = name;
      const auto released = protect(world.input, k_only(2), method);
      EXPECT_EQ(widest_cell(released.recoding, kept), 1) << name;
      // The other is lost whole: 1 of 10.
      EXPECT_NEAR(loss_metric(world.input, released.recoding), 0.1, 1e-12) << name;
    }
  }
}

}  // namespace
}  // namespace pratique::tables::column_weights_test
