#include "pratique/genomes/attack/internal/letter_case.h"

#include <gtest/gtest.h>

namespace pratique::genomes::letter_case_test {
namespace {

TEST(LetterCase, LettersOfNames) {
  // Pairs of the Unicode Character Database, a few of each of its blocks.
  const std::string small = "azäöüéñøÿāłőśşžαωάέόύώабвяёђ o'x-1";
  const std::string capitals = "AZÄÖÜÉÑØŸĀŁŐŚŞŽΑΩΆΈΌΎΏАБВЯЁЂ O'X-1";
  EXPECT_EQ(capitals_of(small), capitals);
  EXPECT_EQ(small_letters_of(capitals), small);
  EXPECT_EQ(small_letters_of(small), small);
  EXPECT_EQ(capitals_of("Groß"), "GROSS");
}

TEST(LetterCase, WhatHasNoCaseStays) {
  // Signs, other scripts, and bytes that are no UTF-8.
  const std::string others = "×÷ 李 ١ \xC3 \xFF\x80";
  EXPECT_EQ(capitals_of(others), others);
  EXPECT_EQ(small_letters_of(others), others);
}

}  // namespace
}  // namespace pratique::genomes::letter_case_test
