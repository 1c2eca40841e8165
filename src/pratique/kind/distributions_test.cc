#include "pratique/kind/distributions.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pratique::release::distributions_test {
namespace {

std::vector<std::string> labels(const Distribution& distribution) {
  std::vector<std::string> all;
  for (const auto& cell : distribution.cells) all.push_back(cell.label);
  return all;
}

TEST(Distributions, ARareValueIsCountedWithOthers) {
  const ValueCounts counts = {{"flu", 20}, {"gout", 9}, {"kuru", 1}};
  const auto distribution = compare_distributions("illness", &counts, counts, 5);
  // kuru alone in the rest would be found by subtracting from 30, so gout goes with it.
  ASSERT_EQ(labels(distribution), (std::vector<std::string>{"flu", "all other values"}));
  EXPECT_EQ(distribution.cells[1].original, 10U);
  EXPECT_EQ(distribution.cells[1].released, 10U);
}

// The thirteenth of thirteen would be alone among "all other values".
TEST(Distributions, AValueThatIsLeftOverAloneIsShownByItsName) {
  ValueCounts counts;
  for (int i = 0; i < 13; ++i) counts.push_back({"v" + std::to_string(i), 10});
  const auto distribution = compare_distributions("x", &counts, counts, 5);
  EXPECT_EQ(distribution.cells.size(), 13U);
  for (const auto& cell : distribution.cells) {
    EXPECT_TRUE(cell.label.starts_with("v")) << cell.label;
    EXPECT_EQ(cell.original, 10U);
    EXPECT_EQ(cell.released, 10U);
  }
}

TEST(Distributions, TwoRareValuesThatTogetherAreManyNeedNoOther) {
  const ValueCounts counts = {{"flu", 20}, {"gout", 9}, {"kuru", 3}, {"leprosy", 2}};
  const auto distribution = compare_distributions("illness", &counts, counts, 5);
  EXPECT_EQ(labels(distribution), (std::vector<std::string>{"flu", "gout", "all other values"}));
}

TEST(Distributions, NothingIsShownWhereEveryValueIsRare) {
  const ValueCounts counts = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
  EXPECT_TRUE(compare_distributions("x", &counts, counts, 3).cells.empty());
  const ValueCounts one_rare = {{"flu", 20}, {"kuru", 1}};
  EXPECT_TRUE(compare_distributions("x", &one_rare, one_rare, 5).cells.empty());
}

TEST(Distributions, WhoWasLeftOutIsNotFoundBySubtraction) {
  const ValueCounts original = {{"flu", 20}, {"gout", 10}, {"gone", 10}, {"cough", 30}};
  const ValueCounts released = {{"flu", 20}, {"gout", 9}, {"gone", 10}, {"cough", 20}};
  const auto distribution = compare_distributions("x", &original, released, 5);
  // Of gout one record is missing. Were it alone with gone, where none is, the others would lack
  // one; cough lacks ten and goes with them.
  ASSERT_EQ(labels(distribution), (std::vector<std::string>{"flu", "all other values"}));
  EXPECT_EQ(distribution.cells[1].original, 50U);
  EXPECT_EQ(distribution.cells[1].released, 39U);
}

TEST(Distributions, ASetOfRangesCountsInBoth) {
  ValueCounts original;
  ValueCounts released;
  for (int age = 0; age < 100; age += 10) {
    const std::string range = "[" + std::to_string(age) + "-" + std::to_string(age + 10) + ")";
    original.push_back({range, 100});
    if (age != 60 && age != 70) released.push_back({range, 100});
  }
  released.push_back({"{[60-70)|[70-80)}", 200});
  const auto distribution = compare_distributions("age", &original, released, 5);
  ASSERT_FALSE(distribution.cells.empty());
  for (const auto& cell : distribution.cells) {
    EXPECT_EQ(cell.label.find("any value"), std::string::npos) << cell.label;
    EXPECT_EQ(cell.original, cell.released) << cell.label;
  }
}

TEST(Distributions, WhoWasLeftOutIsNotFoundUnderALabelEither) {
  // Of those in 20..39 two were left out.
  ValueCounts ages;
  for (int age = 0; age < 60; ++age) ages.push_back({std::to_string(age), 10});
  const ValueCounts released = {{"0..19", 200}, {"20..39", 198}, {"40..59", 150}};
  const auto distribution = compare_distributions("age", &ages, released, 5);
  ASSERT_TRUE(distribution.has_original);
  // Whichever shown ranges cover 20 to 39 cover others too.
  for (const auto& label : labels(distribution)) {
    EXPECT_NE(label, "20 to 39");
    EXPECT_NE(label, "30 to 39");  // would end where the label does
  }
  const ValueCounts illnesses = {{"a", 20}, {"b", 20}, {"c", 20}, {"d", 20}, {"e", 20}};
  const ValueCounts sets = {{"{a|b}", 38}, {"{c|d}", 30}, {"e", 20}};
  const auto values = compare_distributions("illness", &illnesses, sets, 5);
  // a and b lack two together, so one of them goes; alone it would be found, so another does.
  const auto shown = labels(values);
  EXPECT_FALSE(std::count(shown.begin(), shown.end(), "a") > 0 &&
               std::count(shown.begin(), shown.end(), "b") > 0);
}

TEST(Distributions, WhenFewWereLeftOutInAllNumbersAreShownOfTheReleaseAlone) {
  ValueCounts ages;
  for (int age = 0; age < 60; ++age) ages.push_back({std::to_string(age), 10});
  ValueCounts released = ages;
  released[30].count = 8;
  const auto distribution = compare_distributions("age", &ages, released, 5);
  EXPECT_FALSE(distribution.has_original);
  EXPECT_FALSE(distribution.cells.empty());
}

TEST(Distributions, CellsOfManyValuesCountInPartsForEach) {
  const ValueCounts original = {{"F", 30}, {"M", 10}};
  const ValueCounts released = {{"F", 20}, {"{F|M}", 20}};
  const auto distribution = compare_distributions("sex", &original, released, 5);
  ASSERT_EQ(labels(distribution), (std::vector<std::string>{"F", "M"}));
  EXPECT_EQ(distribution.cells[0].released, 30U);
  EXPECT_EQ(distribution.cells[1].released, 10U);
}

TEST(Distributions, NumbersAreShownInRangesWithoutExtremes) {
  ValueCounts ages;
  for (int age = 20; age < 80; ++age) ages.push_back({std::to_string(age), 10});
  ages.push_back({"107", 1});
  const auto distribution = compare_distributions("age", &ages, ages, 5);
  ASSERT_FALSE(distribution.cells.empty());
  EXPECT_EQ(distribution.cells.front().label, "up to 29");
  EXPECT_EQ(distribution.cells[1].label, "30 to 39");
  EXPECT_EQ(distribution.cells[1].original, 100U);
  EXPECT_EQ(distribution.cells.back().label, "70 or more");
  EXPECT_EQ(distribution.cells.back().original, 101U);
}

TEST(Distributions, ReleasedRangesAreSharedOut) {
  ValueCounts ages;
  for (int age = 20; age < 80; ++age) ages.push_back({std::to_string(age), 10});
  const ValueCounts released = {{"20..39", 200}, {"40..79", 400}};
  const auto distribution = compare_distributions("age", &ages, released, 5);
  for (const auto& cell : distribution.cells) EXPECT_EQ(cell.released, 100U) << cell.label;
}

TEST(Distributions, EndsAndMembersOfReleasedCellsAreNotShownForTheirCell) {
  const ValueCounts ranges = {{"20..31", 8}, {"33..44", 8}, {"47..103", 8}};
  const auto ages = compare_distributions("age", nullptr, ranges, 5);
  for (const auto& label : labels(ages)) EXPECT_EQ(label.find("103"), std::string::npos) << label;
  const ValueCounts sets = {{"{flu|gout}", 20}, {"{flu|kuru}", 6}, {"gout", 9}};
  const auto illnesses = compare_distributions("illness", nullptr, sets, 5);
  // flu 10 + 3, gout 10 + 9, kuru 3: flu goes with kuru.
  ASSERT_EQ(labels(illnesses), (std::vector<std::string>{"gout", "all other values"}));
  EXPECT_EQ(illnesses.cells[0].released, 19U);
  EXPECT_EQ(illnesses.cells[1].released, 16U);
}

TEST(Distributions, DatesAreShownInYears) {
  ValueCounts dates;
  for (int year = 1950; year < 1990; ++year) dates.push_back({std::to_string(year) + "-12-31", 10});
  const ValueCounts released = {{"1950..1969", 200}, {"1970-01-01..1989-12-31", 200}};
  const auto distribution = compare_distributions("born", &dates, released, 5);
  ASSERT_EQ(distribution.cells.front().label, "up to 1954");
  EXPECT_EQ(distribution.cells.front().original, 50U);
  EXPECT_EQ(distribution.cells.front().released, 50U);
  EXPECT_EQ(distribution.cells.back().label, "1985 or later");
}

TEST(Distributions, CodesWithLeadingZerosAreNoNumbers) {
  ValueCounts codes;
  for (int i = 0; i < 30; ++i) codes.push_back({"021" + std::to_string(10 + i), 10});
  const auto distribution = compare_distributions("zip", &codes, codes, 5);
  EXPECT_EQ(distribution.cells.size(), 13U);
  EXPECT_EQ(distribution.cells.back().label, "all other values");
  EXPECT_EQ(distribution.cells.back().original, 180U);
}

// Whatever the counts: nothing small is shown, nothing small is left by subtraction, all are
// counted.
RC_GTEST_PROP(Distributions, NothingSmallFollows, ()) {
  const auto k = *rc::gen::inRange<std::uint64_t>(2, 8);
  const bool numbers = *rc::gen::arbitrary<bool>();
  const auto counts =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 25));
  ValueCounts original;
  ValueCounts released;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string value = numbers ? std::to_string(7 * i) : "v" + std::to_string(i);
    original.push_back({value, counts[i]});
    const auto left_out =
        *rc::gen::inRange<std::uint64_t>(0, 2) * *rc::gen::inRange<std::uint64_t>(0, counts[i] + 1);
    if (counts[i] > left_out) released.push_back({value, counts[i] - left_out});
  }
  const auto distribution = compare_distributions("x", &original, released, k);
  const auto sum = [](const ValueCounts& all) {
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                           [](auto total, const auto& entry) { return total + entry.count; });
  };
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  const auto small = [&](std::uint64_t count) { return count > 0 && count < k; };
  for (const auto& cell : distribution.cells) {
    RC_ASSERT(!small(cell.original));
    RC_ASSERT(!small(cell.released));
    const bool all_left_out = cell.original - cell.released == sum(original) - sum(released);
    RC_ASSERT(!distribution.has_original || !small(cell.original - cell.released) ||
              (cell.label == "all other values" && all_left_out));
    before += cell.original;
    after += cell.released;
  }
  if (distribution.cells.empty()) return;
  RC_ASSERT(before == (distribution.has_original ? sum(original) : 0));
  RC_ASSERT(after == sum(released));
}

TEST(Distributions, GroupSizesBelowKAreOneAndOthersDouble) {
  const auto before = records_by_group_size({1, 1, 4, 5}, 5);
  const auto after = records_by_group_size({5, 9, 10, 19, 20, 100000}, 5);
  const auto chart = group_size_chart("classes", "size", &before, &after, 5);
  ASSERT_EQ(chart.series.size(), 2U);
  EXPECT_EQ(chart.rows[0].label, "fewer than 5");
  EXPECT_EQ(chart.rows[0].values, (std::vector<double>{6, 0}));
  EXPECT_EQ(chart.rows[1].label, "5 to 9");
  EXPECT_EQ(chart.rows[1].values, (std::vector<double>{5, 14}));
  EXPECT_EQ(chart.rows[2].values, (std::vector<double>{0, 29}));
  EXPECT_EQ(chart.rows.back().label, "640 or more");
  EXPECT_EQ(chart.rows.back().values[1], 100000);
}

TEST(Distributions, GroupSizesOfFewRecordsGoWithOthers) {
  const auto before = records_by_group_size({1, 2, 6, 50}, 5);
  const auto after = records_by_group_size({9, 50}, 5);
  const auto chart = group_size_chart("classes", "size", &before, &after, 5);
  // Three records are in groups below 5: they are counted with the six of the next step.
  EXPECT_EQ(chart.rows[0].label, "fewer than 10");
  EXPECT_EQ(chart.rows[0].values, (std::vector<double>{9, 9}));
  EXPECT_EQ(chart.rows.back().label, "40 to 79");
  EXPECT_EQ(chart.rows.back().values, (std::vector<double>{50, 50}));
  for (const auto& row : chart.rows) {
    for (const auto value : row.values) EXPECT_TRUE(value == 0 || value >= 5);
  }
  const auto few = records_by_group_size({1, 2}, 5);
  EXPECT_TRUE(group_size_chart("classes", "size", nullptr, &few, 5).rows.empty());
}

// Class means of few numbers are others, which nobody has: both are shown in ranges.
TEST(Distributions, ClassMeansAndTheNumbersTheyStandForAreComparedInRanges) {
  ValueCounts original;
  ValueCounts means;
  for (int value = 1; value <= 10; ++value) {
    original.push_back({std::to_string(value), 100});
    means.push_back({std::to_string(value) + ".3", 60});
    means.push_back({std::to_string(value) + ".7", 40});
  }
  const auto distribution = compare_distributions("index", &original, means, 5, nullptr, true);
  ASSERT_TRUE(distribution.has_original);
  ASSERT_GT(distribution.cells.size(), 2U);
  for (const auto& cell : distribution.cells) {
    EXPECT_GT(cell.original, 0U) << cell.label;
    EXPECT_GT(cell.released, 0U) << cell.label;
  }
}

}  // namespace
}  // namespace pratique::release::distributions_test
