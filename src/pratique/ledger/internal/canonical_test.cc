#include "pratique/ledger/internal/canonical.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace pratique::ledger::canonical_test {
namespace {

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(Canonical, KeysInTheOrderOfTheirBytesAndNoBlanks) {
  const nlohmann::json value = {
      {"b", {1, 2.5, nullptr}}, {"a", "\u00e4\n\""}, {"B", {{"y", true}, {"x", false}}}};
  EXPECT_EQ(canonical(value),
            "{\"B\":{\"x\":false,\"y\":true},\"a\":\"\u00e4\\n\\\"\",\"b\":[1,2.5,null]}");
}

TEST(Canonical, TextThatIsNotUtf8IsWrittenAllTheSame) {
  EXPECT_EQ(canonical("a\xff"), "\"a\ufffd\"");
}

TEST(Shallow, SixteenDeepAndNoDeeper) {
  EXPECT_TRUE(shallow(""));
  for (std::size_t depth = 0; depth <= 40; ++depth) {
    EXPECT_EQ(shallow(nested(depth, '[', ']')), depth <= 16) << depth;
    EXPECT_EQ(shallow(nested(depth, '{', '}')), depth <= 16) << depth;
    EXPECT_EQ(shallow(std::string(depth, '[')), depth <= 16) << depth;
  }
  EXPECT_TRUE(shallow(nested(8, '{', '}') + nested(16, '[', ']')));
  EXPECT_FALSE(shallow("{{{{{{{{" + nested(9, '[', ']')));
}

TEST(Shallow, ManyBesideEachOtherAreNotDeep) {
  std::string text = "[";
  for (int i = 0; i < 100; ++i) text += "{},[],";
  EXPECT_TRUE(shallow(text + "[]]"));
  // What is closed counts no more, of either kind.
  EXPECT_TRUE(shallow(nested(16, '[', ']') + nested(16, '{', '}')));
  EXPECT_FALSE(shallow(nested(16, '[', ']') + nested(17, '{', '}')));
}

TEST(Shallow, BracketsWithinTextDoNotCount) {
  EXPECT_TRUE(shallow("\"" + std::string(50, '[') + "\""));
  EXPECT_TRUE(shallow(R"("\")" + std::string(50, '{') + "\""));
  EXPECT_TRUE(shallow(R"("a\\")" + nested(16, '[', ']')));
  EXPECT_FALSE(shallow(R"("a\\")" + nested(17, '[', ']')));
  EXPECT_FALSE(shallow("\"a\"" + nested(17, '[', ']')));
  // Closing within text closes nothing.
  EXPECT_FALSE(shallow(std::string(16, '[') + "\"]]]]\"[" + std::string(17, ']')));
}

TEST(Shallow, ATextThatNeverEndsIsReadToItsEndAndNoFurther) {
  EXPECT_TRUE(shallow("\"" + std::string(50, '[')));
  EXPECT_TRUE(shallow("\"\\"));
}

}  // namespace
}  // namespace pratique::ledger::canonical_test
