#include "pratique/tables/model/spelling.h"

#include <gtest/gtest.h>

namespace pratique::tables::spelling_test {
namespace {

Column column_of(const std::vector<std::string>& values) {
  Column column;
  column.name = "ill";
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return column;
}

TEST(Spelling, CapitalsBlanksAndPointsOfCodesAreNoMatter) {
  EXPECT_EQ(without_spelling(" Type  2\tdiabetes "), "type 2 diabetes");
  EXPECT_EQ(without_spelling("E11.9"), without_spelling("e119"));
  EXPECT_EQ(without_spelling("b.c"), "b.c");        // no code
  EXPECT_EQ(without_spelling("1.5"), "1.5");        // a number
  EXPECT_EQ(without_spelling("e1.5 x"), "e1.5 x");  // words
  EXPECT_EQ(without_spelling(" "), "");
}

TEST(Spelling, ValuesThatDifferSoAreOne) {
  EXPECT_FALSE(joined_spellings(column_of({"flu", "gout", "flu"})));
  const auto joined = joined_spellings(column_of({"Flu", "gout", " flu", "E11.9", "e119"}));
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->name, "ill");
  EXPECT_EQ(joined->dictionary.size(), 3U);
  EXPECT_EQ(joined->codes, (std::vector<Code>{0, 1, 0, 2, 2}));
}

}  // namespace
}  // namespace pratique::tables::spelling_test
