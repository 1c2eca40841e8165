#include "pratique/dp/flow/budget.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/dp/budget/budget.h"
#include "pratique/dp/flow/query.h"
#include "pratique/dp/flow/testing/budget_fixture.h"

namespace pratique::dp::flow::budget_test {
namespace {

class DpBudget : public BudgetFixture {
 protected:
  std::string people = file("people.csv", "id,age\n1,20\n2,30\n3,40\n");
  std::string visits = file("visits.csv", "id,ward\n1,x\n1,y\n2,x\n");

  [[nodiscard]] OpenRequest request(double epsilon = 2, double delta = 1e-6) const {
    return {.ledger = ledger, .data = people, .epsilon = epsilon, .delta = delta};
  }
  std::string why_not(const OpenRequest& asked) {
    const auto why = refusal([&] { return open(asked, run()); });
    EXPECT_FALSE(std::filesystem::exists(ledger)) << why;
    return why;
  }
};

TEST_F(DpBudget, WhatWasAgreedIsKept) {
  auto asked = request();
  asked.person = "id";
  asked.max_rows = 3;
  asked.tables = {"visits=" + visits};
  asked.analysts = {"ann=0.25", "bob=1"};
  const Json opened = *open(asked, run()).result;
  EXPECT_EQ(opened.at("ledger"), ledger);
  EXPECT_EQ(opened.at("registry"), path(".pratique-dp.json"));
  EXPECT_EQ(opened.at("epsilon"), 2);
  EXPECT_EQ(opened.at("left"), 2);
  EXPECT_EQ(opened.at("spent"), 0);
  EXPECT_EQ(opened.at("delta"), 1e-6);
  EXPECT_FALSE(opened.contains("note"));
  EXPECT_EQ(mode_of(opened.at("registry")), 0600U);
  const Json shown = budget_now();
  EXPECT_EQ(shown.at("entries"), 0);
  EXPECT_EQ(shown.at("person"), "id");
  EXPECT_EQ(shown.at("max_rows"), 3);
  EXPECT_EQ(shown.at("delta_left"), 1e-6);
  EXPECT_EQ(shown.at("delta_spent"), 0);
  EXPECT_EQ(shown.at("analysts"), (Json{{{"analyst", "ann"}, {"epsilon", 0.5}, {"left", 0.5}},
                                        {{"analyst", "bob"}, {"epsilon", 2}, {"left", 2}}}));
  EXPECT_EQ(
      shown.at("tables"),
      (Json{{{"table", "visits"}, {"data", std::filesystem::weakly_canonical(visits).string()}}}));
  EXPECT_FALSE(shown.contains("private"));
  EXPECT_FALSE(shown.contains("notes"));
  // What is spent, by whom.
  QueryRequest question{.ledger = ledger, .sql = "SELECT COUNT(*) FROM data", .epsilon = 0.125};
  question.analyst = "ann";
  question.insecure_seed = 1;
  (void)query(question, run());
  const Json later = budget_now();
  EXPECT_EQ(later.at("entries"), 1);
  EXPECT_EQ(later.at("spent"), 0.125);
  EXPECT_EQ(later.at("left"), 1.875);
  EXPECT_EQ(later.at("analysts").at(0).at("left"), 0.375);
  EXPECT_EQ(later.at("analysts").at(1).at("left"), 1.875);
  EXPECT_EQ(later.at("private"), false);
  EXPECT_TRUE(any_note(later, "noise of 1 of the answers"));
}

TEST_F(DpBudget, ARegistryCanLieElsewhere) {
  auto asked = request();
  asked.registry = path("elsewhere.json");
  EXPECT_EQ(open(asked, run()).result->at("registry"), path("elsewhere.json"));
  EXPECT_TRUE(std::filesystem::exists(path("elsewhere.json")));
  EXPECT_FALSE(std::filesystem::exists(path(".pratique-dp.json")));
  const Json shown = budget_now();
  for (const char* key : {"person", "max_rows", "analysts", "tables"})
    EXPECT_FALSE(shown.contains(key));
}

TEST_F(DpBudget, ADeltaThatIsTooLargeIsRemarkedOn) {
  EXPECT_FALSE(open(request(1, 1e-4), run()).result->contains("note"));
  auto other = request(1, 0.00011);
  other.ledger = path("other");
  other.additional = true;
  EXPECT_TRUE(open(other, run()).result->contains("note"));
}

TEST_F(DpBudget, ASecondBudgetOfTheSameDataNeedsAWord) {
  (void)open(request(), run());
  auto other = request();
  other.ledger = path("other");
  EXPECT_EQ(error_of([&] { return open(other, run()); }).code(), ErrorCode::check_failed);
  EXPECT_FALSE(std::filesystem::exists(path("other")));
  // So does one of a table that lies beside the data of another.
  other.additional = true;
  (void)open(other, run());
}

TEST_F(DpBudget, RowsOfOnePersonAreAskedAboutBeforeThereIsABudget) {
  std::string rows = "patient,age\n";
  for (int i = 0; i < 90; ++i)
    rows += "P" + std::to_string(i / 3) + ",5" + std::to_string(i % 10) + "\n";
  auto asked = request();
  asked.data = file("stays.csv", rows);
  EXPECT_NE(why_not(asked).find("--person patient"), std::string::npos);
  asked.rows_are_people = true;
  (void)open(asked, run());
}

TEST_F(DpBudget, TermsThatCannotBeAreRefused) {
  const auto with = [&](auto change) {
    auto asked = request();
    change(asked);
    return why_not(asked);
  };
  EXPECT_NE(with([](auto& r) { r.max_rows = 2; }).find("--max-rows needs --person"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.max_rows = 0; }), "");
  EXPECT_NE(with([](auto& r) { r.person = "idd"; }).find("idd"), std::string::npos);
  for (const char* share : {"ann", "=0.5", "ann=", "ann=0", "ann=1.01", "ann=-1", "ann=x"})
    EXPECT_NE(with([&](auto& r) { r.analysts = {share}; }).find("--analyst"), std::string::npos)
        << share;
  EXPECT_NE(with([](auto& r) {
              r.analysts = {"ann=0.1", "ann=0.2"};
            }).find("twice"),
            std::string::npos);
  for (const char* table : {"visits", "=visits.csv", "Visits=visits.csv", "a b=visits.csv"})
    EXPECT_NE(with([&](auto& r) {
                r.person = "id";
                r.tables = {table};
              }).find("--table needs NAME=FILE"),
              std::string::npos)
        << table;
  EXPECT_NE(with([&](auto& r) {
              r.person = "id";
              r.tables = {"data=" + visits};
            }).find("taken"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) {
              r.person = "id";
              r.tables = {"v=" + visits, "v=" + people};
            }).find("taken"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.tables = {"v=" + visits}; }).find("--table needs --person"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) {
              r.person = "age";
              r.tables = {"v=" + visits};
            }).find("age"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.data = path("missing.csv"); }), "");
}

TEST_F(DpBudget, AnEpsilonIsChosenByTheCorollary) {
  for (const auto& [prior, factor, queries] :
       {std::tuple(0.1, 2.0, 1), std::tuple(0.9, 3.0, 4), std::tuple(0.5, 10.0, 7)}) {
    const Json chosen =
        *choose({.prior = prior, .factor = factor, .queries = static_cast<std::uint64_t>(queries)},
                run())
             .result;
    const double bound = std::min(std::log(factor), -std::log(prior)) / queries;
    EXPECT_LT(chosen.at("epsilon").get<double>(), bound);
    EXPECT_NEAR(chosen.at("epsilon").get<double>(), bound, 2e-9);
    EXPECT_EQ(chosen.at("prior"), prior);
    EXPECT_EQ(chosen.at("posterior_factor"), factor);
    EXPECT_NEAR(chosen.at("epsilon_of_all").get<double>(), bound * queries, 2e-8);
  }
}

TEST_F(DpBudget, TheTesterTellsALiarFromAMechanism) {
  const auto held = test({.mechanism = "laplace", .epsilon = 1, .runs = 20000}, run());
  EXPECT_TRUE(held.passed);
  const Json& result = *held.result;
  EXPECT_EQ(result.at("mechanism"), "laplace");
  EXPECT_EQ(result.at("holds"), true);
  EXPECT_EQ(result.at("epsilon"), 1);
  EXPECT_GT(result.at("epsilon_bound").get<double>(), 0.5);
  EXPECT_LE(result.at("epsilon_bound").get<double>(), 1);
  EXPECT_DOUBLE_EQ(result.at("confidence").get<double>(), 1 - 1e-9);
  EXPECT_FALSE(result.contains("broken"));
  EXPECT_GE(result.at("pairs"), 1);
  EXPECT_GE(result.at("runs"), 20000);
  EXPECT_NE(refusal([&] { return test({.mechanism = "zzz"}, run()); }).find("laplace"),
            std::string::npos);
}

}  // namespace
}  // namespace pratique::dp::flow::budget_test
