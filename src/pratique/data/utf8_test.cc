#include "pratique/data/utf8.h"

#include <gtest/gtest.h>

namespace pratique::utf8_test {
namespace {

TEST(Utf8, CountsCharactersNotBytes) {
  EXPECT_EQ(count_characters(""), 0U);
  EXPECT_EQ(count_characters("abc"), 3U);
  EXPECT_EQ(count_characters("M\xc3\xbcnster"), 7U);
  EXPECT_EQ(count_characters("\xf0\x9f\x8f\xa5"), 1U);
  EXPECT_EQ(count_characters("\xff\xfe"), 2U);
}

TEST(Utf8, TellsWhatIsNot) {
  EXPECT_TRUE(is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x8f\xa5"));
  for (const char* no : {"\xc3", "\xa9", "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xe2\x82",
                         "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\xff"}) {
    EXPECT_FALSE(is_utf8(no));
  }
}

TEST(Utf8, ReadsLatin1) {
  EXPECT_EQ(latin1_to_utf8("M\xfcnster"), "M\xc3\xbcnster");
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_TRUE(is_utf8(latin1_to_utf8(all)));
  EXPECT_EQ(count_characters(latin1_to_utf8(all)), 256U);
}

TEST(Utf8, QuotesForMessages) {
  EXPECT_EQ(in_quotes(""), "(empty)");
  EXPECT_EQ(in_quotes("M\xc3\xbcnster"), "'M\xc3\xbcnster'");
  EXPECT_EQ(in_quotes("a\nb\xff"), "'a?b?'");
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace pratique::utf8_test
