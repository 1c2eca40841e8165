#include "pratique/fusion/web_attack.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pratique/crypto/random.h"
#include "pratique/fusion/fcl.h"
#include "pratique/fusion/regression.h"
#include "pratique/fusion/rule_drafting.h"
#include "pratique/fusion/rule_tuning.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::web_attack_test {
namespace {

using tables::Rows;
using tables::table_of;

TEST(Closeness, FiguresWorkedByHand) {
  const double none = std::nan("");
  // Off by 5, 0, 12 and 100 (not scored).
  const Closeness near = closeness({100, 200, 100, none}, {105, 200, 88, 100});
  EXPECT_EQ(near.scored, 3U);
  EXPECT_NEAR(near.dissimilarity, (25 + 0 + 144) / 3.0, 1e-12);
  EXPECT_NEAR(near.within_5_percent, 2.0 / 3, 1e-12);
  EXPECT_NEAR(near.within_10_percent, 2.0 / 3, 1e-12);
  // Ranks 1.5 3 1.5 and 2 3 1: covariance 1.5, variances 1.5 and 2.
  EXPECT_NEAR(near.rank_correlation, 1.5 / std::sqrt(1.5 * 2), 1e-12);
  EXPECT_EQ(closeness({1, 2, 3}, {5, 5, 5}).rank_correlation, 0);
  EXPECT_EQ(closeness({none}, {5}).scored, 0U);
  EXPECT_NEAR(variance_of_known({1, 3, none}), 1, 1e-12);
}

TEST(Closeness, WhoSeesAGroupGuessesTheMeanOfTheOthersInIt) {
  // 1 and 3 are guessed from each other, 10 from their mean.
  EXPECT_NEAR(dissimilarity_by_groups({1, 3, std::nan(""), 10}, {0, 0, 0, 1}), (4 + 4 + 64) / 3.0,
              1e-12);
  EXPECT_NEAR(dissimilarity_by_groups({7, 7, 2, 2}, {0, 0, 1, 1}), 0, 1e-12);
  EXPECT_EQ(dissimilarity_by_groups({7}, {0}), 0);
}

// Income is 1000 times the rooms plus 500 times the value, but for noise.
struct World {
  Table release;
  Table facts;
  std::vector<double> income;
  std::vector<std::uint32_t> fact_row;

  explicit World(std::size_t people, std::uint64_t seed) {
    SeededRandom random(seed, 0);
    Rows released;
    Rows known;
    for (std::size_t i = 0; i < people; ++i) {
      const double rooms = 1 + random.uniform() * 9;
      const double value = 1 + random.uniform() * 9;
      income.push_back(1000 * rooms + 500 * value + random.normal(0, 100));
      const std::string name = "n" + std::to_string(i);
      released.push_back({name, value < 5 ? "1..5" : "5..10"});
      known.push_back({name, std::to_string(rooms), rooms < 5 ? "clerk" : "boss"});
      fact_row.push_back(i % 10 == 0 ? kNotFound : static_cast<std::uint32_t>(i));
    }
    release = table_of({"name", "value"}, released);
    facts = table_of({"name", "rooms", "job"}, known);
  }
  [[nodiscard]] People people() const { return {&release, &facts, fact_row}; }
};

TEST(Regression, FindsALineThroughThePoints) {
  // Exactly y = 3 x - 2 z + 7 on a grid; the least penalty of those tried is small beside 100 rows.
  Rows rows;
  std::vector<double> targets;
  for (int x = 0; x < 10; ++x) {
    for (int z = 0; z < 10; ++z) {
      rows.push_back({std::to_string(x), std::to_string(z), "id" + std::to_string(10 * x + z)});
      targets.push_back(3 * x - 2 * z + 7);
    }
  }
  const Table table = table_of({"x", "z", "id"}, rows);
  const People people{&table, nullptr, {}};
  const RidgeRegression line(people, targets, {});
  const auto estimates = line.estimate(people);
  EXPECT_EQ(line.penalty(), 0.1);
  for (std::size_t i = 0; i < targets.size(); ++i) EXPECT_NEAR(estimates[i], targets[i], 0.05);
}

TEST(Regression, WordsAndMissingValuesCount) {
  Rows rows;
  std::vector<double> targets;
  for (int i = 0; i < 300; ++i) {
    const bool boss = i % 3 == 0;
    rows.push_back({boss ? "boss" : i % 3 == 1 ? "clerk" : "", i % 5 == 0 ? "" : "4"});
    targets.push_back((boss ? 100 : i % 3 == 1 ? 20 : 50) + (i % 5 == 0 ? 30 : 0));
  }
  const Table table = table_of({"job", "rooms"}, rows);
  const People people{&table, nullptr, {}};
  const auto estimates = RidgeRegression(people, targets, {}).estimate(people);
  for (std::size_t i = 0; i < targets.size(); ++i) EXPECT_NEAR(estimates[i], targets[i], 0.5);
}

TEST(RuleDrafting, ADraftReadsBackAndEstimates) {
  const World world(800, 4);
  Rows rows;
  for (std::size_t i = 0; i < world.income.size(); ++i) {
    rows.push_back({std::string(world.release.column("name").text(i)),
                    std::string(world.release.column("value").text(i)),
                    std::to_string(world.income[i])});
  }
  const Table data = table_of({"name", "value", "income"}, rows);
  const People people{&data, &world.facts, world.fact_row};
  EXPECT_EQ(usable_inputs(people, {"income", "name"}),
            (std::vector<std::string>{"value", "rooms", "job"}));
  const Draft draft = draft_rules(people, {"value", "rooms", "job"}, "income", {});
  EXPECT_EQ(parse_fcl(print_fcl(draft.system), "draft"), draft.system);
  EXPECT_EQ(draft.rows_used, 720U);  // a tenth was not found
  EXPECT_EQ(draft.rows_covered, 1);
  // The words are singletons in the order of their mean income.
  const Variable& job = draft.system.inputs[2];
  EXPECT_EQ(std::get<Singleton>(job.terms[*job.find_term("clerk")].set).at, 1);
  EXPECT_EQ(std::get<Singleton>(job.terms[*job.find_term("boss")].set).at, 2);
  const auto seen = observe(draft.system, data, &world.facts, world.fact_row);
  const auto near =
      closeness(world.income, estimate_all(draft.system, 0, seen, Reading::possible).values);
  EXPECT_LT(near.dissimilarity, 0.5 * variance_of_known(world.income));
  EXPECT_GT(near.rank_correlation, 0.8);
}

FuzzySystem crude_rules() {
  return parse_fcl(
      "FUNCTION_BLOCK f VAR_INPUT rooms : REAL; value : REAL; END_VAR "
      "VAR_OUTPUT income : REAL; END_VAR "
      "FUZZIFY rooms TERM few := (1, 1) (3, 0); TERM many := (1, 0) (3, 1); END_FUZZIFY "
      "FUZZIFY value TERM low := (1, 1) (10, 0); TERM high := (1, 0) (10, 1); END_FUZZIFY "
      "DEFUZZIFY income TERM small := (0, 0) (3000, 1) (6000, 0); TERM middle := (3000, 0) "
      "(8000, 1) (12000, 0); TERM large := (8000, 0) (12000, 1) (20000, 0); END_DEFUZZIFY "
      "RULEBLOCK r RULE 1 : IF rooms IS few THEN income IS small; "
      "RULE 2 : IF rooms IS many AND value IS low THEN income IS middle; "
      "RULE 3 : IF rooms IS many AND value IS high THEN income IS large; END_RULEBLOCK "
      "END_FUNCTION_BLOCK",
      "crude");
}

TEST(RuleTuning, FitsTheSampleBetterAndKeepsTheRules) {
  const World world(300, 5);
  const FuzzySystem rules = crude_rules();
  const auto seen = observe(rules, world.release, &world.facts, world.fact_row);
  const Tuned tuned = tune(rules, 0, seen, world.income, Reading::possible);
  EXPECT_LT(tuned.error_after, 0.8 * tuned.error_before);
  EXPECT_EQ(tuned.system.blocks, rules.blocks);
  EXPECT_NEAR(closeness(world.income, estimate_all(tuned.system, 0, seen, Reading::possible).values)
                  .dissimilarity,
              tuned.error_after, 1e-6 * tuned.error_after);
  // Corners keep their order, so the text is still a rule file.
  EXPECT_EQ(parse_fcl(print_fcl(tuned.system), "tuned"), tuned.system);
}

TEST(WebAttack, FactsBringTheEstimatesNearer) {
  const World world(600, 6);
  WebAdversary adversary(crude_rules(), 0, {"name", "income"});
  const auto plain = adversary.attack(world.people(), world.income, nullptr, Progress::silent());
  ASSERT_EQ(plain.adversaries.size(), 2U);

  const World others(200, 7);
  const Sample sample{others.people(), others.income};
  adversary.learn(sample, Progress::silent());
  const auto learned = adversary.attack(world.people(), world.income, &sample, Progress::silent());
  ASSERT_EQ(learned.adversaries.size(), 4U);
  EXPECT_EQ(learned.adversaries[learned.strongest].name, "regression");
  EXPECT_LT(learned.after().dissimilarity, plain.after().dissimilarity);
  EXPECT_GT(learned.information_gain(), 0);
  for (const auto& outcome : learned.adversaries) {
    EXPECT_GE(outcome.after.dissimilarity, learned.after().dissimilarity);
    EXPECT_GE(outcome.before.dissimilarity, learned.before().dissimilarity);
  }
  // Before fusion nobody has seen a fact: whoever was not found has the same estimate before.
  const auto& rules = learned.adversaries[0];
  for (std::size_t i = 0; i < 600; i += 10) {
    EXPECT_EQ(rules.estimates[i], rules.estimates_before[i]);
  }
}

}  // namespace
}  // namespace pratique::fusion::web_attack_test
