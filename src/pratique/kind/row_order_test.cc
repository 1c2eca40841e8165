#include "pratique/kind/row_order.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "pratique/crypto/random.h"
#include "pratique/kind/internal/keyed_groups.h"

namespace pratique::release::row_order_test {
namespace {

struct Table {
  std::vector<std::string> values;
  std::vector<Code> codes;
  std::vector<std::uint64_t> counts;
  [[nodiscard]] std::vector<std::string> leaving(std::uint64_t seed) const {
    release::Content content{.columns = {{"a", &codes, &values}}, .counts = &counts};
    for (std::uint32_t i = 0; i < codes.size(); ++i) content.groups.push_back(i);
    std::vector<std::string> texts;
    for (const auto row : order_by_content(content, seed)) texts.push_back(values[codes[row]]);
    return texts;
  }
};

Table numbers(std::size_t rows) {
  Table table;
  for (std::size_t i = 0; i < rows; ++i) {
    table.values.push_back(std::to_string(i / 2));
    table.codes.push_back(static_cast<Code>(i));
    table.counts.push_back(1);
  }
  return table;
}

TEST(RowOrder, IsTheSameForEveryOrderOfTheInput) {
  Table table = numbers(1000);
  const auto expected = table.leaving(7);
  SeededRandom random(1);
  random.shuffle(table.codes);
  EXPECT_EQ(table.leaving(7), expected);
}

TEST(RowOrder, LosesAndInventsNoRow) {
  const Table table = numbers(1000);
  const auto texts = table.leaving(7);
  EXPECT_EQ(std::multiset<std::string>(texts.begin(), texts.end()),
            std::multiset<std::string>(table.values.begin(), table.values.end()));
}

TEST(RowOrder, EveryGroupLeavesAsOftenAsItCounts) {
  const Table table{{"x", "y", "z"}, {0, 1, 2}, {2, 0, 3}};
  auto texts = table.leaving(1);
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (std::vector<std::string>{"x", "x", "z", "z", "z"}));
}

TEST(RowOrder, IsFarFromTheOrderOfTheInput) {
  // Spearman's rank correlation of a random order of n has deviation 1/sqrt(n - 1).
  const Table table = numbers(10000);
  const auto texts = table.leaving(7);
  double squares = 0;
  const auto n = static_cast<double>(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const double difference = 2 * std::stod(texts[i]) - static_cast<double>(i);
    squares += difference * difference;
  }
  EXPECT_LT(std::abs(1 - 6 * squares / (n * (n * n - 1))), 0.05);
  EXPECT_NE(table.leaving(8), texts);
}

// Two columns, each row once, in any order of rows and with any numbering of the values.
std::vector<std::pair<std::string, std::string>> leaving(
    const std::vector<std::pair<std::string, std::string>>& rows, std::uint64_t seed,
    bool values_backwards = false) {
  std::array<std::vector<std::string>, 2> values;
  for (const auto& [a, b] : rows) {
    values[0].push_back(a);
    values[1].push_back(b);
  }
  std::array<std::vector<Code>, 2> codes;
  for (std::size_t c = 0; c < 2; ++c) {
    std::sort(values[c].begin(), values[c].end());
    values[c].erase(std::unique(values[c].begin(), values[c].end()), values[c].end());
    if (values_backwards) std::reverse(values[c].begin(), values[c].end());
    for (const auto& row : rows) {
      const auto& text = c == 0 ? row.first : row.second;
      const auto at = std::find(values[c].begin(), values[c].end(), text);
      codes[c].push_back(static_cast<Code>(at - values[c].begin()));
    }
  }
  const std::vector<std::uint64_t> counts(rows.size(), 1);
  Content content{.columns = {{"a", &codes[0], &values[0]}, {"b", &codes[1], &values[1]}},
                  .counts = &counts};
  for (std::uint32_t i = 0; i < rows.size(); ++i) content.groups.push_back(i);
  std::vector<std::pair<std::string, std::string>> left;
  for (const auto row : order_by_content(content, seed)) left.push_back(rows[row]);
  return left;
}

const std::vector<std::pair<std::string, std::string>> kFour = {
    {"30-39", "F"}, {"30-39", "M"}, {"40-49", "F"}, {"40-49", "M"}};

// All 24 orders of four rows that differ in one column or in both, for many seeds: one order
// leaves.
TEST(RowOrder, EveryOrderOfTheInputLeavesInTheSameOrder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    auto rows = kFour;
    const auto expected = leaving(rows, seed);
    do {
      ASSERT_EQ(leaving(rows, seed), expected);
      ASSERT_EQ(leaving(rows, seed, true), expected);
    } while (std::next_permutation(rows.begin(), rows.end()));
  }
}

// What order leaves tells nothing: over the seeds all 24 are equally likely. Chi-squared with 23
// degrees of freedom: 56.9 is exceeded with probability 1e-4.
TEST(RowOrder, OverTheSeedsEveryOrderIsAsLikely) {
  std::map<std::vector<std::pair<std::string, std::string>>, int> seen;
  constexpr double kEach = 400;
  for (std::uint64_t seed = 0; seed < 24 * kEach; ++seed) ++seen[leaving(kFour, seed)];
  EXPECT_EQ(seen.size(), 24U);
  double chi = 0;
  for (const auto& [order, count] : seen) chi += (count - kEach) * (count - kEach) / kEach;
  EXPECT_LT(chi, 56.9);
}

// A value in the first column says nothing about a place, nor does the same value in the second.
TEST(RowOrder, ColumnsAreSaltedEachByItself) {
  std::map<bool, int> first;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    ++first[leaving({{"x", "y"}, {"y", "x"}}, seed).front().first == "x"];
  }
  // Binomial(2000, 0.5) has a deviation of 22.4; five of them.
  EXPECT_NEAR(first[true], 1000, 112);
}

// Whoever repeats a release by its seed gets the same bytes, from any later version: the order was
// computed in Python from the definition: FNV-1a of each value, from the offset basis xor the
// column's salt (the draws of SeededRandom(seed), in the order of columns), finished by
// h ^= h >> 33, h *= 0xff51afd7ed558ccd, h ^= h >> 29; over the columns, from zero,
// h ^= that, h *= 0x9e3779b97f4a7c15, h ^= h >> 32; smallest first.
TEST(RowOrder, FollowsItsDefinition) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const char* a : {"20-29", "30-39", "40-49", "\u00e4"}) {
    for (const char* b : {"F", "M", ""}) rows.emplace_back(a, b);
  }
  const std::map<std::uint64_t, std::vector<std::size_t>> known = {
      {1, {11, 1, 9, 7, 10, 3, 8, 0, 5, 2, 4, 6}}, {2, {4, 7, 3, 1, 10, 2, 6, 9, 11, 5, 0, 8}}};
  for (const auto& [seed, order] : known) {
    const auto left = leaving(rows, seed);
    ASSERT_EQ(left.size(), rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(left[i], rows[order[i]]) << i;
  }
}

TEST(RowOrder, RowsWithoutColumnsStillLeave) {
  const std::vector<std::uint64_t> counts = {2, 1};
  EXPECT_EQ(order_by_content({.groups = {0, 1}, .counts = &counts}, 1).size(), 3U);
  EXPECT_TRUE(order_by_content({.groups = {}, .counts = &counts}, 1).empty());
}

// Should two hashes ever be equal, the order is still that of the content and not of the input.
TEST(RowOrder, GroupsOfOneHashAreOrderedByTheirContent) {
  const std::vector<std::string> values = {"b", "a", ""};
  const std::vector<Code> first = {0, 1, 0, 1, 2, 0};
  const std::vector<Code> second = {0, 0, 1, 1, 2, 0};
  const std::vector<OutputColumn> columns = {{"a", &first, &values}, {"b", &second, &values}};
  // The last says the same as the first, but has the smallest hash.
  std::vector<KeyedGroup> keyed = {{7, 0}, {7, 1}, {7, 2}, {7, 3}, {7, 4}, {3, 5}};
  const std::vector<std::uint32_t> expected = {5, 4, 3, 1, 2, 0};
  const auto by_group = [](const KeyedGroup& a, const KeyedGroup& b) { return a.group < b.group; };
  do {
    auto sorted = keyed;
    sort_by_content(sorted, columns);
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(sorted[i].group, expected[i]);
  } while (std::next_permutation(keyed.begin(), keyed.end(), by_group));
}

}  // namespace
}  // namespace pratique::release::row_order_test
