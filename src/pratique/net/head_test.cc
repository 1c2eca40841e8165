#include "pratique/net/head.h"

#include <gtest/gtest.h>

#include <string>

#include "pratique/net/problem.h"

namespace pratique::net::head_test {
namespace {

bool is_taken(const std::string& lines) {
  try {
    check_head("GET / HTTP/1.1\r\n" + lines + "\r\n");
    return true;
  } catch (const Problem& problem) {
    EXPECT_EQ(problem.status(), 400);
    return false;
  }
}

TEST(Head, PlainLinesAreTaken) {
  for (const char* lines : {"", "Host: h:1\r\n", "Host: h\r\nX-Y_Z: a \t b\r\n", "A:\r\n",
                            "A: b:c\r\n", "A: \xc3\xa4\r\n"}) {
    EXPECT_TRUE(is_taken(lines)) << lines;
  }
}

TEST(Head, WhatCouldBeReadInTwoWaysIsRefused) {
  for (const char* lines :
       {"Host: h\r\n folded: 1\r\n", "Host: h\r\n\tfolded\r\n", ": no name\r\n", "no colon\r\n",
        "Host : h\r\n", "Ho st: h\r\n", "A: b\nB: c\r\n", "A: b\rB: c\r\n", "A: \x01\r\n",
        "A: \x7f\r\n", "\r\nA: b\r\n", "A\x01: b\r\n", "\xc3\xa4: b\r\n"}) {
    EXPECT_FALSE(is_taken(lines)) << lines;
  }
  EXPECT_FALSE(is_taken(std::string("A: \0\r\n", 6)));
  EXPECT_THROW(check_head("\r\nGET / HTTP/1.1\r\n\r\n"), Problem);
  EXPECT_THROW(check_head(""), Problem);
  EXPECT_THROW(check_head("GET / HTTP/1.1\n\n"), Problem);
  EXPECT_THROW(check_head("GET / HTTP/1.1\r\nA: b\r\n"), Problem);
}

}  // namespace
}  // namespace pratique::net::head_test
