#include "pratique/manifest/figure.h"

#include <gtest/gtest.h>

#include <array>

namespace pratique::figure_test {
namespace {

constexpr std::array<Figure, 2> kDeclared = {
    {{"unique", "records alone in their class", Unit::people},
     {"ncp", "penalty", Unit::number, "0 is none"}}};

TEST(Figure, DeclaredOnesHaveTheirWords) {
  EXPECT_EQ(figure(kDeclared, "unique").words, "records alone in their class");
  EXPECT_EQ(figure(kDeclared, "unique").unit, Unit::people);
  EXPECT_EQ(figure(kDeclared, "ncp").meaning, "0 is none");
}

TEST(Figure, OthersAreTheirKeyWithBlanks) {
  const auto other = figure(kDeclared, "codes_in_all");
  EXPECT_EQ(other.words, "codes in all");
  EXPECT_EQ(other.unit, Unit::number);
  EXPECT_EQ(other.meaning, "");
  EXPECT_EQ(figure({}, "").words, "");
}

TEST(Figure, TheShareOfAFigureIsAShare) {
  EXPECT_EQ(figure(kDeclared, "unique_share").unit, Unit::share);
  EXPECT_EQ(figure(kDeclared, "share").unit, Unit::number);
}

}  // namespace
}  // namespace pratique::figure_test
