#include "pratique/words/words.h"

#include <gtest/gtest.h>

namespace pratique::words::words_test {
namespace {

TEST(Words, CaseAndAccentsDoNotMatter) {
  EXPECT_EQ(folded("Zo\u00EB"), "zoe");
  EXPECT_EQ(folded("ZOE\u0308"), "zoe");  // E and a combining diaeresis
  EXPECT_EQ(folded("\u0141\u00F3d\u017A"), "lodz");
  EXPECT_EQ(hash_of("M\u00FCller"), hash_of("muller"));
}

TEST(Words, BytesThatAreNoTextStay) {
  EXPECT_EQ(folded("a\xFFz"), "a\xFFz");
  EXPECT_EQ(folded("\xC3"), "\xC3");
}

TEST(Words, KindsAreThoseOfTheLists) {
  EXPECT_NE(kinds_of("Mary") & kFemale, 0);
  EXPECT_NE(kinds_of("JAMES") & kMale, 0);
  EXPECT_NE(kinds_of("smith") & kFamily, 0);
  EXPECT_NE(kinds_of("Austria") & kRegion, 0);
  EXPECT_NE(kinds_of("patient") & kEnglish, 0);
  EXPECT_EQ(kinds_of("patient") & kName, 0);
  EXPECT_EQ(kinds_of("xqzvvk"), 0);
}

TEST(Words, ListsHaveWhatTheirKindsSay) {
  for (const auto word : list(List::male)) EXPECT_NE(kinds_of(word) & kGiven, 0) << word;
  // Lists have Mary among men: what three times as many say of a name is what it is.
  EXPECT_EQ(kinds_of("Mary") & kGiven, kFemale);
  EXPECT_EQ(kinds_of("Michael") & kGiven, kMale);
  for (const auto word : list(List::world_family)) EXPECT_NE(kinds_of(word) & kFamily, 0) << word;
  EXPECT_GT(list(List::english).size(), 10'000U);
}

}  // namespace
}  // namespace pratique::words::words_test
