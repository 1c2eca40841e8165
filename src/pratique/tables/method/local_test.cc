#include "pratique/tables/method/local.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/testing/model_kinds_for_test.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::local_test {
namespace {

using Cells = std::vector<std::string>;

Cells cells(const Recoding& release, std::size_t entry) {
  Cells texts;
  for (const auto& column : release.columns) texts.push_back(column.values[column.codes[entry]]);
  return texts;
}

// Every node whose label is the text and that stands over the value of the group.
bool stands_over(const Attribute& attribute, const std::string& text, double leaves,
                 std::uint32_t group) {
  const Hierarchy& hierarchy = *attribute.hierarchy;
  const auto leaf = attribute.leaf[attribute.column->codes[group]];
  for (int level = 0; level < hierarchy.height(); ++level) {
    const auto node = hierarchy.ancestor(leaf, level);
    const std::string label(hierarchy.label(node));
    if (text == (level == 0 ? GeneralisedValue::text(label).print() : label) &&
        leaves >= hierarchy.leaves_under(node)) {
      return true;
    }
  }
  return false;
}

// What a reader of the file sees: records with equal cells, and whether each such class satisfies
// the models. Returns what is wrong with the release, or nothing.
std::string fault(const ProtectionForTest& world, const Models& models, const Recoding& release,
                  double suppression) {
  const auto& input = world.input;
  std::uint64_t kept = 0;
  std::map<std::uint32_t, std::uint64_t> left_of_group;
  std::map<Cells, std::map<Code, std::uint64_t>> classes;
  std::map<Cells, std::set<ClassId>> ids;
  for (std::size_t i = 0; i < release.groups.size(); ++i) {
    const std::uint32_t group = release.groups[i];
    left_of_group[group] += release.counts[i];
    if (left_of_group[group] > world.counts[group]) return "a record leaves twice";
    kept += release.counts[i];
    for (std::size_t a = 0; a < input.attributes.size(); ++a) {
      const RecodedColumn& column = release.columns[a];
      const Code code = column.codes[i];
      if (!stands_over(input.attributes[a], column.values[code], column.leaves[code], group)) {
        return "a cell does not stand over its value";
      }
    }
    classes[cells(release, i)][input.sensitive[0]->codes[group]] += release.counts[i];
    ids[cells(release, i)].insert(release.class_of[i]);
  }
  if (kept + release.suppressed != world.records()) return "a record is lost";
  if (static_cast<double>(release.suppressed) >
      suppression * static_cast<double>(kept + release.suppressed)) {
    return "too many are suppressed";
  }
  for (const auto& [texts, values] : classes) {
    if (ids[texts].size() != 1) return "two classes look the same";
    std::vector<Code> present;
    std::vector<std::uint64_t> counts;
    std::uint64_t records = 0;
    for (const auto& [value, count] : values) {
      present.push_back(value);
      counts.push_back(count);
      records += count;
    }
    const SensitiveCounts sensitive{present, counts};
    if (!all_hold(models, {records, 0, {&sensitive, 1}})) return "a class breaks a model";
  }
  if (classes.size() != release.class_count) return "classes are miscounted";
  return {};
}

RC_GTEST_PROP(Local, EveryClassSatisfiesTheModelsAndNobodyIsLost, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(4), 60, random);
  Models models;
  models.push_back(k_anonymity(1 + random.below(6)));
  bool monotone = true;
  if (random.chance(0.3)) models.push_back(std::make_unique<EntropyValues>(1 + random.uniform()));
  if (random.chance(0.3)) {
    models.push_back(std::make_unique<AtMost>(static_cast<double>(10 + random.below(60))));
    monotone = false;
  }
  LocalOptions options;
  options.suppression = random.chance(0.5) ? 0 : random.uniform() / 2;
  if (random.chance(0.3)) options.suppressed_cell = 1;
  try {
    const auto result = local_recoding(world->input, models, options);
    RC_ASSERT(fault(*world, models, result.recoding, options.suppression) == "");
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
    // All records as one class would have done.
    OptimalOptions top;
    if (monotone) RC_ASSERT(!optimal_node(world->input, models, top).has_value());
  }
}

RC_GTEST_PROP(Local, OutOfTimeItIsStillSound, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(4), 60, random);
  Models models;
  models.push_back(k_anonymity(1 + random.below(6)));
  LocalOptions options;
  options.time_limit = 0;
  try {
    const auto result = local_recoding(world->input, models, options);
    RC_ASSERT(fault(*world, models, result.recoding, 0) == "");
    options.may_give_up = true;
    const auto given_up = local_recoding(world->input, models, options);
    RC_ASSERT(given_up.gave_up || fault(*world, models, given_up.recoding, 0) == "");
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
  }
}

RC_GTEST_PROP(Local, BeginsWithAnyLevels, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(4), 60, random);
  Models models;
  models.push_back(k_anonymity(1 + random.below(4)));
  LocalOptions options;
  options.start.emplace();
  for (const auto& hierarchy : world->hierarchies)
    options.start->push_back(
        static_cast<int>(random.below(static_cast<std::uint64_t>(hierarchy.height()))));
  try {
    const auto result = local_recoding(world->input, models, options);
    RC_ASSERT(fault(*world, models, result.recoding, 0) == "");
    RC_ASSERT(result.rounds.front().levels == *options.start);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
  }
}

// A tree where the label of a leaf stands again over other leaves: both cells print as "a".
RC_GTEST_PROP(Local, IsNeverWorseWhereMoreMayBeSuppressed, ()) {
  auto random = any_random();
  const auto world = random_protection(1 + random.below(4), 60, random);
  Models models;
  models.push_back(k_anonymity(1 + random.below(6)));
  if (random.chance(0.3)) models.push_back(std::make_unique<EntropyValues>(1 + random.uniform()));
  if (random.chance(0.3))
    models.push_back(std::make_unique<AtMost>(static_cast<double>(10 + random.below(60))));
  std::vector<double> allowed = {0, 0.01, 0.05, 0.2, random.uniform(), 1};
  std::sort(allowed.begin(), allowed.end());
  double least = std::numeric_limits<double>::infinity();
  for (const double suppression : allowed) {
    LocalOptions options;
    options.suppression = suppression;
    double loss = std::numeric_limits<double>::infinity();
    try {
      loss = loss_metric(world->input, local_recoding(world->input, models, options).recoding);
    } catch (const Error& error) {
      RC_ASSERT(error.code() == ErrorCode::check_failed);
    }
    RC_ASSERT(loss <= least);
    least = loss;
  }
}

TEST(Local, ClassesThatPrintTheSameCellsAreOne) {
  ProtectionForTest world;
  Hierarchy::Builder builder("test");
  using Path = std::vector<std::string_view>;
  builder.add(Path{"a", "x", "*"});
  builder.add(Path{"b", "a", "*"});
  builder.add(Path{"c", "a", "*"});
  world.hierarchies.push_back(builder.build());
  world.table = table_of({"q", "s"}, {{"a", "1"}, {"b", "1"}, {"c", "1"}});
  world.counts = {5, 1, 1};
  world.connect();
  Models models;
  models.push_back(k_anonymity(2));
  const auto result = local_recoding(world.input, models);
  EXPECT_EQ(fault(world, models, result.recoding, 0), "");

  // Not so where the two together break a model.
  models.push_back(std::make_unique<AtMost>(5));
  EXPECT_THROW((void)local_recoding(world.input, models), Error);
  LocalOptions options;
  options.suppression = 1;
  const auto partial = local_recoding(world.input, models, options);
  EXPECT_EQ(fault(world, models, partial.recoding, 1), "");
}

TEST(Local, LeavesOutNoMoreThanAllowed) {
  ProtectionForTest world;
  SeededRandom random(3);
  world.hierarchies.push_back(random_hierarchy(6, 2, random));
  world.table = table_of({"q", "s"}, {{"0", "1"}, {"1", "1"}, {"2", "1"}});
  world.counts = {10, 9, 1};
  world.connect();
  Models models;
  models.push_back(k_anonymity(5));
  LocalOptions options;
  options.suppression = 0.05;
  const auto some = local_recoding(world.input, models, options);
  EXPECT_EQ(some.recoding.suppressed, 1U);
  EXPECT_EQ(loss_metric(world.input, some.recoding), 1.0 / 20);
  options.suppression = 0.04;
  const auto all = local_recoding(world.input, models, options);
  EXPECT_EQ(all.recoding.suppressed, 0U);
  // The one joins the smaller class.
  EXPECT_EQ(loss_metric(world.input, all.recoding), 10.0 / 20);
}

TEST(Local, SaysWhichModelFails) {
  SeededRandom random(1);
  const auto world = random_protection(2, 10, random);
  Models models;
  models.push_back(k_anonymity(1000));
  try {
    (void)local_recoding(world->input, models);
    FAIL() << "nothing satisfies k = 1000";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("at least 1000 is required"), std::string::npos);
  }
}

TEST(Local, LosesLittleOnAdult) {
  if (!std::filesystem::exists(kAdult)) GTEST_SKIP() << "needs " << kAdult;
  const auto world = adult({"sex", "age", "race", "marital-status", "education", "native-country",
                            "workclass", "salary-class"},
                           {"occupation"});
  Models models;
  models.push_back(k_anonymity(5));
  const auto result = local_recoding(world->input, models);
  EXPECT_EQ(fault(*world, models, result.recoding, 0), "");
  EXPECT_EQ(result.recoding.suppressed, 0U);
  EXPECT_LE(loss_metric(world->input, result.recoding), 0.062);

  models.push_back(std::make_unique<EntropyValues>(3));
  LocalOptions options;
  options.suppressed_cell = 0.3;
  const auto diverse = local_recoding(world->input, models, options);
  EXPECT_EQ(fault(*world, models, diverse.recoding, 0), "");
  EXPECT_EQ(diverse.recoding.suppressed, 0U);
}

}  // namespace
}  // namespace pratique::tables::local_test
