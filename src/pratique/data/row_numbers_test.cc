#include "pratique/data/row_numbers.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pratique::row_numbers_test {
namespace {

// By the definition: the first row with the same cells, counted in the order of such rows.
std::vector<std::uint32_t> by_definition(const std::vector<std::vector<Code>>& columns,
                                         std::size_t rows) {
  std::map<std::vector<Code>, std::uint32_t> seen;
  std::vector<std::uint32_t> numbers;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Code> cells;
    for (const auto& column : columns) cells.push_back(column[row]);
    numbers.push_back(seen.emplace(cells, static_cast<std::uint32_t>(seen.size())).first->second);
  }
  return numbers;
}

TEST(RowNumbers, AreThoseOfTheDefinition) {
  std::mt19937 random(1);
  // Few codes and more than are looked up directly; many equal rows and none.
  for (const std::size_t rows : {0U, 1U, 2U, 50U, 3000U}) {
    for (const std::size_t codes : {std::size_t{1}, std::size_t{3}, std::size_t{70'000}}) {
      std::vector<std::vector<Code>> columns;
      RowNumbers numbers(rows);
      for (int c = 0; c < 5; ++c) {
        auto& column = columns.emplace_back();
        for (std::size_t row = 0; row < rows; ++row)
          column.push_back(static_cast<Code>(random() % codes));
        numbers.add(codes, [&](std::size_t row) { return column[row]; });
        const auto expected = by_definition(columns, rows);
        ASSERT_EQ(numbers.numbers(), expected) << rows << " rows, " << codes << " codes";
        const auto most = std::max_element(expected.begin(), expected.end());
        EXPECT_EQ(numbers.count(), most == expected.end() ? 0U : *most + 1U);
      }
    }
  }
}

TEST(RowNumbers, WithoutColumnsAllRowsAreEqual) {
  EXPECT_EQ(RowNumbers(3).numbers(), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(RowNumbers(3).count(), 1U);
}

}  // namespace
}  // namespace pratique::row_numbers_test
