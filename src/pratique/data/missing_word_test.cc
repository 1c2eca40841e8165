#include "pratique/data/missing_word.h"

#include <gtest/gtest.h>

namespace pratique::missing_word_test {
namespace {

TEST(MissingWord, SaysThatThereIsNoValue) {
  for (const char* word : {"NA", "n/a", " N/A ", "Unknown", "NULL", "-", "?", "NaN", "missing", " ",
                           "not available", "Not Recorded"})
    EXPECT_TRUE(is_missing_word(word)) << word;
  for (const char* word : {"", "none", "no", "0", "-1", "Nauru", "unknown fever", "n"})
    EXPECT_FALSE(is_missing_word(word)) << word;
}

}  // namespace
}  // namespace pratique::missing_word_test
