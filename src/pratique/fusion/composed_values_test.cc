#include "pratique/fusion/composed_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "pratique/data/hierarchy.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::composed_values_test {
namespace {

Column column_of(const std::vector<std::string>& cells) {
  Column column;
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return column;
}

std::set<Value> covered(const ComposedValues& values, std::size_t release, Code code) {
  const auto& list = values.covered[release][code];
  return {list.begin(), list.end()};
}

std::set<Value> common(const std::set<Value>& a, const std::set<Value>& b) {
  std::set<Value> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

// One cell in each of two releases.
struct Pair {
  Pair(const std::string& first_cell, const std::string& second_cell,
       const Hierarchy* hierarchy = nullptr) {
    const Column first = column_of({first_cell});
    const Column second = column_of({second_cell});
    values = compose_values(std::vector<const Column*>{&first, &second}, nullptr, hierarchy);
    a = covered(values, 0, 0);
    b = covered(values, 1, 0);
  }
  ComposedValues values;
  std::set<Value> a;
  std::set<Value> b;
};

TEST(ComposedValues, ExactValuesAreThemselves) {
  const Column first = column_of({"flu", "asthma", ""});
  const Column second = column_of({"asthma", "cancer", ""});
  const auto values = compose_values(std::vector<const Column*>{&first, &second}, nullptr, nullptr);
  EXPECT_EQ(values.count, 4U);
  EXPECT_EQ(covered(values, 0, 1), covered(values, 1, 0));
  EXPECT_EQ(covered(values, 0, 2), covered(values, 1, 2));  // a missing cell is a value
  EXPECT_TRUE(common(covered(values, 0, 0), covered(values, 1, 1)).empty());
  EXPECT_EQ(values.unseen, kNoValue);
}

TEST(ComposedValues, RangesAreCutWhereTheyOverlap) {
  const Pair inside("20..29", "25");
  EXPECT_EQ(inside.values.count, 2U);  // 25, and the rest of the range
  EXPECT_EQ(common(inside.a, inside.b), inside.b);
  const Pair overlap("20..29", "25..34");
  EXPECT_EQ(overlap.values.count, 3U);
  EXPECT_EQ(common(overlap.a, overlap.b).size(), 1U);
  const Pair apart("20..29", "30..39");
  EXPECT_TRUE(common(apart.a, apart.b).empty());
  const Pair open(">=90", "80..95");
  EXPECT_EQ(common(open.a, open.b).size(), 1U);
  EXPECT_EQ(open.a.size(), 2U);
  const Pair days("2001-03-01..2001-03-31", "2001-03-05");
  EXPECT_EQ(days.values.count, 2U);
  EXPECT_EQ(common(days.a, days.b), days.b);
}

TEST(ComposedValues, NumbersAreNumbersUnlessTheyAreCodes) {
  EXPECT_EQ(Pair("25", "25.0").values.count, 1U);
  EXPECT_EQ(Pair("{20|25.0}", "25").values.count, 2U);
  const Column codes = column_of({"296.0", "296.00"});
  const Column code = column_of({"296.00"});
  const auto values = compose_values(std::vector<const Column*>{&codes, &code}, nullptr, nullptr);
  EXPECT_EQ(values.count, 2U);
  EXPECT_EQ(covered(values, 0, 1), covered(values, 1, 0));
  EXPECT_EQ(Pair("007", "7x").values.count, 2U);
}

TEST(ComposedValues, SetsOfCodesAreSets) {
  const Pair codes("(493.00|493.01)", "(493.01|493.02)");
  EXPECT_EQ(codes.values.count, 3U);
  EXPECT_EQ(common(codes.a, codes.b).size(), 1U);
  const Pair mixed("(493.00|493.01)", "493.00");
  EXPECT_EQ(common(mixed.a, mixed.b), mixed.b);
  EXPECT_EQ(mixed.a.size(), 2U);
}

TEST(ComposedValues, LabelsCoverTheLeavesUnderThem) {
  Hierarchy::Builder builder("test");
  for (const auto& path : {std::vector<std::string_view>{"asthma", "respiratory", "*"},
                           std::vector<std::string_view>{"flu", "respiratory", "*"},
                           std::vector<std::string_view>{"gastritis", "digestive", "*"}}) {
    builder.add(path);
  }
  const Hierarchy tree = builder.build();
  const Pair pair("respiratory", "asthma", &tree);
  EXPECT_EQ(common(pair.a, pair.b), pair.b);
  EXPECT_EQ(pair.a.size(), 2U);
  EXPECT_TRUE(common(Pair("digestive", "flu", &tree).a, Pair("digestive", "flu", &tree).b).empty());
  // Nothing tells the leaves of a label apart: it is one value.
  EXPECT_EQ(Pair("respiratory", "respiratory", &tree).values.count, 1U);
}

TEST(ComposedValues, AnythingCoversAllAndWhatNobodyNames) {
  const Pair pair("*", "flu");
  EXPECT_EQ(pair.values.count, 2U);
  EXPECT_EQ(pair.a.size(), 2U);
  EXPECT_NE(pair.values.unseen, kNoValue);
  EXPECT_FALSE(pair.b.contains(pair.values.unseen));
}

// Whoever holds '*' may hold what a range stands for that no number in sight is in.
TEST(ComposedValues, AnythingCoversAnEmptyRangeToo) {
  const Pair between("]20, 21[", "*");
  EXPECT_EQ(between.a.size(), 1U);
  EXPECT_EQ(common(between.a, between.b), between.a);
  EXPECT_EQ(between.b.size(), between.values.count);
}

TEST(ComposedValues, OriginalsAreLookedUp) {
  const Column cells = column_of({"20..29", "flu"});
  const Column truth = column_of({"27", "flu", "31"});
  const auto values = compose_values(std::vector<const Column*>{&cells}, &truth, nullptr);
  EXPECT_EQ(values.of_original[0], values.covered[0][0].front());
  EXPECT_EQ(values.of_original[1], values.covered[0][1].front());
  EXPECT_EQ(values.of_original[2], kNoValue);
}

// Ranges, sets and exact whole numbers from 0 to 11: the values are the classes of numbers that no
// cell tells apart.
RC_GTEST_PROP(ComposedValues, AreTheNumbersThatNoCellTellsApart, ()) {
  auto random = tables::any_random();
  std::vector<std::string> texts;
  std::vector<std::set<int>> extents;
  for (std::size_t i = 0; i < 1 + random.below(5); ++i) {
    const int low = static_cast<int>(random.below(12));
    const int high = low + static_cast<int>(random.below(static_cast<std::uint64_t>(12 - low)));
    std::set<int> extent;
    if (random.chance(0.6)) {
      texts.push_back(std::to_string(low) + ".." + std::to_string(high));
      for (int n = low; n <= high; ++n) extent.insert(n);
    } else if (random.chance(0.5)) {
      texts.push_back(std::to_string(low));
      extent = {low};
    } else {
      texts.push_back("{" + std::to_string(low) + "|" + std::to_string(high) + "}");
      extent = {low, high};
    }
    extents.push_back(extent);
  }
  std::vector<Column> columns;
  for (const auto& text : texts) columns.push_back(column_of({text}));
  std::vector<const Column*> pointers;
  for (const auto& column : columns) pointers.push_back(&column);
  const auto values = compose_values(pointers, nullptr, nullptr);
  std::set<std::vector<bool>> pieces;
  for (int n = 0; n < 12; ++n) {
    std::vector<bool> in;
    for (const auto& extent : extents) in.push_back(extent.contains(n));
    if (std::count(in.begin(), in.end(), true) > 0) pieces.insert(in);
  }
  RC_ASSERT(values.count == pieces.size());
  for (std::size_t a = 0; a < texts.size(); ++a) {
    std::size_t mine = 0;
    for (const auto& piece : pieces) mine += piece[a] ? 1 : 0;
    RC_ASSERT(values.covered[a][0].size() == mine);
    for (std::size_t b = 0; b < texts.size(); ++b) {
      std::size_t both = 0;
      for (const auto& piece : pieces) both += piece[a] && piece[b] ? 1 : 0;
      RC_ASSERT(common(covered(values, a, 0), covered(values, b, 0)).size() == both);
    }
  }
}

}  // namespace
}  // namespace pratique::fusion::composed_values_test
