#include "pratique/dp/flow/query.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/dp/flow/kmeans.h"
#include "pratique/dp/flow/testing/budget_fixture.h"

namespace pratique::dp::flow::query_test {
namespace {

// 40 people of ages 20 to 59; every fourth in b, the others in a; even ones F.
std::string people() {
  std::string text = "id,age,sex,region\n";
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i) + "," + std::to_string(20 + i) + "," + (i % 2 == 0 ? "F" : "M") +
            "," + (i % 4 == 3 ? "b" : "a") + "\n";
  }
  return text;
}

class DpQuery : public BudgetFixture {
 protected:
  std::string data = file("people.csv", people());

  Json answer(const QueryRequest& request) { return *query(request, run()).result; }
  [[nodiscard]] QueryRequest asking(const std::string& sql, double epsilon = 200) const {
    return {.ledger = ledger, .sql = sql, .epsilon = epsilon};
  }
};

TEST_F(DpQuery, AnswersInTheOrderOfTheQuestionAndSaysWhatItCost) {
  open_budget_for(data);
  auto request = asking(
      "SELECT region, COUNT(*), SUM(age) AS years FROM data WHERE sex = 'F' GROUP BY region");
  request.domains = {"age=0..100", "region=a|b|c"};
  const auto outcome = query(request, run());
  const Json result = *outcome.result;
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(result.at("columns"), (Json{"region", "count", "years"}));
  ASSERT_EQ(result.at("rows").size(), 3U);
  // Even i are in a; their ages are 20, 22, ... 58.
  const Json expected = {{"a", 20, 780}, {"b", 0, 0}, {"c", 0, 0}};
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(result["rows"][row][0], expected[row][0]);
    EXPECT_EQ(result["rows"][row][1], expected[row][1]);
    EXPECT_NEAR(result["rows"][row][2].get<double>(), expected[row][2].get<double>(), 30);
    EXPECT_EQ(result["intervals"][row][0], nullptr);
    for (std::size_t column = 1; column < 3; ++column) {
      EXPECT_LE(result["intervals"][row][column][0], result["rows"][row][column]);
      EXPECT_GE(result["intervals"][row][column][1], result["rows"][row][column]);
    }
  }
  EXPECT_EQ(result.at("epsilon_spent"), 200);
  EXPECT_EQ(result.at("epsilon_left"), 800);
  EXPECT_EQ(result.at("delta_spent"), 0);
  EXPECT_EQ(result.at("delta_left"), 0.0001);
  EXPECT_EQ(result.at("confidence"), 0.95);
  EXPECT_EQ(result.at("private"), true);
  double costs = 0;
  std::vector<std::string> charged;
  for (const auto& cost : result.at("costs")) {
    charged.push_back(cost.at("column"));
    costs += cost.at("epsilon").get<double>();
  }
  EXPECT_EQ(charged, (std::vector<std::string>{"count", "years"}));
  EXPECT_NEAR(costs, 200, 1e-6);
  EXPECT_TRUE(any_note(result, "clamped"));
  EXPECT_FALSE(any_note(result, "NOT PRIVATE"));
  EXPECT_FALSE(any_note(result, "joined"));
  EXPECT_FALSE(any_note(result, "rows of each person"));
  EXPECT_FALSE(result.contains("bounds"));
  // A person reads the same in lines.
  const Json& shown = *outcome.for_a_person;
  ASSERT_EQ(shown.at("answer").size(), 3U);
  EXPECT_EQ(shown["answer"][0].at("region"), "a");
  EXPECT_TRUE(shown["answer"][0].at("count").get<std::string>().starts_with("20 ("));
  EXPECT_EQ(shown.at("epsilon_left"), 800);
  EXPECT_EQ(shown.at("notes"), result.at("notes"));
  EXPECT_EQ(charges(), 1U);
}

TEST_F(DpQuery, ACountAloneNeedsNoColumnAndNoNote) {
  open_budget_for(data);
  const auto outcome = query(asking("SELECT COUNT(*) FROM data", 50), run());
  EXPECT_EQ(outcome.result->at("rows"), (Json{{40}}));
  EXPECT_FALSE(outcome.result->contains("notes"));
  EXPECT_FALSE(outcome.for_a_person->contains("notes"));
}

TEST_F(DpQuery, GroupsThatNobodyDeclaredAreFoundWithDelta) {
  open_budget_for(data);
  auto request = asking("SELECT region, COUNT(*) FROM data GROUP BY region");
  const Json result = answer(request);
  std::set<std::string> regions;
  for (const auto& row : result.at("rows")) regions.insert(row.at(0).get<std::string>());
  EXPECT_EQ(regions, (std::set<std::string>{"a", "b"}));
  EXPECT_NEAR(result.at("delta_spent").get<double>(), 0.00001,
              1e-12);  // a tenth of what was agreed
  EXPECT_TRUE(any_note(result, "is not told"));
  request.delta = 0.00003;
  EXPECT_NEAR(answer(request).at("delta_spent").get<double>(), 0.00003, 1e-12);
  EXPECT_NEAR(budget_now().at("delta_left").get<double>(), 0.00006, 1e-12);
}

TEST_F(DpQuery, BoundsAreFoundForAShare) {
  open_budget_for(data);
  auto request = asking("SELECT AVG(age), COUNT(*) FROM data", 400);
  request.find_bounds = 0.25;
  const Json result = answer(request);
  EXPECT_EQ(result.at("epsilon_spent"), 400);
  EXPECT_EQ(result.at("epsilon_left"), 600);
  ASSERT_EQ(result.at("bounds").size(), 1U);
  EXPECT_EQ(result["bounds"][0].at("column"), "age");
  EXPECT_LE(result["bounds"][0].at("low"), 20);
  EXPECT_GE(result["bounds"][0].at("high"), 59);
  EXPECT_TRUE(any_note(result, "bounds of age were found"));
  double costs = 0;
  for (const auto& cost : result.at("costs")) costs += cost.at("epsilon").get<double>();
  EXPECT_NEAR(costs, 300, 1e-6);
  EXPECT_NEAR(result["rows"][0][0].get<double>(), 39.5, 3);
  // Declared ones are not looked for, and get all.
  request.domains = {"age=0..100"};
  const Json declared = answer(request);
  EXPECT_FALSE(declared.contains("bounds"));
  EXPECT_FALSE(any_note(declared, "were found"));
  costs = 0;
  for (const auto& cost : declared.at("costs")) costs += cost.at("epsilon").get<double>();
  EXPECT_NEAR(costs, 400, 1e-6);
  // Too little to find anything with.
  auto little = asking("SELECT SUM(age) FROM data", 1e-8);
  little.find_bounds = 0.1;
  EXPECT_NE(refusal([&] { return query(little, run()); }).find("too small"), std::string::npos);
  EXPECT_EQ(charges(), 2U);
}

TEST_F(DpQuery, TablesAreJoinedByThePerson) {
  // Everybody has two visits, those of even ids to ward x.
  std::string rows = "ward,id,day\n";
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 2; ++k)
      rows += std::string(i % 2 == 0 ? "x" : "y") + "," + std::to_string(i) + "," +
              std::to_string(k) + "\n";
  }
  OpenRequest request{.ledger = ledger, .data = data, .epsilon = 1000, .delta = 0};
  request.person = "id";
  request.max_rows = 2;
  request.tables = {"visits=" + file("visits.csv", rows)};
  (void)open(request, run());
  auto joined = asking(
      "SELECT ward, COUNT(*) FROM data JOIN visits USING (id) WHERE sex = 'F' GROUP BY ward", 500);
  joined.domains = {"ward=x|y"};
  joined.max_groups = 2;
  const Json result = answer(joined);
  EXPECT_EQ(result.at("rows"), Json::array({Json::array({"x", 40}), Json::array({"y", 0})}));
  EXPECT_TRUE(any_note(result, "rows were joined by id"));
  EXPECT_TRUE(any_note(result, "at most 2 rows of each person"));
  EXPECT_EQ(answer(asking("SELECT COUNT(*) FROM visits", 200)).at("rows"), (Json{{80}}));
  EXPECT_EQ(answer(asking("SELECT COUNT(DISTINCT id) FROM visits WHERE day = '0'", 200)).at("rows"),
            (Json{{40}}));
}

// The columns of a third table are counted from behind those of both others.
TEST_F(DpQuery, ThreeTablesAreJoinedByThePerson) {
  std::string visits = "ward,id\n";
  std::string drugs = "dose,id,drug\n";
  for (int i = 0; i < 40; ++i) {
    visits += fmt::format("x,{0}\ny,{0}\n", i);
    drugs += fmt::format("{},{},{}\n", i, i, i % 8 == 0 ? "iron" : "zinc");
  }
  OpenRequest request{.ledger = ledger, .data = data, .epsilon = 1000, .delta = 0};
  request.person = "id";
  request.max_rows = 2;
  request.tables = {"visits=" + file("visits.csv", visits), "drugs=" + file("drugs.csv", drugs)};
  (void)open(request, run());
  auto joined = asking(
      "SELECT drug, COUNT(*) FROM data JOIN visits USING (id) JOIN drugs USING (id) "
      "WHERE sex = 'F' GROUP BY drug",
      400);
  joined.domains = {"drug=iron|zinc"};
  joined.max_groups = 2;
  // Two visits each of the 20 even ids, five of which are divided by 8.
  EXPECT_EQ(answer(joined).at("rows"),
            Json::array({Json::array({"iron", 10}), Json::array({"zinc", 30})}));
  joined.sql =
      "SELECT ward, COUNT(*) FROM data JOIN visits USING (id) JOIN drugs USING (id) "
      "WHERE drug = 'iron' AND age < 40 GROUP BY ward";
  joined.domains = {"ward=x|y"};
  // Of the ids 0, 8 and 16.
  EXPECT_EQ(answer(joined).at("rows"), Json::array({Json::array({"x", 3}), Json::array({"y", 3})}));
}

TEST_F(DpQuery, RowsOfAPersonAreCutToWhatWasAgreed) {
  const auto stays = file("stays.csv", "id,n\n" + std::string("1,a\n1,b\n1,c\n1,d\n2,a\n"));
  open_budget_for(stays, 1000, 0, "id", 2);
  EXPECT_EQ(answer(asking("SELECT COUNT(*) FROM data", 400)).at("rows"), (Json{{3}}));
}

TEST_F(DpQuery, ASeedRepeatsTheNoiseAndTakesThePrivacy) {
  open_budget_for(data);
  auto request = asking("SELECT COUNT(*) FROM data", 0.01);
  request.insecure_seed = 7;
  const Json first = answer(request);
  EXPECT_EQ(answer(request).at("rows"), first.at("rows"));
  EXPECT_EQ(first.at("private"), false);
  EXPECT_TRUE(any_note(first, "NOT PRIVATE"));
  EXPECT_EQ(budget_now().at("private"), false);
  request.insecure_seed.reset();
  std::set<Json> drawn;
  for (int i = 0; i < 6; ++i) drawn.insert(answer(request).at("rows"));
  EXPECT_GT(drawn.size(), 1U);
}

TEST_F(DpQuery, WhatIsRefusedCostsNothing) {
  open_budget_for(data, 10);
  for (const char* sql : {"SELECT age FROM data", "rubbish", "SELECT SUM(age) FROM data"})
    (void)refusal([&] { return query(asking(sql, 1), run()); });
  auto unknown = asking("SELECT COUNT(*) FROM data", 1);
  unknown.domains = {"agee=0..100"};
  EXPECT_NE(refusal([&] { return query(unknown, run()); }).find("agee"), std::string::npos);
  EXPECT_EQ(error_of([&] { return query(asking("SELECT COUNT(*) FROM data", 11), run()); }).code(),
            ErrorCode::check_failed);
  EXPECT_EQ(charges(), 0U);
  file("people.csv", people() + "99,20,F,a\n");
  EXPECT_EQ(error_of([&] { return query(asking("SELECT COUNT(*) FROM data", 1), run()); }).code(),
            ErrorCode::check_failed);
}

TEST_F(DpQuery, APlanTellsWhatAnErrorCosts) {
  open_budget_for(data, 10, 0.0001);
  const auto planned = [&](PlanRequest request) { return *plan(request, run()).result; };
  const Json at = planned({.query = asking("SELECT COUNT(*) FROM data"), .epsilon = 0.1});
  // P(|X| > t) = 2 q^(t + 1) / (1 + q) <= 0.05, and not for a smaller t.
  const double q = std::exp(-0.1);
  const double error = at.at("columns").at(0).at("error");
  EXPECT_LE(2 * std::pow(q, error + 1) / (1 + q), 0.05);
  EXPECT_GT(2 * std::pow(q, error) / (1 + q), 0.05);
  EXPECT_EQ(at.at("epsilon"), 0.1);
  EXPECT_EQ(at.at("delta"), 0);
  EXPECT_EQ(at.at("affordable"), true);
  EXPECT_EQ(at.at("rows_assumed"), 1000);
  EXPECT_EQ(at.at("epsilon_left"), 10);
  EXPECT_EQ(at["columns"][0].at("column"), "count");
  EXPECT_EQ(at["columns"][0].at("epsilon"), 0.1);
  EXPECT_FALSE(at.contains("least_people_told"));
  const Json cost = planned({.query = asking("SELECT COUNT(*) FROM data"), .error = error});
  EXPECT_LE(cost.at("epsilon").get<double>(), 0.1001);
  EXPECT_GT(cost.at("epsilon").get<double>(), 0.08);
  EXPECT_LE(cost.at("columns").at(0).at("error"), error);
  EXPECT_EQ(planned({.query = asking("SELECT COUNT(*) FROM data"), .epsilon = 11}).at("affordable"),
            false);
  const Json groups =
      planned({.query = asking("SELECT region, COUNT(*) FROM data GROUP BY region"), .epsilon = 1});
  EXPECT_GT(groups.at("least_people_told"), 1);
  for (const PlanRequest& wrong :
       {PlanRequest{.query = asking("SELECT COUNT(*) FROM data")},
        PlanRequest{.query = asking("SELECT COUNT(*) FROM data"), .epsilon = 1, .error = 1},
        PlanRequest{.query = asking("SELECT COUNT(*) FROM data"), .error = -1},
        PlanRequest{.query = asking("SELECT COUNT(*) FROM data"), .error = 0}})
    (void)refusal([&] { return plan(wrong, run()); });
  EXPECT_EQ(charges(), 0U);
}

class DpKmeans : public BudgetFixture {
 protected:
  // Ages about 20 and 70 with incomes about 100 and 900, 500 people each; one row has no age.
  std::string data = [this] {
    std::string text = "age,income,word\n";
    for (int i = 0; i < 500; ++i)
      text += fmt::format("{},{},x\n{},{},y\n", 20 + i % 5, 100 + i % 7, 70 + i % 5, 900 + i % 7);
    return file("people.csv", text + ",5,z\n");
  }();
};

TEST_F(DpKmeans, FindsTwoClusters) {
  open_budget_for(data, 200, 0);
  const Json result = *kmeans({.ledger = ledger,
                               .columns = {"age", "income"},
                               .domains = {"age=0..100", "income=0..1000"},
                               .clusters = 2,
                               .rounds = 5,
                               .epsilon = 150},
                              run())
                           .result;
  EXPECT_EQ(result.at("epsilon_spent"), 150);
  EXPECT_EQ(result.at("epsilon_left"), 50);
  EXPECT_EQ(result.at("private"), true);
  EXPECT_FALSE(result.contains("notes"));
  auto found = result.at("clusters").get<std::vector<Json>>();
  ASSERT_EQ(found.size(), 2U);
  if (found[0].at("age") > found[1].at("age")) std::swap(found[0], found[1]);
  const double ages[] = {22, 72};
  const double incomes[] = {103, 903};
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(found[c].at("age").get<double>(), ages[c], 2);
    EXPECT_NEAR(found[c].at("income").get<double>(), incomes[c], 20);
    EXPECT_NEAR(found[c].at("count").get<double>(), 500, 5);
  }
}

TEST_F(DpKmeans, WhatIsRefusedCostsNothing) {
  open_budget_for(data, 10, 0);
  const auto why = [&](const std::vector<std::string>& columns,
                       const std::vector<std::string>& domains, double epsilon = 1) {
    return refusal([&] {
      return kmeans({.ledger = ledger, .columns = columns, .domains = domains, .epsilon = epsilon},
                    run());
    });
  };
  EXPECT_NE(why({"age"}, {}).find("needs bounds"), std::string::npos);
  EXPECT_NE(why({"word"}, {"word=x|y"}).find("needs bounds"), std::string::npos);
  EXPECT_NE(why({"agee"}, {"agee=0..1"}).find("agee"), std::string::npos);
  // Five rounds of a column and a count: ten parts.
  EXPECT_NE(why({"age"}, {"age=0..100"}, 9e-9).find("too small"), std::string::npos);
  EXPECT_EQ(charges(), 0U);
  const Json seeded = *kmeans({.ledger = ledger,
                               .columns = {"age"},
                               .domains = {"age=0..100"},
                               .epsilon = 1e-8,
                               .insecure_seed = 3},
                              run())
                           .result;
  EXPECT_EQ(seeded.at("private"), false);
  EXPECT_TRUE(any_note(seeded, "NOT PRIVATE"));
}

}  // namespace
}  // namespace pratique::dp::flow::query_test
