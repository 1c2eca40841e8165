#include "pratique/kind/shell_quoted.h"

#include <gtest/gtest.h>

namespace pratique::release::shell_quoted_test {
namespace {

TEST(ShellQuoted, WhatAShellWouldTakeApartIsQuoted) {
  EXPECT_EQ(shell_quoted("a-b_c.csv"), "a-b_c.csv");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("two words"), "'two words'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
}

TEST(ShellQuoted, ALineEndInANameStaysOneWhenItIsPasted) {
  EXPECT_EQ(shell_quoted("a\nb"), "$'a\\nb'");
  EXPECT_EQ(shell_quoted("a\t'\\\x01"), "$'a\\t\\'\\\\\\001'");
}

}  // namespace
}  // namespace pratique::release::shell_quoted_test
