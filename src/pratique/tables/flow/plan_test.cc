#include "pratique/tables/flow/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "pratique/tables/testing/people_for_flow_test.h"

namespace pratique::tables::flow::plan_test {
namespace {

// 1,500 and 6,000 records are a factor of 4 apart; 96,000 records are 16 times the second.
constexpr double kRecords = 96'000;

TEST(Plan, TimeGrowsAsItDidFromSampleToSample) {
  // Four times the records take four times as long, so 16 times take 16 times.
  EXPECT_NEAR(predicted_seconds(std::vector<Pilot>{{1500, 0.1}, {6000, 0.4}}, kRecords, {}), 6.4,
              1e-9);
  // By 4^0.75 = 2.83 from one to the other, and by 16^0.75 = 8 to all.
  EXPECT_NEAR(predicted_seconds(std::vector<Pilot>{{1500, 0.1}, {6000, 0.1 * std::pow(4, 0.75)}},
                                kRecords, {}),
              8 * 0.1 * std::pow(4, 0.75), 1e-9);
}

TEST(Plan, ItGrowsNeitherSlowerNorFasterThanWhatWasMeasured) {
  EXPECT_NEAR(predicted_seconds(std::vector<Pilot>{{1500, 0.4}, {6000, 0.4}}, kRecords, {}),
              0.4 * std::pow(16, 0.7), 1e-9);
  EXPECT_NEAR(predicted_seconds(std::vector<Pilot>{{1500, 0.01}, {6000, 0.4}}, kRecords, {}), 6.4,
              1e-9);
}

TEST(Plan, ASearchTakesItsTimeLimitAtMost) {
  const std::vector<Pilot> slow = {{1500, 1}, {6000, 4}};
  EXPECT_EQ(predicted_seconds(slow, kRecords, TimeLimit{60}), 60);
  EXPECT_NEAR(predicted_seconds(slow, kRecords, TimeLimit{600}), 64, 1e-9);
  // A limit that was asked for is used up by what does not end within a moment.
  const std::vector<Pilot> endless = {{1500, 1.5, true}};
  EXPECT_EQ(predicted_seconds(endless, 3000, TimeLimit{600, true}), 600);
  EXPECT_LT(predicted_seconds(endless, 3000, TimeLimit{600}), 10);
}

TEST(Plan, ATableThatIsItsOwnSampleTakesWhatItTook) {
  EXPECT_EQ(predicted_seconds(std::vector<Pilot>{{900, 0.3}}, 900, {}), 0.3);
}

using TablesPlan = PeopleFlow;

TEST_F(TablesPlan, CountsEverySettingAndWritesNothing) {
  ExploreRequest request;
  request.shared = asked();
  request.shared.levels.clear();
  request.ks = {2, 3, 5};
  request.methods = {"mondrian", "optimal"};
  const Json plan = *flow::plan(request, run).result;
  EXPECT_EQ(plan["settings"], 6);
  ASSERT_EQ(plan["methods"].size(), 2U);
  EXPECT_FALSE(plan["methods"][0].contains("time_limit"));
  EXPECT_EQ(plan["methods"][1]["time_limit"], 60);
  double sum = plan["reading"].get<double>();
  for (const auto& method : plan["methods"]) sum += 3 * method["seconds"].get<double>();
  EXPECT_NEAR(plan["seconds"].get<double>(), sum, 1e-9);
  EXPECT_FALSE(std::filesystem::exists(request.shared.out));
}

}  // namespace
}  // namespace pratique::tables::flow::plan_test
