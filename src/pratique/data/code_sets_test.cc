#include "pratique/data/code_sets.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"

namespace pratique::code_sets_test {
namespace {

std::multiset<std::set<std::string>> texts_of(const CodeSets& sets) {
  std::multiset<std::set<std::string>> all;
  for (const auto s : sets.set_of) {
    std::set<std::string> texts;
    for (const Code code : sets.set(s)) texts.emplace(sets.codes.value(code));
    all.insert(texts);
  }
  return all;
}

TEST(CodeSets, CodesStayTextAndEqualSetsAreGrouped) {
  const CodeSets sets = parse_code_sets("296.00 296.0\n\xc3\xa9 x\t x\r\n296.0  296.00", "f.dat");
  EXPECT_EQ(sets.patients(), 3U);
  EXPECT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets.counts, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(texts_of(sets), (std::multiset<std::set<std::string>>{
                                {"296.0", "296.00"}, {"296.0", "296.00"}, {"\xc3\xa9", "x"}}));
  EXPECT_EQ(sets.supports()[*sets.codes.find("296.0")], 2U);
  EXPECT_EQ(sets.occurrences(), 6U);
}

TEST(CodeSets, AnEmptySetIsNamedByItsLine) {
  for (const auto* text : {"a\n\nb\n", "a\n \t\n", "a\n\n"}) {
    try {
      (void)parse_code_sets(text, "f.dat");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), "f.dat:2");
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
    }
  }
  EXPECT_THROW((void)parse_code_sets("", "f.dat"), Error);
  EXPECT_THROW((void)parse_code_sets(std::string_view("a\0b", 3), "f.dat"), Error);
}

Column column_of(const std::vector<std::string>& values) {
  Column column;
  column.name = "c";
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return column;
}

TEST(CodeSets, RowsInAnyOrderGiveTheSameSets) {
  const CodeSets sets = collect_code_sets(column_of({"p", "q", "p", "r", "q", "p"}),
                                          column_of({"a", "b", "b", "a", "a", "b"}), "f.csv");
  EXPECT_EQ(sets.patients(), 3U);
  EXPECT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets.set_of, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_THROW((void)collect_code_sets(column_of({"p"}), column_of({""}), "f.csv"), Error);
  EXPECT_THROW((void)collect_code_sets(column_of({}), column_of({}), "f.csv"), Error);
}

TEST(CodeSets, GroupingAgreesWithAMapOnManySets) {
  SeededRandom random(1);
  std::string text;
  std::map<std::set<std::string>, std::uint32_t> expected;
  for (int line = 0; line < 20000; ++line) {
    std::set<std::string> set;
    for (std::uint64_t i = 0, size = 1 + random.below(4); i < size; ++i) {
      set.insert(std::to_string(random.below(30)));
    }
    ++expected[set];
    for (const auto& code : set) text += code + " ";
    text += "\n";
  }
  const CodeSets sets = parse_code_sets(text, "f.dat");
  ASSERT_EQ(sets.size(), expected.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    std::set<std::string> set;
    for (const Code code : sets.set(s)) set.emplace(sets.codes.value(code));
    EXPECT_EQ(sets.counts[s], expected.at(set));
  }
}

}  // namespace
}  // namespace pratique::code_sets_test
