#include "pratique/tables/profile/distributions.h"

#include <gtest/gtest.h>

#include <map>

namespace pratique::tables::distributions_test {
namespace {

// Each value as often as it is given.
Distribution of(const std::vector<std::string>& values, std::size_t top) {
  ValueCounts column{"c", {}, {}};
  for (const auto& value : values) {
    const Code code = column.values.intern(value);
    column.counts.resize(column.values.size());
    ++column.counts[code];
  }
  return distribution_of(column, top);
}

std::vector<std::pair<std::string, std::uint64_t>> bins(const Distribution& distribution) {
  std::vector<std::pair<std::string, std::uint64_t>> pairs;
  for (const auto& bin : distribution.bins) pairs.emplace_back(bin.label, bin.count);
  return pairs;
}

using Pairs = std::vector<std::pair<std::string, std::uint64_t>>;

TEST(Distributions, TheMostFrequentAndTheRest) {
  const auto distribution = of({"x", "y", "y", "z", "z", "z", "", "w"}, 2);
  EXPECT_FALSE(distribution.numbers);
  EXPECT_EQ(distribution.rows, 8U);
  EXPECT_EQ(distribution.missing, 1U);
  EXPECT_EQ(distribution.distinct, 4U);
  EXPECT_EQ(bins(distribution), (Pairs{{"z", 3}, {"y", 2}, {"other", 2}}));
}

TEST(Distributions, NumbersInBinsOfEqualWidth) {
  // 0 to 10 in two bins: [0, 5) and [5, 10].
  const auto distribution = of({"0", "1", "4.9", "5", "9", "10", "10"}, 2);
  EXPECT_TRUE(distribution.numbers);
  EXPECT_EQ(bins(distribution), (Pairs{{"0 to under 5", 3}, {"5 to 10", 4}}));
}

TEST(Distributions, EdgesAreRoundNumbers) {
  // 0 to 98 in at most 20 bins: 4.9 would fit, 5 is the next width of 1, 2 and 5.
  std::vector<std::string> ages;
  for (int age = 0; age <= 98; ++age) ages.push_back(std::to_string(age));
  const auto distribution = of(ages, 20);
  ASSERT_EQ(distribution.bins.size(), 20U);
  EXPECT_EQ(distribution.bins.front().label, "0..4");
  EXPECT_EQ(distribution.bins.front().count, 5U);
  EXPECT_EQ(distribution.bins.back().label, "95..99");
  EXPECT_EQ(distribution.bins.back().count, 4U);  // 95 to 98
  // -3 to 4 in at most 3 bins: 5 wide, from -5.
  EXPECT_EQ(bins(of({"-3", "-1", "0", "1", "4"}, 3)), (Pairs{{"-5..-1", 2}, {"0..4", 3}}));
  // 0.12 to 0.19 in at most 4 bins: 0.02 wide, from 0.12.
  EXPECT_EQ(bins(of({"0.12", "0.13", "0.15", "0.17", "0.19"}, 4)),
            (Pairs{{"0.12 to under 0.14", 2},
                   {"0.14 to under 0.16", 1},
                   {"0.16 to under 0.18", 1},
                   {"0.18 to under 0.2", 1}}));
}

TEST(Distributions, ALabelHoldsWhatItsBinCounts) {
  // The last bin of whole numbers holds both its ends; a bin of one number is that number.
  EXPECT_EQ(bins(of({"0", "4", "5", "10"}, 2)), (Pairs{{"0..4", 2}, {"5..10", 2}}));
  EXPECT_EQ(bins(of({"1", "2", "3", "4"}, 3)), (Pairs{{"1", 1}, {"2", 1}, {"3..4", 2}}));
}

TEST(Distributions, FewNumbersStandForThemselvesInOrder) {
  EXPECT_EQ(bins(of({"10", "9", "10"}, 5)), (Pairs{{"9", 1}, {"10", 2}}));
}

TEST(Distributions, RangesAreInOrder) {
  const auto distribution = of({"30..39", "20..29", "30..39", "100..109"}, 5);
  EXPECT_FALSE(distribution.numbers);
  EXPECT_EQ(bins(distribution), (Pairs{{"20..29", 1}, {"30..39", 2}, {"100..109", 1}}));
  EXPECT_EQ(distribution.bins[0].low, 20);
  EXPECT_EQ(distribution.bins[0].high, 29);
}

TEST(Distributions, EveryValueIsInOneBin) {
  std::vector<std::string> values;
  for (int i = 0; i < 1000; ++i) values.push_back(std::to_string(i * 7 % 1000) + ".1");
  const auto distribution = of(values, 7);
  std::uint64_t total = 0;
  for (const auto& bin : distribution.bins) {
    std::uint64_t expected = 0;
    for (const auto& value : values) {
      const double number = std::stod(value);
      expected += (number >= *bin.low && number < *bin.high) ||
                          (&bin == &distribution.bins.back() && number == *bin.high)
                      ? 1
                      : 0;
    }
    EXPECT_EQ(bin.count, expected) << bin.label;
    total += bin.count;
  }
  EXPECT_EQ(total, 1000U);
}

TEST(Distributions, NothingThere) {
  EXPECT_TRUE(of({"", ""}, 5).bins.empty());
  EXPECT_FALSE(of({"", ""}, 5).numbers);
}

}  // namespace
}  // namespace pratique::tables::distributions_test
