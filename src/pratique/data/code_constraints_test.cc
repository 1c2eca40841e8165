#include "pratique/data/code_constraints.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::code_constraints_test {
namespace {

TEST(CodeConstraints, ErrorsNameLineAndColumn) {
  const auto place = [](const char* text) {
    try {
      (void)parse_code_constraints(text, "f");
    } catch (const Error& error) {
      return error.place();
    }
    return std::string("none");
  };
  EXPECT_EQ(place("a b\n\n  c (d\n"), "f:3:5");
  EXPECT_EQ(place("a b a\n"), "f:1:5");
  EXPECT_EQ(place("# nothing\n"), "f");
  EXPECT_EQ(place(R"({"u1": ["a"], "u2": [1]})"), "f, constraint 'u2'");
  EXPECT_EQ(place("a b # why\r\n[c]"), "none");
  const CodeSets sets = parse_code_sets("296.00 296.01\n", "t");
  try {
    (void)bind_constraints(parse_code_constraints("296.00\n296.01 296.03\n", "f"), sets.codes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "f:2:8");
    EXPECT_NE(error.message().find("296.03"), std::string::npos);
  }
}

}  // namespace
}  // namespace pratique::code_constraints_test
