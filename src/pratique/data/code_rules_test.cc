#include "pratique/data/code_rules.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::code_rules_test {
namespace {

std::string place_of(std::string_view text, const Dictionary* codes = nullptr) {
  try {
    (void)parse_code_rules(text, "r.txt", codes);
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.place();
  }
  return "";
}

TEST(CodeRules, AreRead) {
  const auto rules =
      parse_code_rules("\xef\xbb\xbf# c and d\n c d  c ->\th i\r\n\n401.2 -> 295", "r.txt");
  ASSERT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules[0].known, (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(rules[0].inferred, (std::vector<std::string>{"h", "i"}));
  EXPECT_EQ(rules[1].known, std::vector<std::string>{"401.2"});
  EXPECT_EQ(rules[1].inferred, std::vector<std::string>{"295"});
}

TEST(CodeRules, ABadLineIsNamedWithItsColumn) {
  EXPECT_EQ(place_of("a -> x\nb c"), "r.txt:2:4");
  EXPECT_EQ(place_of("a -> x\n -> x"), "r.txt:2:2");
  EXPECT_EQ(place_of("a ->"), "r.txt:1:5");
  EXPECT_EQ(place_of("a -> x -> y"), "r.txt:1:8");
  EXPECT_EQ(place_of("\xc3\xa9 -> x ->"), "r.txt:1:8");
  EXPECT_EQ(place_of("a -> x\n\nx -> y"), "r.txt:3:1");
  EXPECT_EQ(place_of("a -> a"), "r.txt:1:6");
  EXPECT_EQ(place_of("# nothing\n"), "r.txt");
  EXPECT_EQ(place_of(""), "r.txt");
  Dictionary codes;
  (void)codes.intern("a");
  (void)codes.intern("x");
  EXPECT_EQ(place_of("a -> x", &codes), "");
  EXPECT_EQ(place_of("a aa -> x", &codes), "r.txt:1:3");
}

}  // namespace
}  // namespace pratique::code_rules_test
