#include "pratique/tables/profile/quasi_identifiers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pratique/crypto/random.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::quasi_identifiers_test {
namespace {

struct Expected {
  double distinction;
  double separation;
  double unique_share;
};

// Every subset of up to `most` columns, each by its definition; then those that are minimal.
std::map<std::vector<std::string>, Expected> by_definition(const std::vector<std::string>& names,
                                                           const Rows& rows, double above,
                                                           int most) {
  std::map<unsigned, Expected> identifying;
  for (unsigned set = 1; set < (1U << names.size()); ++set) {
    if (__builtin_popcount(set) > most) continue;
    std::map<std::vector<std::string>, std::size_t> classes;
    for (const auto& row : rows) {
      std::vector<std::string> tuple;
      for (std::size_t c = 0; c < names.size(); ++c) {
        if ((set >> c) & 1U) tuple.push_back(row[c]);
      }
      ++classes[tuple];
    }
    double unique = 0;
    double alike = 0;
    for (const auto& [tuple, n] : classes) {
      if (n == 1) ++unique;
      alike += static_cast<double>(n * (n - 1));
    }
    const auto n = static_cast<double>(rows.size());
    if (unique / n > above) {
      identifying[set] = {static_cast<double>(classes.size()) / n,
                          n < 2 ? 1 : 1 - alike / (n * (n - 1)), unique / n};
    }
  }
  std::map<std::vector<std::string>, Expected> minimal;
  for (const auto& [set, expected] : identifying) {
    bool has_smaller = false;
    for (const auto& [other, ignored] : identifying) {
      has_smaller = has_smaller || (other != set && (other & set) == other);
    }
    if (has_smaller) continue;
    std::vector<std::string> columns;
    for (std::size_t c = 0; c < names.size(); ++c) {
      if ((set >> c) & 1U) columns.push_back(names[c]);
    }
    minimal[columns] = expected;
  }
  return minimal;
}

RC_GTEST_PROP(QuasiIdentifiers, AreTheMinimalIdentifyingSets, ()) {
  SeededRandom random = any_random();
  const auto width = 1 + random.below(8);
  const auto height = 1 + random.below(120);
  const double above = std::vector<double>{0, 0.05, 0.2, 0.5}[random.below(4)];
  const int most = static_cast<int>(random.between(1, 4));
  std::vector<std::string> names;
  std::vector<std::uint64_t> distinct;
  std::vector<double> common;  // the chance of the first value, beside the others
  for (std::size_t c = 0; c < width; ++c) {
    names.push_back("c" + std::to_string(c));
    distinct.push_back(1 + random.below(random.chance(0.2) ? 100 : 5));
    common.push_back(random.chance(0.5) ? 0 : 0.95);
  }
  Rows rows(height);
  for (auto& row : rows) {
    for (std::size_t c = 0; c < width; ++c) {
      row.push_back(random.chance(common[c]) ? "0" : std::to_string(random.below(distinct[c])));
    }
  }
  const auto sets =
      find_quasi_identifiers(table_of(names, rows), {above, static_cast<std::size_t>(most)}).sets;
  const auto expected = by_definition(names, rows, above, most);
  RC_ASSERT(sets.size() == expected.size());
  for (const auto& set : sets) {
    const auto at = expected.find(set.columns);
    RC_ASSERT(at != expected.end());
    EXPECT_NEAR(set.distinction, at->second.distinction, 1e-12);
    EXPECT_NEAR(set.separation, at->second.separation, 1e-12);
    EXPECT_NEAR(set.unique_share, at->second.unique_share, 1e-12);
  }
}

TEST(QuasiIdentifiers, ComeSmallestFirstThenMostUnique) {
  Rows rows;
  for (int i = 0; i < 40; ++i) {
    rows.push_back({std::to_string(i), std::to_string(i % 7), std::to_string(i % 6), "same"});
  }
  const auto sets = find_quasi_identifiers(table_of({"id", "a", "b", "c"}, rows)).sets;
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].columns, (std::vector<std::string>{"id"}));
  EXPECT_EQ(sets[0].separation, 1);
  EXPECT_EQ(sets[1].columns, (std::vector<std::string>{"a", "b"}));
}

TEST(QuasiIdentifiers, AreDefinedAtTheEdges) {
  EXPECT_TRUE(find_quasi_identifiers(table_of({"a"}, {})).sets.empty());
  EXPECT_TRUE(find_quasi_identifiers(Table{}).sets.empty());
  EXPECT_TRUE(find_quasi_identifiers(table_of({"a"}, {{"x"}, {"x"}})).sets.empty());
  EXPECT_EQ(find_quasi_identifiers(table_of({"a"}, {{"x"}})).sets.size(), 1U);
}

TEST(QuasiIdentifiers, SayHowFarTheSearchWent) {
  Rows rows;
  for (int i = 0; i < 64; ++i) {
    rows.push_back({std::to_string(i % 4), std::to_string(i / 4 % 4), std::to_string(i / 16)});
  }
  const Table table = table_of({"a", "b", "c"}, rows);
  const auto all = find_quasi_identifiers(table);
  EXPECT_EQ(all.searched_columns, 4U);
  EXPECT_EQ(all.sets.size(), 1U);  // unique by all three only
  const auto singles = find_quasi_identifiers(table, {0.05, 4, 4'000'000, 64.0 * 3 - 1});
  EXPECT_EQ(singles.searched_columns, 0U);
  const auto few_sets = find_quasi_identifiers(table, {0.05, 4, 2});
  EXPECT_EQ(few_sets.searched_columns, 0U);
  const auto shallow = find_quasi_identifiers(table, {0.05, 2});
  EXPECT_EQ(shallow.searched_columns, 2U);
  EXPECT_TRUE(shallow.sets.empty());
}

}  // namespace
}  // namespace pratique::tables::quasi_identifiers_test
