#include "pratique/tables/attack/attribute_attacks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/tables/testing/models_for_test.h"

namespace pratique::tables::attribute_attacks_test {
namespace {

Hierarchy illnesses() {
  return tree_of({{"ulcer", "stomach", "*"},
                  {"gastritis", "stomach", "*"},
                  {"flu", "lungs", "*"},
                  {"bronchitis", "lungs", "*"}});
}

// Li et al. 2007, section 3.2: three ages, each with three values; the first class is all stomach
// and all low salaries.
const Rows kPaper = {
    {"2*", "ulcer", "3"},      {"2*", "gastritis", "4"},  {"2*", "ulcer", "5"},
    {"4*", "gastritis", "6"},  {"4*", "flu", "11"},       {"4*", "bronchitis", "8"},
    {"3*", "bronchitis", "7"}, {"3*", "bronchitis", "9"}, {"3*", "bronchitis", "10"}};
const std::vector<std::string> kNames = {"age", "illness", "salary"};

TEST(AttributeAttacks, TheTutorialsKinds) {
  const Table table = table_of(kNames, kPaper);
  const Hierarchy tree = illnesses();
  const auto attacks = attack_attribute(table, {"age"}, "illness", {.hierarchy = &tree});
  EXPECT_EQ(attacks.records, 9U);
  EXPECT_EQ(attacks.homogeneous, 3U);
  EXPECT_EQ(attacks.similar, 6U);
  // Ulcer: 2/3 against 2/9. Bronchitis: 1 against 4/9.
  EXPECT_NEAR(attacks.skewness_ratio, 3, 1e-12);
  EXPECT_NEAR(attacks.skewness_gain, 5.0 / 9, 1e-12);
  EXPECT_NEAR(to_json(attacks)["similar_share"].get<double>(), 6.0 / 9, 1e-12);
}

TEST(AttributeAttacks, NumbersAreSimilarInANarrowRange) {
  const Table table = table_of(kNames, kPaper);
  // The whole range is 8; 3 to 5 spans 2, 7 to 10 spans 3, 6 to 11 spans 5.
  EXPECT_EQ(attack_attribute(table, {"age"}, "salary", {.narrow = 0.25}).similar, 3U);
  EXPECT_EQ(attack_attribute(table, {"age"}, "salary", {.narrow = 0.24}).similar, 0U);
  EXPECT_EQ(attack_attribute(table, {"age"}, "salary", {.narrow = 0.4}).similar, 6U);
  EXPECT_FALSE(attack_attribute(table, {"age"}, "illness").similar);
}

TEST(AttributeAttacks, SuppressedIsNoClassAndStarTellsNothing) {
  const Table table = table_of({"age", "zip", "illness"}, {{"*", "*", "flu"},
                                                           {"1", "*", "*"},
                                                           {"1", "*", "*"},
                                                           {"2", "*", "flu"},
                                                           {"2", "*", "ulcer"}});
  const auto attacks = attack_attribute(table, {"age", "zip"}, "illness");
  EXPECT_EQ(attacks.records, 4U);
  EXPECT_EQ(attacks.homogeneous, 0U);
  EXPECT_NEAR(attacks.skewness_ratio, 2.5, 1e-12);  // ulcer: 1/2 against 1/5
}

TEST(AttributeAttacks, AHierarchyMustKnowTheValues) {
  const Table table = table_of({"age", "illness"}, {{"1", "hiccups"}});
  const Hierarchy tree = illnesses();
  EXPECT_THROW((void)attack_attribute(table, {"age"}, "illness", {.hierarchy = &tree}), Error);
  const Table generalised = table_of({"age", "illness"}, {{"1", "stomach"}, {"1", "ulcer"}});
  EXPECT_EQ(attack_attribute(generalised, {"age"}, "illness", {.hierarchy = &tree}).similar, 2U);
}

RC_GTEST_PROP(AttributeAttacks, AgreeWithACountByHand, ()) {
  SeededRandom random = any_random();
  const std::vector<std::string> values = {"ulcer", "gastritis", "flu", "bronchitis"};
  GroupedTable table;
  Rows rows;
  std::map<std::string, std::map<std::string, double>> classes;
  std::map<std::string, double> whole;
  double total = 0;
  for (auto left = 1 + random.below(15); left > 0; --left) {
    rows.push_back({std::to_string(random.below(5)), values[random.below(4)]});
    table.counts.push_back(1 + random.below(4));
    const auto count = static_cast<double>(table.counts.back());
    classes[rows.back()[0]][rows.back()[1]] += count;
    whole[rows.back()[1]] += count;
    total += count;
  }
  table.groups = table_of({"age", "illness"}, rows);
  double homogeneous = 0;
  double similar = 0;
  double ratio = 0;
  double gain = 0;
  for (const auto& [age, histogram] : classes) {
    double size = 0;
    std::set<bool> stomach;
    for (const auto& [value, count] : histogram) {
      size += count;
      stomach.insert(value == "ulcer" || value == "gastritis");
    }
    for (const auto& [value, count] : histogram) {
      ratio = std::max(ratio, count / size / (whole[value] / total));
      gain = std::max(gain, count / size - whole[value] / total);
    }
    if (histogram.size() == 1) homogeneous += size;
    if (stomach.size() == 1) similar += size;
  }
  const Hierarchy tree = illnesses();
  const auto attacks = attack_attribute(table, {"age"}, "illness", {.hierarchy = &tree});
  RC_ASSERT(static_cast<double>(attacks.records) == total);
  RC_ASSERT(static_cast<double>(attacks.homogeneous) == homogeneous);
  RC_ASSERT(static_cast<double>(*attacks.similar) == similar);
  RC_ASSERT(std::abs(attacks.skewness_ratio - ratio) < 1e-9);
  RC_ASSERT(std::abs(attacks.skewness_gain - gain) < 1e-9);
}

}  // namespace
}  // namespace pratique::tables::attribute_attacks_test
