#include "pratique/tables/method/optimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"
#include "pratique/tables/model/population_models.h"
#include "pratique/tables/model/t_closeness.h"
#include "pratique/tables/testing/model_kinds_for_test.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::optimal_test {
namespace {

// By its definition: of numbers the share of the line between the table's least and largest value
// that the cell reaches over, clipped to it. The values of these tables are numbers.
double ncp(const ProtectionForTest& world, const Recoding& release) {
  double sum = 0;
  for (std::size_t a = 0; a < world.hierarchies.size(); ++a) {
    const Hierarchy& hierarchy = world.hierarchies[a];
    const auto& dictionary = world.table.columns[a].dictionary;
    double least = std::numeric_limits<double>::infinity();
    double largest = -least;
    for (Code code = 0; code < dictionary.size(); ++code) {
      const double value = std::stod(std::string(dictionary.value(code)));
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    const auto& column = release.columns[a];
    for (std::size_t i = 0; i < release.counts.size(); ++i) {
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (Hierarchy::Node leaf = 0; leaf < hierarchy.node_count(); ++leaf) {
        if (!hierarchy.is_leaf(leaf)) continue;
        bool under = false;
        for (Hierarchy::Node at = leaf; !under; at = hierarchy.parent(at)) {
          under = hierarchy.label(at) == column.values[column.codes[i]];
          if (at == hierarchy.root()) break;
        }
        if (!under) continue;
        low = std::min(low, std::stod(std::string(hierarchy.label(leaf))));
        high = std::max(high, std::stod(std::string(hierarchy.label(leaf))));
      }
      const double inside = std::min(high, largest) - std::max(low, least);
      if (largest > least && inside > 0) {
        sum += inside / (largest - least) * static_cast<double>(release.counts[i]);
      }
    }
    sum += static_cast<double>(release.suppressed);
  }
  return sum / static_cast<double>(world.records() * world.hierarchies.size());
}

double cost_of(const OptimalOptions& options, const ProtectionForTest& world,
               const Recoding& release) {
  const auto records = static_cast<double>(world.records());
  switch (options.metric) {
    case LevelMetric::lm:
      return loss_metric(world.input, release) -
             (1 - options.suppressed_cell) * static_cast<double>(release.suppressed) / records;
    case LevelMetric::ncp:
      return ncp(world, release);
    case LevelMetric::dm:
      return discernibility(release);
    case LevelMetric::suppressed:
      return static_cast<double>(release.suppressed);
    case LevelMetric::c_avg:
      return (records - static_cast<double>(release.suppressed)) /
             static_cast<double>(release.class_count);
  }
  return 0;
}

struct Brute {
  bool feasible = false;
  double cost = std::numeric_limits<double>::infinity();
  std::uint64_t suppressed = 0;
  Levels levels;
};

// Every node, recounted from the groups.
Brute brute_force(const ProtectionForTest& world, const Models& models,
                  const OptimalOptions& options,
                  const std::function<bool(const ProtectionForTest&, const Levels&,
                                           const Recoding&)>& refused = {}) {
  Brute best;
  Levels levels(world.hierarchies.size(), 0);
  while (true) {
    const Recoding release = apply_levels(world.input, levels, models);
    const auto limit = options.suppression * static_cast<double>(world.records());
    if (static_cast<double>(release.suppressed) <= limit && release.class_count > 0 &&
        !(refused && refused(world, levels, release))) {
      const double cost = cost_of(options, world, release);
      // Nodes come in lexicographic order: the first of equals stays.
      const bool equal = best.feasible && std::abs(cost - best.cost) <= 1e-12 * std::max(1.0, cost);
      if (!best.feasible || (equal ? release.suppressed < best.suppressed : cost < best.cost)) {
        best = {true, cost, release.suppressed, levels};
      }
    }
    std::size_t a = levels.size();
    while (a > 0 && levels[a - 1] + 1 == world.hierarchies[a - 1].height()) levels[--a] = 0;
    if (a == 0) return best;
    ++levels[a - 1];
  }
}

Models random_models(const ProtectionForTest& world, SeededRandom& random) {
  Models models;
  if (random.chance(0.8)) models.push_back(k_anonymity(1 + random.below(6)));
  if (random.chance(0.3)) {
    models.push_back(std::make_unique<DistinctValues>(1 + static_cast<double>(random.below(3))));
  }
  if (random.chance(0.3)) models.push_back(std::make_unique<EntropyValues>(1 + random.uniform()));
  if (random.chance(0.3)) {
    const std::size_t values = world.table.columns.back().dictionary.size();
    models.push_back(std::make_unique<EqualDistance>(
        random.uniform(), std::vector<double>(values, 1.0 / static_cast<double>(values))));
  }
  const ModelAttribute on_values{0, "s", false};
  if (random.chance(0.3)) {
    models.push_back(t_closeness(random.uniform(), GroundDistance::equal, on_values,
                                 world.table.columns.back(), world.counts, nullptr));
  }
  if (random.chance(0.3)) models.push_back(alpha_anonymity(random.uniform(), on_values));
  if (random.chance(0.3)) {
    models.push_back(std::make_unique<AtMost>(static_cast<double>(1 + random.below(30))));
  }
  if (!world.population.empty()) {
    models.push_back(std::make_unique<PeopleBehind>(static_cast<double>(1 + random.below(8))));
  }
  return models;
}

RC_GTEST_PROP(Optimal, IsTheBestOfAllNodes, ()) {
  auto random = any_random();
  auto world = random_protection(1 + random.below(4), 40, random);
  if (random.chance(0.3)) {
    for (auto& count : world->counts) {
      world->population.push_back(random.below(6));
      if (random.chance(0.2)) count = 0;  // people of the population only
    }
    world->counts[0] = 1;
    world->input.population = &world->population;
  }
  const Models models = random_models(*world, random);
  const auto metrics = {LevelMetric::lm, LevelMetric::ncp, LevelMetric::dm, LevelMetric::c_avg,
                        LevelMetric::suppressed};
  for (const LevelMetric metric : metrics) {
    OptimalOptions options;
    options.metric = metric;
    options.suppression = random.chance(0.3) ? 0 : random.chance(0.3) ? 1 : random.uniform();
    options.memory_bytes = random.chance(0.5) ? 1 : 0;
    const Brute expected = brute_force(*world, models, options);
    const auto node = optimal_node(world->input, models, options);
    RC_ASSERT(node.has_value() == expected.feasible);
    if (!node) continue;
    RC_ASSERT(node->exact);
    if (metric == LevelMetric::ncp) {  // what is searched by is what is reported
      const Recoding best = apply_levels(world->input, node->levels, models);
      RC_ASSERT(std::abs(node->cost - normalized_certainty_penalty(world->input, best)) <= 1e-9);
    }
    RC_ASSERT(std::abs(node->cost - expected.cost) <= 1e-9 * std::max(1.0, expected.cost));
    RC_ASSERT(node->lower_bound == node->cost);
    const Recoding release = apply_levels(world->input, node->levels, models);
    RC_ASSERT(release.suppressed == node->suppressed);
    RC_ASSERT(release.class_count == node->classes);
    // Whole numbers have no rounding, so that equal costs are equal and the order is decided.
    if (metric == LevelMetric::dm) RC_ASSERT(node->levels == expected.levels);
  }
}

// Whether people are in no class that stays at these levels, by their own cells.
bool leaves_people_out(const ProtectionForTest& world, const Levels& levels,
                       const Recoding& release) {
  const auto cells = [&](std::size_t group) {
    std::vector<Hierarchy::Node> nodes;
    for (std::size_t a = 0; a < levels.size(); ++a) {
      const Attribute& attribute = world.input.attributes[a];
      nodes.push_back(
          attribute.hierarchy->ancestor(attribute.leaf[attribute.column->codes[group]], levels[a]));
    }
    return nodes;
  };
  std::set<std::vector<Hierarchy::Node>> released;
  for (const auto group : release.groups) released.insert(cells(group));
  for (std::size_t group = 0; group < world.counts.size(); ++group) {
    if (world.population[group] > 0 && !released.contains(cells(group))) return true;
  }
  return false;
}

RC_GTEST_PROP(Optimal, NobodyIsLeftOutWherePresenceHasAMinimum, ()) {
  auto random = any_random();
  auto world = random_protection(1 + random.below(3), 30, random);
  for (auto& count : world->counts) {
    world->population.push_back(random.below(4));
    if (random.chance(0.4)) count = 0;
  }
  world->counts[0] = 1;
  world->input.population = &world->population;
  Models models;
  models.push_back(k_anonymity(1 + random.below(3)));
  models.push_back(delta_presence(random.uniform() * 0.5, 2, {}, {}));
  if (random.chance(0.3)) models.push_back(std::make_unique<AtMost>(20.0));  // not monotone
  OptimalOptions options;
  options.suppression = random.uniform();
  const Brute expected = brute_force(*world, models, options, leaves_people_out);
  const auto node = optimal_node(world->input, models, options);
  RC_ASSERT(node.has_value() == expected.feasible);
  if (node) RC_ASSERT(std::abs(node->cost - expected.cost) <= 1e-9);
  RC_TAG(std::string(node ? "found" : "none"));
}

RC_GTEST_PROP(Optimal, IsTheBestWhereSuppressedCellsCostLess, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(4), 40, random);
  const Models models = random_models(*world, random);
  OptimalOptions options;
  options.suppression = 1;
  options.suppressed_cell = random.uniform();
  const Brute expected = brute_force(*world, models, options);
  const auto node = optimal_node(world->input, models, options);
  RC_ASSERT(node.has_value() == expected.feasible);
  if (!node) return;
  RC_ASSERT(std::abs(node->cost - expected.cost) <= 1e-9);
  options.below_cost = node->cost * 1.01 + 1e-9;
  const auto below = optimal_node(world->input, models, options);
  RC_ASSERT(below.has_value() && below->levels == node->levels);
  options.below_cost = node->cost;
  RC_ASSERT(!optimal_node(world->input, models, options).has_value());
}

RC_GTEST_PROP(Optimal, IsTheSameOnOneThread, ()) {
  auto random = any_random();
  const auto world = random_protection(4, 60, random);
  const Models models = random_models(*world, random);
  OptimalOptions options;
  options.suppression = random.uniform();
  const auto parallel = optimal_node(world->input, models, options);
  const ThreadLimit limit(1);
  const auto serial = optimal_node(world->input, models, options);
  RC_ASSERT(parallel.has_value() == serial.has_value());
  if (!parallel) return;
  RC_ASSERT(parallel->levels == serial->levels);
  RC_ASSERT(parallel->cost == serial->cost);
  RC_ASSERT(parallel->nodes_checked == serial->nodes_checked);
}

RC_GTEST_PROP(Optimal, OutOfTimeTheBoundIsStillTrue, ()) {
  auto random = any_random();
  const auto world = random_protection(4, 40, random);
  const Models models = random_models(*world, random);
  OptimalOptions options;
  options.suppression = random.uniform();
  const Brute expected = brute_force(*world, models, options);
  options.time_limit = 0;
  const auto node = optimal_node(world->input, models, options);
  if (!node) return;
  RC_ASSERT(node->cost >= expected.cost - 1e-12);
  RC_ASSERT(node->lower_bound <= expected.cost + 1e-12);
  if (node->exact) RC_ASSERT(node->best_effort.empty());
  if (!node->exact) RC_ASSERT(!node->best_effort.empty());
}

RC_GTEST_PROP(Optimal, ABestEffortIsFeasibleAndItsBoundTrue, ()) {
  auto random = any_random();
  const auto world = random_protection(4, 40, random);
  draw_weights(world->input, random);
  Models models;
  models.push_back(k_anonymity(1 + random.below(5)));
  OptimalOptions options;
  options.suppression = random.uniform();
  const Brute expected = brute_force(*world, models, options);
  options.most_attributes = 3;
  options.largest_part = 1 + random.below(30);
  // Where there is time, larger parts are tried, too.
  if (random.chance(0.5)) options.time_limit = 60;
  options.largest_lattice = 1 + random.below(300);
  const auto node = optimal_node(world->input, models, options);
  RC_ASSERT(node.has_value() == expected.feasible);
  if (!node) return;
  RC_ASSERT(node->exact == node->best_effort.empty());
  // What costs no more than the bound is the best there is.
  if (node->exact) RC_ASSERT(std::abs(node->cost - expected.cost) <= 1e-12);
  if (node->lower_bound > 0) RC_TAG(std::string("bounded"));
  RC_ASSERT(node->cost >= expected.cost - 1e-12);
  RC_ASSERT(node->lower_bound <= expected.cost + 1e-12);
  const Recoding release = apply_levels(world->input, node->levels, models);
  RC_ASSERT(std::abs(loss_metric(world->input, release) - node->cost) <= 1e-9);
}

// Where it does not look at all nodes it mostly comes to the best all the same.
TEST(Optimal, ABestEffortIsMostlyTheBest) {
  constexpr int kTables = 60;
  int best = 0;
  SeededRandom random(11);
  for (int i = 0; i < kTables; ++i) {
    const auto world = random_protection(6, 60, random);
    Models models;
    models.push_back(k_anonymity(2 + random.below(4)));
    OptimalOptions options;
    options.suppression = i % 2 == 0 ? 0 : 0.2;
    const auto exact = optimal_node(world->input, models, options);
    options.most_attributes = 5;
    options.best_effort_nodes = 500;
    const auto effort = optimal_node(world->input, models, options);
    ASSERT_EQ(exact.has_value(), effort.has_value());
    if (!exact || effort->cost <= exact->cost + 1e-12) ++best;
  }
  EXPECT_GE(best, kTables * 9 / 10);
}

TEST(Optimal, ManyAttributesNeedWideKeysAndAreABestEffort) {
  SeededRandom random(7);
  ProtectionForTest world;
  std::vector<std::string> names;
  Rows rows(200);
  for (std::size_t a = 0; a < 40; ++a) {
    names.push_back("q" + std::to_string(a));
    world.hierarchies.push_back(random_hierarchy(20, 3, random));
  }
  for (auto& row : rows) {
    for (std::size_t a = 0; a < 40; ++a) row.push_back(std::to_string(random.below(20)));
  }
  world.counts.assign(rows.size(), 1);
  world.table = table_of(names, rows);
  world.connect();
  Models models;
  models.push_back(k_anonymity(3));
  OptimalOptions options;
  options.suppression = 0.1;
  options.best_effort_nodes = 300;
  const auto result = optimal(world.input, models, options);
  EXPECT_FALSE(result.node.exact);
  EXPECT_NE(result.node.best_effort.find("40 quasi-identifiers"), std::string::npos);
  EXPECT_LT(result.node.cost, 1);
  EXPECT_LE(result.recoding.suppressed, 20U);
  EXPECT_NEAR(loss_metric(world.input, result.recoding), result.node.cost, 1e-12);
}

TEST(Optimal, SaysWhichModelFailsAtTheTopAndByHowMuch) {
  SeededRandom random(1);
  const auto world = random_protection(2, 10, random);
  Models models;
  models.push_back(k_anonymity(1));
  models.push_back(k_anonymity(1000));
  for (const double suppression : {0.0, 1.0}) {
    OptimalOptions options;
    options.suppression = suppression;
    try {
      (void)optimal(world->input, models, options);
      FAIL() << "nothing satisfies k = 1000";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::check_failed);
      const std::string figures =
          "k is " + std::to_string(world->records()) + " where at least 1000 is required";
      EXPECT_NE(error.message().find(figures), std::string::npos) << error.message();
    }
  }
}

TEST(Optimal, WithoutRecordsNothingIsLost) {
  ProtectionForTest world;
  SeededRandom random(1);
  world.hierarchies.push_back(random_hierarchy(3, 2, random));
  world.table = table_of({"q0"}, {});
  world.connect();
  Models models;
  models.push_back(k_anonymity(5));
  const auto result = optimal(world.input, models);
  EXPECT_EQ(result.node.levels, Levels{0});
  EXPECT_EQ(result.node.cost, 0);
  EXPECT_EQ(result.recoding.class_count, 0U);
}

// What exhaustive search over all 4,320 nodes finds, and ARX as well.
struct AdultRow {
  const char* what;
  double entropy;
  double distance;
  double suppression;
  double lm;
  std::uint64_t suppressed;
  std::uint64_t classes;
  Levels levels;
};

class OptimalOnAdult : public testing::TestWithParam<AdultRow> {};

TEST_P(OptimalOnAdult, AgreesWithExhaustiveSearch) {
  if (!std::filesystem::exists(kAdult)) GTEST_SKIP() << "needs " << kAdult;
  const AdultRow& row = GetParam();
  const auto world = adult({"sex", "age", "race", "marital-status", "education", "native-country",
                            "workclass", "salary-class"},
                           {"occupation"});
  Models models;
  models.push_back(k_anonymity(5));
  if (row.entropy > 0) models.push_back(std::make_unique<EntropyValues>(row.entropy));
  if (row.distance > 0) {
    models.push_back(t_closeness(row.distance, GroundDistance::equal, {0, "occupation", false},
                                 world->table.column("occupation"), world->counts, nullptr));
  }
  OptimalOptions options;
  options.suppression = row.suppression;
  const auto result = optimal(world->input, models, options);
  EXPECT_TRUE(result.node.exact);
  EXPECT_EQ(result.node.nodes_total, 4320U);
  EXPECT_EQ(result.node.levels, row.levels);
  EXPECT_NEAR(result.node.cost, row.lm, 5e-7);
  EXPECT_NEAR(loss_metric(world->input, result.recoding), row.lm, 5e-7);
  EXPECT_EQ(result.recoding.suppressed, row.suppressed);
  EXPECT_EQ(result.recoding.class_count, row.classes);
}

INSTANTIATE_TEST_SUITE_P(
    Published, OptimalOnAdult,
    testing::Values(AdultRow{"k", 0, 0, 0, 0.625000, 0, 26, {0, 4, 1, 2, 3, 2, 0, 0}},
                    AdultRow{"k2", 0, 0, 0.02, 0.277168, 506, 222, {0, 3, 0, 2, 2, 1, 1, 0}},
                    AdultRow{"k100", 0, 0, 1.0, 0.169020, 2848, 638, {0, 3, 0, 0, 1, 1, 0, 0}},
                    AdultRow{"entropy", 3, 0, 0.02, 0.307175, 518, 152, {0, 4, 0, 1, 2, 1, 1, 0}},
                    AdultRow{"close", 0, 0.2, 1.0, 0.643494, 8156, 23, {1, 2, 0, 0, 3, 0, 2, 1}}),
    [](const auto& row) { return std::string(row.param.what); });

}  // namespace
}  // namespace pratique::tables::optimal_test
