#include "pratique/codes/attack/columns_and_codes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

namespace pratique::codes::columns_and_codes_test {
namespace {

using Records = std::vector<std::vector<std::uint32_t>>;

Exposure exposed(const Records& records, const std::vector<std::uint32_t>& columns, std::uint64_t k,
                 std::size_t most) {
  const std::vector<RecordItems> spans(records.begin(), records.end());
  return expose_with_columns(spans, columns, k, most, Progress::silent());
}

// Four have codes 0 and 1 together, two with each plan; one of the second plan has 2 beside them.
TEST(ColumnsAndCodes, AColumnUndoesWhatCodesHide) {
  const Records records = {{0, 1}, {0, 1}, {0, 1, 2}, {0, 1}, {}};
  const std::vector<std::uint32_t> plan = {0, 0, 1, 1, 0};
  const Exposure together = exposed(records, plan, 2, 1);
  EXPECT_EQ(together.targets, 4U);  // who has no record left is not looked for
  EXPECT_EQ(together.reidentified, 1U);
  EXPECT_EQ(together.matched_under_k, 1U);
  const Exposure of_three = exposed(records, plan, 3, 2);
  EXPECT_EQ(of_three.matched_under_k, 4U);  // a plan has two patients
  EXPECT_EQ(exposed(records, {0, 0, 0, 0, 0}, 2, 1).reidentified, 1U);
  EXPECT_EQ(exposed({{0}, {0}, {1}, {1}}, {0, 0, 1, 1}, 2, 1).reidentified, 0U);
  EXPECT_EQ(exposed({{0}, {0}, {1}, {1}}, {0, 1, 0, 1}, 2, 1).reidentified, 4U);
}

// From the definition: every set of items of a record, counted in every record of the same columns.
RC_GTEST_PROP(ColumnsAndCodes, CountsEverySetOfItems, ()) {
  const auto patients = *rc::gen::inRange<std::size_t>(1, 14);
  const auto k = *rc::gen::inRange<std::uint64_t>(1, 5);
  const auto most = *rc::gen::inRange<std::size_t>(0, 4);
  Records records;
  std::vector<std::uint32_t> columns;
  for (std::size_t p = 0; p < patients; ++p) {
    const auto bits = *rc::gen::inRange<std::uint32_t>(0, 64);
    records.emplace_back();
    for (std::uint32_t item = 0; item < 6; ++item) {
      if ((bits >> item & 1U) != 0) records.back().push_back(item);
    }
    columns.push_back(*rc::gen::inRange<std::uint32_t>(0, 3));
  }
  const auto mask = [](const std::vector<std::uint32_t>& items) {
    std::uint32_t bits = 0;
    for (const auto item : items) bits |= 1U << item;
    return bits;
  };
  Exposure expected;
  for (std::size_t p = 0; p < patients; ++p) {
    const auto own = mask(records[p]);
    if (own == 0) continue;
    ++expected.targets;
    std::uint64_t fewest = patients;
    for (std::uint32_t known = 0; known < 64; ++known) {
      if ((known & ~own) != 0 || std::popcount(known) > static_cast<int>(most)) continue;
      std::uint64_t matched = 0;
      for (std::size_t q = 0; q < patients; ++q) {
        const auto theirs = mask(records[q]);
        matched += theirs != 0 && columns[q] == columns[p] && (known & ~theirs) == 0 ? 1 : 0;
      }
      fewest = std::min(fewest, matched);
    }
    expected.matched_under_k += fewest < k ? 1 : 0;
    expected.reidentified += fewest == 1 ? 1 : 0;
  }
  const Exposure counted = exposed(records, columns, k, most);
  RC_ASSERT(counted.targets == expected.targets);
  RC_ASSERT(counted.matched_under_k == expected.matched_under_k);
  RC_ASSERT(counted.reidentified == expected.reidentified);
  // Who knows all of them is not sampled either.
  const Exposure all = exposed(records, columns, k, ~std::size_t{0});
  const Exposure six = exposed(records, columns, k, 6);
  RC_ASSERT(all.reidentified == six.reidentified);
  RC_ASSERT(all.reidentified >= counted.reidentified);
}

}  // namespace
}  // namespace pratique::codes::columns_and_codes_test
