#include "pratique/columns/internal/ascii_expression.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>

namespace pratique::columns::internal::ascii_expression_test {
namespace {

TEST(AsciiExpression, MatchesTheSameTextsOfAscii) {
  for (const std::string expression :
       {R"(^\p{L}$)", R"(^\pL$)", R"(^\p{Lu}$)", R"(^[\p{L}'.-]$)", R"(^[^\pL]$)",
        R"(^[\p{Lu}\p{M}-]$)", R"((?i)^[\p{L}\]x]$)", R"(^\[?\p{Lu}$)", R"(^(\p{Lu}\p{L}*|\d)$)"}) {
    const RE2 whole(expression);
    const RE2 ascii(ascii_expression(expression));
    ASSERT_TRUE(ascii.ok()) << expression;
    for (char first = 1; first > 0 && first < 127; ++first) {
      const std::string text(1, first);
      EXPECT_EQ(RE2::PartialMatch(text, whole), RE2::PartialMatch(text, ascii))
          << expression << " " << text;
      EXPECT_EQ(RE2::PartialMatch("[" + text, whole), RE2::PartialMatch("[" + text, ascii))
          << expression;
      EXPECT_EQ(RE2::PartialMatch(text + "b", whole), RE2::PartialMatch(text + "b", ascii))
          << expression;
    }
  }
}

TEST(AsciiExpression, AClassOfUnicodeIsLeftNowhere) {
  EXPECT_EQ(ascii_expression(R"(\p{Lu}[\p{L}\p{M}'-]*\.?\d)"), R"([A-Z][A-Za-z\xff'-]*\.?\d)");
}

TEST(AsciiExpression, KnowsAscii) {
  EXPECT_TRUE(is_ascii(""));
  EXPECT_TRUE(is_ascii("Mueller \x7f"));
  EXPECT_FALSE(is_ascii("Müller"));
}

}  // namespace
}  // namespace pratique::columns::internal::ascii_expression_test
