#include "pratique/kind/singled_out.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace pratique::release::singled_out_test {
namespace {

TEST(SingledOut, OnlyWhoStandsAloneCounts) {
  const std::vector<Code> ward = {0, 0, 1, 2};
  const std::vector<Code> day = {0, 1, 0, 0};
  const std::vector<std::uint64_t> each = {1, 1, 1, 1};
  EXPECT_EQ(singled_out({}, each), 0U);
  EXPECT_EQ(singled_out({&ward}, each), 2U);
  EXPECT_EQ(singled_out({&ward, &day}, each), 4U);
  const std::vector<std::uint64_t> many = {1, 3, 2, 1};
  EXPECT_EQ(singled_out({&ward}, many), 1U);
  EXPECT_EQ(singled_out({&day, &ward}, many), 2U);
  EXPECT_EQ(singled_out({&ward}, {}), 0U);
}

RC_GTEST_PROP(SingledOut, AreTheCombinationsOfOneRecord, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 12);
  const auto width = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<std::vector<Code>> columns(width);
  for (auto& column : columns)
    column = *rc::gen::container<std::vector<Code>>(rows, rc::gen::inRange<Code>(0, 3));
  const auto counts =
      *rc::gen::container<std::vector<std::uint64_t>>(rows, rc::gen::inRange<std::uint64_t>(1, 3));
  std::map<std::vector<Code>, std::uint64_t> records;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Code> cells;
    for (const auto& column : columns) cells.push_back(column[row]);
    records[cells] += counts[row];
  }
  std::uint64_t alone = 0;
  for (const auto& [cells, count] : records) alone += count == 1 ? 1 : 0;
  std::vector<const std::vector<Code>*> pointers;
  for (const auto& column : columns) pointers.push_back(&column);
  RC_ASSERT(singled_out(pointers, counts) == alone);
}

}  // namespace
}  // namespace pratique::release::singled_out_test
