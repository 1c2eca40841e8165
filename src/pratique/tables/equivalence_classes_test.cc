#include "pratique/tables/equivalence_classes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::equivalence_classes_test {
namespace {

struct CodedTable {
  std::vector<std::vector<Code>> columns;
  std::vector<std::size_t> distinct;

  [[nodiscard]] std::vector<CodedColumn> coded() const {
    std::vector<CodedColumn> result;
    for (std::size_t c = 0; c < columns.size(); ++c) result.push_back({columns[c], distinct[c]});
    return result;
  }
};

CodedTable random_table(std::size_t rows, const std::vector<std::size_t>& distinct,
                        std::uint64_t seed) {
  SeededRandom random(seed);
  CodedTable table{{}, distinct};
  for (const std::size_t values : distinct) {
    std::vector<Code> codes(rows);
    for (Code& code : codes) code = static_cast<Code>(random.below(values));
    table.columns.push_back(std::move(codes));
  }
  return table;
}

// The definition, row by row.
void expect_classes(const CodedTable& table, std::size_t rows) {
  const auto classes = EquivalenceClasses::of(table.coded(), rows);
  std::map<std::vector<Code>, ClassId> seen;
  std::vector<std::uint32_t> sizes;
  std::vector<std::uint32_t> first;
  std::vector<ClassId> class_of;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Code> tuple;
    for (const auto& column : table.columns) tuple.push_back(column[row]);
    const auto [at, fresh] = seen.emplace(tuple, static_cast<ClassId>(seen.size()));
    if (fresh) {
      sizes.push_back(0);
      first.push_back(static_cast<std::uint32_t>(row));
    }
    ++sizes[at->second];
    class_of.push_back(at->second);
  }
  EXPECT_EQ(classes.class_of(), class_of);
  EXPECT_EQ(classes.sizes(), sizes);
  EXPECT_EQ(classes.representatives(), first);
}

RC_GTEST_PROP(EquivalenceClasses, AreTheRowsThatShareTheirCells, ()) {
  SeededRandom random = any_random();
  const std::size_t rows = random.below(60);
  std::vector<std::size_t> distinct(random.below(5));
  for (auto& values : distinct) values = 1 + random.below(4);
  expect_classes(random_table(rows, distinct, random.next()), rows);
}

TEST(EquivalenceClasses, HoldOverManyPartitionsAndThreads) {
  expect_classes(random_table(200'000, {40, 3, 50, 7}, 1), 200'000);
}

TEST(EquivalenceClasses, HoldWhereAKeyIsTooShort) {
  // 9 columns of 17 bits: three turns. Values far apart in code but few, so that classes repeat.
  CodedTable table = random_table(70'000, std::vector<std::size_t>(9, 3), 2);
  for (auto& column : table.columns) {
    for (Code& code : column) code *= 60'000;
  }
  std::fill(table.distinct.begin(), table.distinct.end(), 120'001);
  expect_classes(table, 70'000);
}

TEST(EquivalenceClasses, HoldWhereCodesNeedAll32Bits) {
  CodedTable table = random_table(1000, {4, 4, 4}, 3);
  for (auto& column : table.columns) {
    for (Code& code : column) code = 0xfffffffeU - code;
  }
  std::fill(table.distinct.begin(), table.distinct.end(), std::size_t{0xffffffffU});
  expect_classes(table, 1000);
}

TEST(EquivalenceClasses, AreTheSameOnOneThread) {
  const CodedTable table = random_table(150'000, {300, 300}, 4);
  const auto parallel = EquivalenceClasses::of(table.coded(), 150'000);
  const ThreadLimit limit(1);
  const auto serial = EquivalenceClasses::of(table.coded(), 150'000);
  EXPECT_EQ(parallel.class_of(), serial.class_of());
}

TEST(EquivalenceClasses, AreDefinedAtTheEdges) {
  const Table empty = table_of({"a"}, {});
  EXPECT_EQ(EquivalenceClasses::of(empty, std::vector<std::size_t>{0}).count(), 0U);
  const Table table = table_of({"a", "b"}, {{"x", "1"}, {"y", "1"}});
  const auto nothing_known = EquivalenceClasses::of(table, {});
  EXPECT_EQ(nothing_known.count(), 1U);
  EXPECT_EQ(nothing_known.size(0), 2U);
  EXPECT_EQ(EquivalenceClasses::of(table, std::vector<std::size_t>{1}).count(), 1U);
}

TEST(EquivalenceClasses, RefineAndListTheirRows) {
  const Table table =
      table_of({"a", "b"}, {{"x", "1"}, {"y", "1"}, {"x", "2"}, {"x", "1"}, {"y", "1"}});
  const auto by_a = EquivalenceClasses::of(table, std::vector<std::size_t>{0});
  const auto by_both = by_a.refined_by(CodedColumn::of(table.columns[1]));
  EXPECT_EQ(by_both.class_of(), (std::vector<ClassId>{0, 1, 2, 0, 1}));
  EXPECT_EQ(by_a.class_of(by_both.representative(2)), 0U);
  const auto members = by_a.members();
  EXPECT_EQ(std::vector<std::uint32_t>(members.of(0).begin(), members.of(0).end()),
            (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(std::vector<std::uint32_t>(members.of(1).begin(), members.of(1).end()),
            (std::vector<std::uint32_t>{1, 4}));
}

}  // namespace
}  // namespace pratique::tables::equivalence_classes_test
