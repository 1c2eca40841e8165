#include "pratique/tables/method/mondrian.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/tables/metric/metrics.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::mondrian_test {
namespace {

using Classes = std::set<std::set<std::uint32_t>>;

// The tutorial's six records: age and sex.
const Rows kSix = {{"20", "M"}, {"23", "F"}, {"25", "M"}, {"27", "F"}, {"28", "F"}, {"29", "F"}};

TEST(Mondrian, WidestCutsTheTutorialsTableAtTheMedianAge) {
  const ProtectionWorld world(kSix, {"flat", "flat"});
  MondrianOptions options;
  options.choice = MondrianOptions::Choice::widest;
  options.loss = Loss::ncp;
  const auto recoding = mondrian(world.input, k_only(2), options);
  EXPECT_EQ(classes_of(recoding), (Classes{{0, 1, 2}, {3, 4, 5}}));
}

TEST(Mondrian, GainFindsTheBetterCutsThatTheTutorialShows) {
  const ProtectionWorld world(kSix, {"flat", "flat"});
  MondrianOptions options;
  options.loss = Loss::ncp;
  const auto recoding = mondrian(world.input, k_only(2), options);
  EXPECT_EQ(classes_of(recoding), (Classes{{0, 2}, {1, 3}, {4, 5}}));
  expect_sound(world.input, k_only(2), recoding);
}

TEST(Mondrian, RelaxedDividesTheRecordsOfOneValue) {
  // Strict: the only cuts leave one record on a side.
  const ProtectionWorld world({{"1"}, {"2"}, {"3"}}, {"flat"}, {1, 6, 1});
  MondrianOptions options;
  EXPECT_EQ(mondrian(world.input, k_only(4), options).class_count, 1U);
  options.relaxed = true;
  const auto relaxed = mondrian(world.input, k_only(4), options);
  EXPECT_EQ(relaxed.class_count, 2U);
  expect_sound(world.input, k_only(4), relaxed);
}

TEST(Mondrian, LabelsAreCutBetweenTheChildrenOfANode) {
  const ProtectionWorld world({{"1"}, {"9"}, {"11"}, {"19"}, {"21"}, {"29"}}, {"interval:10"});
  MondrianOptions options;
  options.style = CellStyle::labels;
  const auto recoding = mondrian(world.input, k_only(2), options);
  EXPECT_EQ(classes_of(recoding), (Classes{{0, 1}, {2, 3}, {4, 5}}));
}

TEST(Mondrian, CutsWhereTheLabelChanges) {
  // By loss the gap at 30 is the place to cut; the label changes at 3.
  const ProtectionWorld world(
      {{"1", "y"}, {"2", "y"}, {"3", "n"}, {"4", "n"}, {"30", "n"}, {"31", "n"}}, {"flat"});
  MondrianOptions options;
  options.label = &world.table.columns[1];
  const auto recoding = mondrian(world.input, k_only(2), options);
  EXPECT_TRUE(classes_of(recoding).contains({0, 1}));
}

TEST(Mondrian, CutsWhereTheTargetChanges) {
  const ProtectionWorld world({{"1"}, {"2"}, {"3"}, {"4"}, {"30"}, {"31"}}, {"flat"});
  const std::vector<double> target = {0, 1, 100, 101, std::nan(""), 99};
  MondrianOptions options;
  options.target = &target;
  const auto recoding = mondrian(world.input, k_only(2), options);
  EXPECT_TRUE(classes_of(recoding).contains({0, 1}));
}

TEST(Mondrian, SaysWhichModelTheWholeTableBreaks) {
  const ProtectionWorld world(kSix, {"flat", "flat"});
  try {
    (void)mondrian(world.input, k_only(7), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::check_failed);
    EXPECT_NE(error.message().find("k (required 7, reached 6)"), std::string::npos)
        << error.message();
  }
}

TEST(Mondrian, AnEmptyTableHasNoClasses) {
  const ProtectionWorld world({{"1"}}, {"flat"}, {0});
  EXPECT_EQ(mondrian(world.input, k_only(2), {}).class_count, 0U);
}

RC_GTEST_PROP(MondrianProperties, EveryRecordLeavesOnceInAClassThatHolds, ()) {
  auto random = any_random();
  const auto world = random_world(random, 1 + random.below(150));
  auto models = k_only(1 + random.below(6));
  if (random.chance(0.5)) {
    models.push_back(diverse_for_test(1 + random.below(3), 0.7));
  }
  MondrianOptions options;
  options.style = random.chance(0.5) ? CellStyle::free : CellStyle::labels;
  options.loss = random.chance(0.5) ? Loss::lm : Loss::ncp;
  options.choice =
      random.chance(0.5) ? MondrianOptions::Choice::gain : MondrianOptions::Choice::widest;
  options.relaxed = random.chance(0.5);
  if (random.chance(0.3)) options.label = &world.table.columns[4];
  try {
    expect_sound(world.input, models, mondrian(world.input, models, options));
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::check_failed);
  }
}

TEST(Mondrian, DoesNotDependOnTheNumberOfThreads) {
  SeededRandom random(1);
  const auto world = random_world(random, 12000);
  const auto all = mondrian(world.input, k_only(3), {});
  const ThreadLimit limit(1);
  expect_same(all, mondrian(world.input, k_only(3), {}));
}

}  // namespace
}  // namespace pratique::tables::mondrian_test
