// Limits on what the cells of a column may lose (Attribute::most_leaves).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pratique/core/error.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/protection.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/testing/protection_for_test.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::column_limits_test {
namespace {

double limit_of(const Attribute& attribute, double share) {
  return 1 + share * (attribute.hierarchy->leaf_count() - 1) + 1e-9;
}

// From the cells alone.
bool cells_within(const ProtectionInput& input, const Recoding& recoding) {
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    for (const Code code : recoding.columns[a].codes) {
      if (recoding.columns[a].leaves[code] > input.attributes[a].most_leaves) return false;
    }
  }
  return true;
}

// The least loss over all nodes whose cells keep the limits, by trying every node.
double best_by_brute_force(const ProtectionInput& input, const Models& models, double suppression) {
  double best = std::numeric_limits<double>::infinity();
  std::vector<int> levels(input.attributes.size(), 0);
  const auto records = static_cast<double>(records_of(input));
  for (;;) {
    // Cells of suppressed records count, too: the limit is of the level.
    const Recoding all = apply_levels(input, levels, {});
    const Recoding released = apply_levels(input, levels, models);
    if (cells_within(input, all) && released.class_count > 0 &&
        static_cast<double>(released.suppressed) <= suppression * records)
      best = std::min(best, loss_metric(input, released));
    std::size_t a = 0;
    while (a < levels.size() && ++levels[a] == input.attributes[a].hierarchy->height())
      levels[a++] = 0;
    if (a == levels.size()) return best;
  }
}

TEST(ColumnLimits, OptimalIsTheBestOfTheLevelsWithin) {
  std::size_t possible = 0;
  std::size_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    auto world = random_protection(1 + random.below(3), 12, random);
    for (auto& attribute : world->input.attributes) {
      if (random.chance(0.6)) attribute.most_leaves = limit_of(attribute, random.uniform());
    }
    const Models models = k_only(1 + random.below(4));
    const double suppression = random.chance(0.5) ? 0 : 0.3;
    const double best = best_by_brute_force(world->input, models, suppression);
    for (const char* metric : {"lm", "um"}) {
      Method method;
      method.suppression = suppression;
      method.metric = metric;
      if (std::isinf(best)) {
        ++impossible;
        EXPECT_THROW((void)protect(world->input, models, method), Error) << seed;
        continue;
      }
      ++possible;
      const auto released = protect(world->input, models, method);
      EXPECT_TRUE(cells_within(world->input, released.recoding));
      if (std::string(metric) == "lm") {
        EXPECT_NEAR(loss_metric(world->input, released.recoding), best, 1e-12) << seed;
      }
    }
  }
  EXPECT_GT(possible, 50U);
  EXPECT_GT(impossible, 20U);
}

TEST(ColumnLimits, LocalRecodingKeepsThemOrSaysThatItCannot) {
  std::size_t kept = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    auto world = random_protection(1 + random.below(3), 20, random);
    for (auto& attribute : world->input.attributes)
      attribute.most_leaves = limit_of(attribute, 0.3 + 0.7 * random.uniform());
    const Models models = k_only(2);
    Method method;
    method.name = "local";
    method.suppression = 0.4;
    try {
      const auto released = protect(world->input, models, method);
      EXPECT_TRUE(cells_within(world->input, released.recoding));
      ++kept;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::check_failed);
      EXPECT_NE(error.message().find("--max-loss"), std::string::npos) << error.message();
    }
  }
  EXPECT_GT(kept, 50U);
}

TEST(ColumnLimits, LevelsThatAreTooCoarseAreRefused) {
  // Four ages under one node of two levels: hiding all loses everything.
  ProtectionWorld world({{"21", "a"}, {"22", "a"}, {"31", "a"}, {"32", "a"}}, {"interval:10"});
  world.input.attributes[0].most_leaves = limit_of(world.input.attributes[0], 0.5);
  Method method;
  method.name = "levels";
  method.levels = {1};
  EXPECT_EQ(protect(world.input, k_only(2), method).recoding.class_count, 2U);
  method.levels = {2};
  EXPECT_THROW((void)protect(world.input, k_only(2), method), Error);
}

// By the definition: a cell's label is of a level up to the limit, or of values that such a label
// stands for.
bool levels_within(const ProtectionInput& input, const Recoding& recoding,
                   const std::vector<int>& most) {
  for (std::size_t a = 0; a < input.attributes.size(); ++a) {
    const Hierarchy& tree = *input.attributes[a].hierarchy;
    for (const Code code : recoding.columns[a].codes) {
      bool allowed = false;
      const std::string& cell = recoding.columns[a].values[code];
      for (Hierarchy::Node node = 0; node < tree.node_count(); ++node) {
        if (tree.label(node) != cell) continue;
        for (Hierarchy::Node same = 0; same < tree.node_count(); ++same) {
          const bool covers = tree.leaves_under(same) == tree.leaves_under(node) &&
                              (tree.is_under(same, node) || tree.is_under(node, same));
          allowed = allowed || (covers && tree.level(same) <= most[a]);
        }
      }
      if (!allowed) return false;
    }
  }
  return true;
}

TEST(ColumnLimits, LevelsAreSearchedUpToTheirLimits) {
  std::size_t possible = 0;
  std::size_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    auto world = random_protection(1 + random.below(3), 12, random);
    auto& attributes = world->input.attributes;
    std::vector<int> most;
    for (auto& attribute : attributes) {
      const int height = attribute.hierarchy->height();
      most.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(height))));
      limit_level(attribute, most.back());
    }
    const Models models = k_only(1 + random.below(4));
    const double suppression = random.chance(0.5) ? 0 : 0.3;
    // Every node below the limits.
    double best = std::numeric_limits<double>::infinity();
    const auto records = static_cast<double>(records_of(world->input));
    std::vector<int> levels(attributes.size(), 0);
    for (bool more = true; more;) {
      const Recoding released = apply_levels(world->input, levels, models);
      if (released.class_count > 0 &&
          static_cast<double>(released.suppressed) <= suppression * records)
        best = std::min(best, loss_metric(world->input, released));
      std::size_t a = 0;
      while (a < levels.size() && ++levels[a] > most[a]) levels[a++] = 0;
      more = a < levels.size();
    }
    for (const char* name : {"optimal", "local"}) {
      Method method;
      method.name = name;
      method.suppression = suppression;
      try {
        const auto released = protect(world->input, models, method);
        EXPECT_TRUE(levels_within(world->input, released.recoding, most)) << seed << name;
        if (method.name == "optimal") {
          EXPECT_NEAR(loss_metric(world->input, released.recoding), best, 1e-12) << seed;
        }
        ++possible;
      } catch (const Error& error) {
        ++impossible;
        EXPECT_EQ(error.code(), ErrorCode::check_failed);
        if (method.name == "optimal") {
          EXPECT_TRUE(std::isinf(best)) << seed;
        }
      }
    }
  }
  EXPECT_GT(possible, 100U);
  EXPECT_GT(impossible, 20U);
}

}  // namespace
}  // namespace pratique::tables::column_limits_test
