#include "pratique/tables/attack/assess.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/data/generalised.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::assess_test {
namespace {

TEST(Assess, AgreesWithAHandWorkedTable) {
  // Classes of 3 (flu, flu, cold), 2 (flu, hiv), 1 (hiv).
  const Table table = table_of({"age", "sex", "diagnosis"}, {{"20..29", "F", "flu"},
                                                             {"20..29", "F", "flu"},
                                                             {"20..29", "F", "cold"},
                                                             {"30..39", "M", "flu"},
                                                             {"30..39", "M", "hiv"},
                                                             {"40..49", "F", "hiv"}});
  const Assessment result = assess(table, {"age", "sex"}, {"diagnosis"});
  EXPECT_EQ(result.rows, 6U);
  EXPECT_EQ(result.suppressed, 0U);
  EXPECT_EQ(result.classes, 3U);
  EXPECT_EQ(result.k, 1U);
  EXPECT_EQ(result.unique, 1U);
  EXPECT_DOUBLE_EQ(result.risk.prosecutor_max, 1);
  EXPECT_DOUBLE_EQ(result.risk.prosecutor_mean, 0.5);
  EXPECT_DOUBLE_EQ(result.risk.journalist_max, 1);
  EXPECT_DOUBLE_EQ(result.risk.marketer, 0.5);
  ASSERT_EQ(result.class_sizes.size(), 3U);
  ASSERT_EQ(result.sensitive.size(), 1U);
  EXPECT_EQ(result.sensitive[0].column, "diagnosis");
  EXPECT_EQ(result.sensitive[0].l_distinct, 1U);
  EXPECT_DOUBLE_EQ(result.sensitive[0].l_entropy, 1);
  EXPECT_DOUBLE_EQ(result.sensitive[0].t, 2.0 / 3);  // (0, 0, 1) against (3, 1, 2) / 6
  EXPECT_DOUBLE_EQ(result.sensitive[0].alpha, 1);
  EXPECT_FALSE(result.k_map.has_value());
}

TEST(Assess, CountsClassesBySize) {
  // Classes of 1, 1, 2, 4, 5, 19 and 20 rows.
  Rows rows;
  int name = 0;
  for (const int size : {1, 1, 2, 4, 5, 19, 20}) {
    rows.insert(rows.end(), size, {std::to_string(++name)});
  }
  const auto sizes = assess(table_of({"q"}, rows), {"q"}, {}).class_sizes;
  ASSERT_EQ(sizes.size(), 6U);
  const std::uint64_t expected[][4] = {{1, 1, 2, 2}, {2, 2, 1, 2},    {3, 4, 1, 4},
                                       {5, 9, 1, 5}, {10, 19, 1, 19}, {20, 49, 1, 20}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(sizes[i].from, expected[i][0]);
    EXPECT_EQ(sizes[i].to, expected[i][1]);
    EXPECT_EQ(sizes[i].classes, expected[i][2]);
    EXPECT_EQ(sizes[i].rows, expected[i][3]);
  }
}

TEST(Assess, EntropyOfEvenClassesIsTheNumberOfValues) {
  const Table table = table_of(
      {"q", "s"},
      {{"a", "1"}, {"a", "2"}, {"a", "3"}, {"b", "1"}, {"b", "2"}, {"b", "3"}, {"b", "4"}});
  const auto result = assess(table, {"q"}, {"s"}).sensitive.at(0);
  EXPECT_EQ(result.l_distinct, 3U);
  EXPECT_NEAR(result.l_entropy, 3, 1e-12);
  EXPECT_DOUBLE_EQ(result.alpha, 1.0 / 3);
}

// The table of Li, Li and Venkatasubramanian 2007, section 5: nine even salaries, three a class.
TEST(Assess, DistanceOfClassesThatShareNoValue) {
  Rows rows;
  for (int i = 3; i <= 11; ++i) rows.push_back({std::to_string((i - 3) / 3), std::to_string(i)});
  EXPECT_NEAR(assess(table_of({"q", "s"}, rows), {"q"}, {"s"}).sensitive.at(0).t, 1 - 3.0 / 9,
              1e-12);
}

TEST(Assess, SuppressedRowsAreAClassAndCountedApart) {
  const Table table = table_of({"age", "sex", "s"}, {{"20..29", "F", "x"},
                                                     {"20..29", "F", "y"},
                                                     {"*", "*", "x"},
                                                     {"*", "*", "x"},
                                                     {"*", "*", "*"},
                                                     {"*", "F", "y"},
                                                     {"*", "F", "x"}});
  const Assessment result = assess(table, {"age", "sex"}, {"s"});
  EXPECT_EQ(result.rows, 7U);
  EXPECT_EQ(result.suppressed, 3U);
  EXPECT_EQ(result.classes, 3U);
  EXPECT_EQ(result.k, 2U);
  EXPECT_DOUBLE_EQ(result.risk.prosecutor_mean, 3.0 / 7);
  EXPECT_EQ(result.sensitive[0].l_distinct, 2U);
  // The table: x 4, y 2, * 1 of 7. The suppressed: x 2, * 1 of 3, which is farthest from it.
  EXPECT_NEAR(result.sensitive[0].t, (2.0 / 3 - 4.0 / 7) + (1.0 / 3 - 1.0 / 7), 1e-12);
}

TEST(Assess, AFewSuppressedRowsAreASmallClass) {
  const Table table = table_of({"q", "s"}, {{"a", "x"}, {"a", "y"}, {"*", "x"}});
  EXPECT_EQ(assess(table, {"q"}, {"s"}).k, 1U);
}

TEST(Assess, EverythingGeneralisedIsOneClass) {
  const Assessment result = assess(table_of({"q", "s"}, {{"*", "x"}, {"*", "y"}}), {"q"}, {"s"});
  EXPECT_EQ(result.suppressed, 2U);
  EXPECT_EQ(result.classes, 1U);
  EXPECT_EQ(result.k, 2U);
  EXPECT_EQ(result.risk.prosecutor_max, 0.5);
  EXPECT_EQ(result.sensitive[0].l_distinct, 2U);
}

TEST(Assess, IsDefinedAtTheEdges) {
  const Assessment empty = assess(table_of({"q", "s"}, {}), {"q"}, {"s"});
  EXPECT_EQ(empty.rows, 0U);
  EXPECT_EQ(empty.classes, 0U);
  EXPECT_EQ(empty.k, 0U);
  EXPECT_EQ(empty.risk.marketer, 0);
  EXPECT_EQ(empty.sensitive[0].l_entropy, 0);

  const Assessment single = assess(table_of({"q"}, {{"a"}}), {"q"}, {});
  EXPECT_EQ(single.k, 1U);
  EXPECT_EQ(single.unique, 1U);
  EXPECT_TRUE(single.sensitive.empty());

  const Assessment ignorant = assess(table_of({"q"}, {{"*"}, {"b"}}), {}, {"q"});
  EXPECT_EQ(ignorant.classes, 1U);
  EXPECT_EQ(ignorant.k, 2U);
  EXPECT_EQ(ignorant.sensitive[0].t, 0);

  const Table population = table_of({"q"}, {});
  const Assessment nobody =
      assess(table_of({"q"}, {{"a"}, {"a"}}), {"q"}, {}, Population{population, {}});
  EXPECT_EQ(nobody.k_map->k, 0U);
  EXPECT_EQ(nobody.k_map->unmatched, 2U);
  EXPECT_DOUBLE_EQ(nobody.risk.journalist_max, 0.5);
}

TEST(Assess, NamesTheNearestColumn) {
  try {
    (void)assess(table_of({"diagnosis"}, {}), {"diagnosys"}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("diagnosis"), std::string::npos);
  }
}

TEST(Assess, AGroupedTableGivesTheSameFigures) {
  const Table plain =
      table_of({"q", "s"}, {{"a", "1"}, {"a", "1"}, {"a", "2"}, {"b", "1"}, {"b", "1"}});
  GroupedTable grouped;
  grouped.groups = table_of({"q", "s"}, {{"a", "1"}, {"a", "2"}, {"b", "1"}});
  grouped.counts = {2, 1, 2};
  const Assessment by_row = assess(plain, {"q"}, {"s"}, Population{plain, {}});
  const Assessment by_group = assess(grouped, {"q"}, {"s"}, Population{grouped, {}});
  EXPECT_EQ(by_group.rows, 5U);
  EXPECT_EQ(by_group.k, 2U);
  EXPECT_EQ(by_group.k_map->k, by_row.k_map->k);
  EXPECT_DOUBLE_EQ(by_group.risk.marketer, by_row.risk.marketer);
  EXPECT_DOUBLE_EQ(by_group.sensitive[0].t, by_row.sensitive[0].t);
  EXPECT_DOUBLE_EQ(by_group.sensitive[0].l_entropy, by_row.sensitive[0].l_entropy);
  EXPECT_DOUBLE_EQ(by_group.sensitive[0].alpha, by_row.sensitive[0].alpha);
}

TEST(Assess, LooksRowsUpInThePopulation) {
  const Table release = table_of({"age", "sex"}, {{"20..29", "F"}, {"20..29", "F"}, {"35", "*"}});
  const Table population = table_of({"sex", "age"}, {{"F", "20"},
                                                     {"F", "25"},
                                                     {"F", "29"},
                                                     {"F", "29"},
                                                     {"M", "25"},
                                                     {"M", "35"},
                                                     {"F", "35"},
                                                     {"F", "30"}});
  const Assessment result = assess(release, {"age", "sex"}, {}, Population{population, {}});
  EXPECT_EQ(result.k, 1U);
  EXPECT_EQ(result.k_map->k, 2U);  // 20..29 F: 4 people; 35 *: 2
  EXPECT_EQ(result.k_map->unmatched, 0U);
  EXPECT_DOUBLE_EQ(result.risk.prosecutor_max, 1);
  EXPECT_DOUBLE_EQ(result.risk.journalist_max, 0.5);
  EXPECT_DOUBLE_EQ(result.risk.marketer, (0.25 + 0.25 + 0.5) / 3);
}

// Every figure from its definition, class by class.
RC_GTEST_PROP(Assess, IsTheDefinition, ()) {
  SeededRandom random = any_random();
  const std::vector<std::string> ages = {"1", "2", "3", "*", "1..2", "2..9"};
  const std::vector<std::string> sexes = {"F", "M", "*", "{F|M}"};
  Rows rows;
  const auto count = static_cast<int>(random.between(1, 40));
  for (int i = 0; i < count; ++i) {
    rows.push_back({ages[random.below(ages.size())], sexes[random.below(sexes.size())],
                    std::to_string(random.below(4))});
  }
  Rows people;
  const auto population_count = static_cast<int>(random.between(0, 30));
  for (int i = 0; i < population_count; ++i) {
    people.push_back({std::to_string(1 + random.below(4)), random.chance(0.5) ? "F" : "M"});
  }
  const Table population = table_of({"age", "sex"}, people);
  const Assessment result = assess(table_of({"age", "sex", "s"}, rows), {"age", "sex"}, {"s"},
                                   Population{population, {}});

  using Class = std::pair<std::string, std::string>;
  std::map<Class, std::map<std::string, int>> classes;
  std::map<std::string, double> whole;
  int suppressed = 0;
  for (const auto& row : rows) {
    whole[row[2]] += 1.0 / count;
    if (row[0] == "*" && row[1] == "*") ++suppressed;
    ++classes[{row[0], row[1]}][row[2]];
  }
  std::size_t k = 1000;
  std::size_t k_map = 1000;
  std::size_t l = 1000;
  double entropy = 1000;
  double t = 0;
  double alpha = 0;
  double journalist = 0;
  double marketer = 0;
  for (const auto& [cells, values] : classes) {
    std::size_t f = 0;
    for (const auto& [value, n] : values) f += static_cast<std::size_t>(n);
    std::size_t matching = 0;
    for (const auto& person : people) {
      if (GeneralisedValue::parse_foreign(cells.first).contains(person[0]) &&
          GeneralisedValue::parse_foreign(cells.second).contains(person[1])) {
        ++matching;
      }
    }
    k = std::min(k, f);
    k_map = std::min(k_map, matching);
    l = std::min(l, values.size());
    double h = 0;
    double distance = 0;
    for (const auto& [value, q] : whole) {
      const auto entry = values.find(value);
      const double p = entry == values.end() ? 0 : entry->second / static_cast<double>(f);
      if (p > 0) h -= p * std::log(p);
      distance += std::abs(p - q) / 2;
      alpha = std::max(alpha, p);
    }
    entropy = std::min(entropy, h);
    t = std::max(t, distance);
    const double risk = 1.0 / static_cast<double>(std::max(f, matching));
    journalist = std::max(journalist, risk);
    marketer += risk * static_cast<double>(f) / count;
  }
  RC_ASSERT(result.suppressed == static_cast<std::uint64_t>(suppressed));
  RC_ASSERT(result.classes == classes.size());
  if (classes.empty()) return;
  RC_ASSERT(result.k == k);
  RC_ASSERT(result.k_map->k == k_map);
  RC_ASSERT(result.sensitive[0].l_distinct == l);
  EXPECT_NEAR(result.sensitive[0].l_entropy, std::exp(entropy), 1e-9);
  EXPECT_NEAR(result.sensitive[0].t, t, 1e-9);
  EXPECT_NEAR(result.sensitive[0].alpha, alpha, 1e-9);
  EXPECT_NEAR(result.risk.journalist_max, journalist, 1e-9);
  EXPECT_NEAR(result.risk.marketer, marketer, 1e-9);
}

}  // namespace
}  // namespace pratique::tables::assess_test
