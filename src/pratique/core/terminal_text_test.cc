#include "pratique/core/terminal_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/json.h"

namespace pratique::terminal_text_test {
namespace {

TEST(TerminalText, WhatCommandsATerminalIsShownAndDoesNothing) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(printable("bell\x07 back\x08 return\r tab\t"),
            "bell\\u0007 back\\u0008 return\\u000d "
            "tab\\u0009");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\u0000");
  EXPECT_EQ(printable("\x7f"), "\\u007f");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");           // CSI in one character
  EXPECT_EQ(printable("exe.\u202Etxt"), "exe.\\u202etxt");   // right-to-left override
  EXPECT_EQ(printable("\u2066x\u2069"), "\\u2066x\\u2069");  // isolates
  EXPECT_EQ(printable("\u200e\u200f\u061c"), "\\u200e\\u200f\\u061c");
  EXPECT_EQ(printable("a\u2028b"), "a\\u2028b");
}

TEST(TerminalText, WhatIsNoCommandStaysAsItIs) {
  for (const char* text :
       {"", "two\nlines\n", "größe_in_cm", "יום לידה", "生年月日", "😀", "a\\u"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(TerminalText, ACellHasNoLineEnds) {
  EXPECT_EQ(in_one_line("two\nlines\n\x1b"), "two\\u000alines\\u000a\\u001b");
}

TEST(TerminalText, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(printable("\x9b"), "\uFFFD");  // C1 as a byte
  EXPECT_EQ(printable("a\xff\x62"), "a\uFFFDb");
  EXPECT_EQ(printable("\xc3"), "\uFFFD");            // cut short
  EXPECT_EQ(printable("\xc0\x9b"), "\uFFFD\uFFFD");  // ESC, overlong
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
}

RC_GTEST_PROP(TerminalText, NoByteOfAControlIsLeft, (const std::string& text)) {
  const std::string clean = printable(text);
  RC_ASSERT(std::none_of(clean.begin(), clean.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20U && c != '\n') || c == '\x7f';
  }));
  RC_ASSERT(printable(clean) == clean);
}

TEST(TerminalText, JsonMeansTheSame) {
  const Json json = {{"name\u202E", "a\u009b\x1b\x7f\tb"}};
  EXPECT_EQ(Json::parse(printable(to_text(json))), json);
}

TEST(TerminalText, ColumnsAreCountedAsATerminalDoes) {
  EXPECT_EQ(columns_taken(""), 0U);
  EXPECT_EQ(columns_taken("größe"), 5U);
  EXPECT_EQ(columns_taken("e\u0301"), 1U);
  EXPECT_EQ(columns_taken("生年"), 4U);
}

TEST(TerminalText, LinesBreakBetweenWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrapped("the quick brown fox", 9), (Lines{"the quick", "brown fox"}));
  EXPECT_EQ(wrapped("the quick brown fox", 10), (Lines{"the quick", "brown fox"}));
  EXPECT_EQ(wrapped("the quick brown fox", 8), (Lines{"the", "quick", "brown", "fox"}));
  EXPECT_EQ(wrapped("abcdefgh ij", 3), (Lines{"abc", "def", "gh", "ij"}));
  EXPECT_EQ(wrapped("fits  as it is", 14), (Lines{"fits  as it is"}));
  EXPECT_EQ(wrapped("", 5), (Lines{""}));
  EXPECT_EQ(wrapped("生年月日", 5), (Lines{"生年", "月日"}));
  EXPECT_EQ(wrapped("生年", 1), (Lines{"生", "年"}));
}

RC_GTEST_PROP(TerminalText, NoWrappedLineIsTooLongAndNothingIsLost, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('a', 'b', ' '));
  const auto width = *rc::gen::inRange<std::size_t>(1, 12);
  std::string joined;
  for (const auto& line : wrapped(text, width)) {
    RC_ASSERT(columns_taken(line) <= width);
    joined += line;
  }
  std::string letters = text;
  std::erase(letters, ' ');
  std::erase(joined, ' ');
  RC_ASSERT(joined == letters);
}

TEST(TerminalText, WhatIsTooLongIsShortened) {
  EXPECT_EQ(shortened("reading", 7), "reading");
  EXPECT_EQ(shortened("reading", 6), "readi…");
  EXPECT_EQ(shortened("reading", 1), "…");
  EXPECT_EQ(shortened("reading", 0), "");
}

}  // namespace
}  // namespace pratique::terminal_text_test
