#include "pratique/kind/row_order.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/crypto/random.h"

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

}  // namespace
}  // namespace pratique::release::row_order_test
