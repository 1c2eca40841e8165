#include "pratique/tables/flow/explore.h"

#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/manifest/private_manifest.h"
#include "pratique/tables/testing/people_for_flow_test.h"

namespace pratique::tables::flow::explore_test {
namespace {

class ExploreFlow : public PeopleFlow {
 protected:
  // By hand (protect_test.cc): k = 2 hides ages, k = 3 sex and the years of a decade.
  [[nodiscard]] ExploreRequest two_and_three() const {
    ExploreRequest request{.shared = asked(), .ks = {2, 3}, .methods = {"optimal"}};
    request.shared.method = "optimal";
    request.shared.levels.clear();
    request.shared.models.clear();
    request.shared.out = path("map");
    return request;
  }

  // Whoever has the private manifest knows which table a map is of; nobody else.
  void expect_of_people(const Json& map) const {
    const auto kept = PrivateManifest::find(map.at("private").get<std::string>(),
                                            {private_folder_beside(people)});
    ASSERT_TRUE(kept);
    EXPECT_EQ(map.at("input"),
              kept->commitment(
                  {.path = people, .sha256 = sha256_file(people), .bytes = file_size(people)}));
  }
};

TEST_F(ExploreFlow, RiskAndUtilityOfEverySettingByHand) {
  const Outcome outcome = explore(two_and_three(), run);
  EXPECT_TRUE(outcome.passed);
  const Json result = *outcome.result;
  ASSERT_EQ(result["points"].size(), 2U);
  const Json two = result["points"][0];
  EXPECT_EQ(two["method"], "optimal");
  EXPECT_EQ(two["k"], 2);
  EXPECT_NEAR(two["risk_mean"].get<double>(), 2 / 6.0, 1e-12);  // four women, two men
  EXPECT_NEAR(two["risk_max"].get<double>(), 1 / 2.0, 1e-12);
  EXPECT_NEAR(two["utility"].get<double>(), 0.5, 1e-12);
  EXPECT_EQ(two["metrics"]["c_avg"], 1.5);
  EXPECT_EQ(two["suppressed"], 0);
  EXPECT_EQ(two["pareto"], true);
  EXPECT_GE(two["seconds"], 0);
  EXPECT_LT(two["seconds"], 300);
  const Json three = result["points"][1];
  EXPECT_EQ(three["k"], 3);
  EXPECT_NEAR(three["risk_mean"].get<double>(), 2 / 6.0, 1e-12);
  EXPECT_NEAR(three["risk_max"].get<double>(), 1 / 3.0, 1e-12);
  EXPECT_NEAR(three["utility"].get<double>(), 0.3, 1e-12);
  EXPECT_EQ(three["metrics"]["c_avg"], 1);
  EXPECT_EQ(three["pareto"], false);  // the other has the same mean risk and is of more use
  EXPECT_FALSE(result.contains("failed"));
  EXPECT_FALSE(result.contains("chosen"));
  EXPECT_EQ(result["out"], path("map"));
}

TEST_F(ExploreFlow, TheMapLiesInItsFolder) {
  ExploreRequest request = two_and_three();
  request.shared.out = path("deep/map");
  request.min_utility = 0.5;
  const Json result = *explore(request, run).result;
  const auto csv = cells("deep/map/ru-map.csv");
  EXPECT_EQ(csv.columns[0], "method");
  ASSERT_EQ(csv.rows.size(), 2U);
  EXPECT_EQ(csv.rows[0][1], "2");
  EXPECT_EQ(csv.rows[0][7], "true");  // chosen
  EXPECT_EQ(csv.rows[1][7], "false");
  EXPECT_NE(read_file(path("deep/map/ru-map.svg")).find("<svg"), std::string::npos);
  const Json json = read_json_file(path("deep/map/ru-map.json"));
  EXPECT_EQ(json["points"], result["points"]);
  expect_of_people(json);
  EXPECT_EQ(read_file(path("deep/map/ru-map.json")).find(sha256_file(people)), std::string::npos);
  EXPECT_FALSE(json["chart"].empty());
}

TEST_F(ExploreFlow, BoundsChoose) {
  ExploreRequest request = two_and_three();
  request.min_utility = 0.4;
  Outcome outcome = explore(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ((*outcome.result)["chosen"]["k"], 2);
  request.min_utility.reset();
  request.max_risk = 0.34;
  outcome = explore(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ((*outcome.result)["chosen"]["k"], 3);
  request.min_utility = 0.4;  // nothing is within both
  outcome = explore(request, run);
  EXPECT_FALSE(outcome.passed);
  EXPECT_TRUE((*outcome.result)["chosen"].is_null());
  EXPECT_EQ((*outcome.result)["points"].size(), 2U);
}

TEST_F(ExploreFlow, SettingsThatCannotBeMetAreListed) {
  ExploreRequest request = two_and_three();
  request.ks = {2, 7, 3};
  Outcome outcome = explore(request, run);
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ((*outcome.result)["points"].size(), 2U);
  ASSERT_EQ((*outcome.result)["failed"].size(), 1U);
  EXPECT_EQ((*outcome.result)["failed"][0]["method"], "optimal");
  EXPECT_EQ((*outcome.result)["failed"][0]["k"], 7);
  EXPECT_FALSE((*outcome.result)["failed"][0]["why"].get<std::string>().empty());
  request.ks = {7};
  outcome = explore(request, run);
  EXPECT_FALSE(outcome.passed);
  EXPECT_TRUE((*outcome.result)["points"].empty());
}

TEST_F(ExploreFlow, EveryMethodIsTriedAtEveryKAndToldAtOnce) {
  ExploreRequest request = two_and_three();
  request.methods = {"mondrian", "levels", "optimal"};
  request.shared.levels = {"age=1"};
  request.shared.suppression = 0.17;
  std::vector<std::string> told;
  run.part = [&](const Json& point) {
    told.push_back(point["method"].get<std::string>() + point["k"].dump());
  };
  const Json result = *explore(request, run).result;
  // Decades by sex are 1, 2 and 3: for k = 2 one record is left out, for k = 3 three would be.
  EXPECT_EQ(told, (std::vector<std::string>{"mondrian2", "mondrian3", "levels2", "optimal2",
                                            "optimal3"}));
  EXPECT_EQ(result["points"][2]["suppressed"], 1);
  EXPECT_EQ(result["failed"][0]["method"], "levels");
  // Six parts of one whole.
  const auto seen = progress.snapshot();
  EXPECT_EQ(seen.step, "trying settings");
  EXPECT_EQ(seen.done, seen.total);
}

TEST_F(ExploreFlow, OtherModelsStayAndAPopulationIsNotTheInput) {
  ExploreRequest request = two_and_three();
  request.shared.models["k-map"] = {"4"};
  request.shared.models["population"] = {
      file("all.csv", "age,sex\n21,F\n23,M\n27,M\n34,F\n36,F\n38,F\n29,M\n30,F\n")};
  const Json result = *explore(request, run).result;
  expect_of_people(read_json_file(path("map/ru-map.json")));
  // Of two classes by sex, men would be three people: too few.
  EXPECT_NE(result["points"][0]["utility"], 0.5);
}

TEST_F(ExploreFlow, ColumnsMayBeUndecidedWhereNothingLeaves) {
  ExploreRequest request = two_and_three();
  request.shared.columns.said.insensitive.clear();  // nobody said what ward is
  EXPECT_EQ((*explore(request, run).result)["points"].size(), 2U);
}

TEST_F(ExploreFlow, MistakesEndTheWhole) {
  ExploreRequest request = two_and_three();
  request.ks.clear();
  EXPECT_EQ(message_of([&] { return explore(request, run); }), "--ks needs at least one k");
  request = two_and_three();
  request.shared.relaxed = true;
  EXPECT_EQ(message_of([&] { return explore(request, run); }),
            "--relaxed has no effect with --method optimal");
  EXPECT_FALSE(exists("map"));
  request = two_and_three();
  request.shared.metric = "cm";  // without a label
  EXPECT_EQ(error_of([&] { return explore(request, run); }).code(), ErrorCode::bad_input);
}

}  // namespace
}  // namespace pratique::tables::flow::explore_test
