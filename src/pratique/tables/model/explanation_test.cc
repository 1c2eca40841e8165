#include "pratique/tables/model/explanation.h"

#include <gtest/gtest.h>

#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/model/population_models.h"
#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::explanation_test {
namespace {

// Ages by tens and twenties. At level 2 all of 20..39 is one class of five.
struct Ages {
  ProtectionWorld world{{{"21", "F"}, {"25", "F"}, {"31", "F"}, {"35", "M"}, {"38", "M"}},
                        {"interval:10,20", "flat"}};
  Models models = k_only(3);
};

TEST(Explanation, ANodeGivesWayToItsChildren) {
  const Ages ages;
  const Recoding recoding = apply_levels(ages.world.input, {2, 1}, ages.models);
  const Explainer explainer(ages.world.input, ages.models, recoding);
  ASSERT_EQ(explainer.class_count(), 1U);
  const auto explained = explainer.explain(0);
  EXPECT_EQ(explained.records, 5U);
  EXPECT_EQ(explained.cells, (std::vector<std::string>{"20..39", "*"}));
  ASSERT_EQ(explained.lowered[0].parts.size(), 2U);
  EXPECT_EQ(explained.lowered[0].parts[0].cell, "20..29");
  EXPECT_EQ(explained.lowered[0].parts[0].records, 2U);
  EXPECT_EQ(explained.lowered[0].parts[0].broken, (std::vector<std::string>{"k"}));
  EXPECT_TRUE(explained.lowered[0].parts[1].broken.empty());
  EXPECT_EQ(explained.lowered[0].records_broken, 2U);
  ASSERT_EQ(explained.lowered[0].broken.size(), 1U);
  EXPECT_EQ(explained.lowered[0].broken[0].achieved, 2);
  EXPECT_EQ(explained.lowered[0].broken[0].required, 3);
  // Two men are too few.
  EXPECT_EQ(explained.lowered[1].records_broken, 2U);
}

TEST(Explanation, TheWholeColumnOneLevelLower) {
  const Ages ages;
  const auto lower = lower_level(ages.world.input, ages.models, {2, 1}, 0, 0.4);
  ASSERT_TRUE(lower.has_value());
  EXPECT_EQ(lower->level, 1);
  EXPECT_EQ(lower->suppressed, 2U);  // the two in their twenties
  EXPECT_EQ(lower->allowed, 2U);     // 0.4 of five
  EXPECT_FALSE(lower_level(ages.world.input, ages.models, {0, 1}, 0, 0).has_value());
}

TEST(Explanation, ARangeIsCutWhereTheSmallerPartIsLargest) {
  const Ages ages;
  Recoding recoding;
  recoding.groups = {0, 1, 2, 3, 4};
  recoding.counts = {1, 1, 1, 1, 1};
  recoding.class_of = {0, 0, 0, 0, 0};
  recoding.class_count = 1;
  write_cells(ages.world.input, CellStyle::free, recoding);
  ASSERT_EQ(recoding.columns[0].values[0], "21..38");
  const auto lowered = Explainer(ages.world.input, ages.models, recoding).lower(0, 0);
  ASSERT_EQ(lowered.parts.size(), 2U);
  EXPECT_EQ(lowered.parts[0].records, 2U);
  EXPECT_EQ(lowered.parts[1].records, 3U);
  EXPECT_EQ(lowered.parts[0].cell, "21..25");
  EXPECT_EQ(lowered.parts[1].cell, "31..38");
}

TEST(Explanation, AnExactValueHasNothingBelow) {
  const Ages ages;
  Models none;
  const Recoding recoding = apply_levels(ages.world.input, {0, 0}, none);
  const auto lowered = Explainer(ages.world.input, none, recoding).lower(0, 0);
  EXPECT_TRUE(lowered.parts.empty());
  EXPECT_NE(sentence("age", lowered, {}).find("nothing is generalised"), std::string::npos);
}

TEST(Explanation, ThePeopleOfAPopulationAreCounted) {
  // Five people from 21 to 29, three of them from 20 to 24; one record, of 21.
  ProtectionWorld world({{"21"}, {"21"}, {"23"}, {"24"}, {"28"}, {"29"}}, {"interval:5,10"},
                        {1, 0, 0, 0, 0, 0});
  const std::vector<std::uint64_t> people = {0, 1, 1, 1, 1, 1};
  world.input.population = &people;
  Models models;
  models.push_back(k_map(4, {}, world.input.attributes));
  const Recoding recoding = apply_levels(world.input, {2}, models);
  const Explainer explainer(world.input, models, recoding);
  const auto explained = explainer.explain(0);
  EXPECT_EQ(explained.achieved[0].achieved, 5);
  ASSERT_EQ(explained.lowered[0].broken.size(), 1U);
  EXPECT_EQ(explained.lowered[0].broken[0].achieved, 3);
}

}  // namespace
}  // namespace pratique::tables::explanation_test
