#include "pratique/tables/attack/learned_inference.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/data/generalised.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::learned_inference_test {
namespace {

// The formula of the header, person by person and cell by cell.
struct ByDefinition {
  std::uint64_t targets = 0;
  double beliefs = 0;
  std::uint64_t right = 0;
};

ByDefinition by_definition(const Table& release, const Table& people,
                           const std::vector<std::string>& on, const std::string& sensitive,
                           const std::vector<std::string>& truth) {
  const double m = LearnedInference::kPrior;
  std::map<std::string, double> n;
  for (std::size_t row = 0; row < release.rows(); ++row) {
    const std::string value(release.column(sensitive).text(row));
    if (value != "*") ++n[value];
  }
  const auto contains = [&](const std::string& column, std::size_t row, std::string_view value) {
    return GeneralisedValue::parse(release.column(column).text(row)).contains(value);
  };
  ByDefinition result;
  for (std::size_t person = 0; person < people.rows(); ++person) {
    std::map<std::string, double> score = n;
    bool tried = false;
    for (const auto& column : on) {
      const auto value = people.column(column).text(person);
      const auto everybody = static_cast<double>(people.rows());
      double p = 0;
      for (std::size_t other = 0; other < people.rows(); ++other) {
        if (people.column(column).text(other) == value) p += 1 / everybody;
      }
      std::map<std::string, double> w;
      bool used = false;
      for (std::size_t row = 0; row < release.rows(); ++row) {
        if (!contains(column, row, value)) continue;
        used = true;
        double inside = 0;  // share of people in the cell
        for (std::size_t other = 0; other < people.rows(); ++other) {
          if (contains(column, row, people.column(column).text(other))) inside += 1 / everybody;
        }
        w[std::string(release.column(sensitive).text(row))] += p / inside;
      }
      if (!used) continue;
      tried = true;
      for (auto& [s, so_far] : score) so_far *= (w[s] + m * p) / ((n[s] + m) * p);
    }
    if (!tried || score.empty()) continue;
    ++result.targets;
    double sum = 0;
    double best = 0;
    for (const auto& [s, x] : score) {
      sum += x;
      best = std::max(best, x);
    }
    result.beliefs += best / sum;
    // Of scores that are equal but for rounding any may be the guess.
    int at_best = 0;
    bool right = false;
    for (const auto& [s, x] : score) {
      if (x < best * (1 - 1e-9)) continue;
      ++at_best;
      right = right || s == truth[person];
    }
    if (at_best > 1) return {};  // a tie: nothing to compare
    result.right += right ? 1U : 0U;
  }
  return result;
}

RC_GTEST_PROP(LearnedInference, IsWhatItsFormulaSays, ()) {
  const std::vector<std::string> ages = {"1", "2", "3", "1..2", "2..3", "*", "9"};
  const std::vector<std::string> sexes = {"F", "M", "{F|M}", "*"};
  const std::vector<std::string> illnesses = {"flu", "hiv", "asthma", "*"};
  const auto pick = [](const std::vector<std::string>& of) { return *rc::gen::elementOf(of); };
  const auto rows = *rc::gen::inRange(1, 12);
  std::vector<std::vector<std::string>> released;
  for (int i = 0; i < rows; ++i) released.push_back({pick(ages), pick(sexes), pick(illnesses)});
  std::vector<std::vector<std::string>> people;
  std::vector<std::vector<std::string>> originals;
  std::vector<std::string> truth;
  const auto persons = *rc::gen::inRange(1, 8);
  for (int i = 0; i < persons; ++i) {
    people.push_back({std::to_string(i), pick({"1", "2", "3", "4"}), pick({"F", "M", "X"})});
    truth.push_back(pick({"flu", "hiv", "asthma"}));
    originals.push_back({std::to_string(i), truth.back()});
  }
  const Table release = table_of({"age", "sex", "illness"}, released);
  const Table list = table_of({"id", "age", "sex"}, people);
  const Table records = table_of({"id", "illness"}, originals);
  const auto expected = by_definition(release, list, {"age", "sex"}, "illness", truth);
  if (expected.targets == 0) return;
  const auto learned =
      attack_by_learning(release, list, {"age", "sex"}, "illness", Truth{&records, "id"});
  RC_ASSERT(learned.targets == expected.targets);
  RC_ASSERT(std::abs(learned.mean_belief -
                     expected.beliefs / static_cast<double>(expected.targets)) < 1e-9);
  RC_ASSERT(learned.judged->targets == expected.targets);
  RC_ASSERT(learned.judged->right == expected.right);
}

TEST(LearnedInference, StarsTeachOnlyWhatIsUsual) {
  const Table release =
      table_of({"age", "illness"}, {{"*", "flu"}, {"*", "flu"}, {"*", "hiv"}, {"*", "*"}});
  const Table people = table_of({"id", "age"}, {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  const Table truth = table_of({"id", "illness"}, {{"a", "hiv"}, {"b", "flu"}});
  const auto learned = attack_by_learning(release, people, {"age"}, "illness", Truth{&truth, "id"});
  EXPECT_EQ(learned.learned_from, 3U);
  EXPECT_EQ(learned.values, 2U);
  EXPECT_EQ(learned.targets, 3U);
  EXPECT_NEAR(learned.mean_belief, 2.0 / 3, 1e-12);
  EXPECT_EQ(learned.confident, 0U);
  ASSERT_TRUE(learned.judged);
  EXPECT_EQ(learned.judged->targets, 2U);  // nobody knows of c
  EXPECT_EQ(learned.judged->right, 1U);
  EXPECT_EQ(learned.judged->usual, 1U);
}

// Forty of fifty old people have hiv, forty of fifty young ones flu: diverse classes say so all the
// same.
TEST(LearnedInference, LearnsThroughDiverseClasses) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<std::string>> people;
  std::vector<std::vector<std::string>> originals;
  for (int i = 0; i < 100; ++i) {
    const bool old = i < 50;
    const std::string illness = (i % 5 == 0) != old ? "hiv" : "flu";
    rows.push_back({old ? "50..99" : "0..49", illness});
    people.push_back({std::to_string(i), old ? "70" : "20"});
    originals.push_back({std::to_string(i), illness});
  }
  const Table release = table_of({"age", "illness"}, rows);
  const Table list = table_of({"id", "age"}, people);
  const Table records = table_of({"id", "illness"}, originals);
  const auto learned = attack_by_learning(release, list, {"age"}, "illness", Truth{&records, "id"});
  // Forty of fifty on either side, where the usual value is right for half.
  EXPECT_EQ(learned.judged->right, 80U);
  EXPECT_EQ(learned.judged->usual, 50U);
  const Json json = to_json(learned);
  EXPECT_DOUBLE_EQ(json["right_share"], 0.8);
  EXPECT_DOUBLE_EQ(json["usual_share"], 0.5);
  // (40 + 10 p) / (60 p) beside (10 + 10 p) / (60 p) with p = 1/2: 45 to 15.
  EXPECT_NEAR(learned.mean_belief, 0.75, 1e-12);
}

TEST(LearnedInference, ValuesOfNobodyTeachNothing) {
  const Table release = table_of({"age", "illness"}, {{"1", "flu"}});
  const Table people = table_of({"age"}, {{"7"}});
  EXPECT_EQ(attack_by_learning(release, people, {"age"}, "illness").targets, 0U);
}

TEST(LearnedInference, SpellingsAreOneValue) {
  const Table release = table_of({"sex", "illness"}, {{"f", "Flu"}, {"f", "flu "}, {"m", "hiv"}});
  const Table people = table_of({"sex"}, {{"F"}});
  const auto learned = attack_by_learning(release, people, {"sex"}, "illness");
  EXPECT_EQ(learned.values, 2U);
  EXPECT_EQ(learned.targets, 1U);
}

}  // namespace
}  // namespace pratique::tables::learned_inference_test
