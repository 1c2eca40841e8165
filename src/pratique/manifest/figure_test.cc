#include "pratique/manifest/figure.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

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

TEST(FigureUnits, AreWords) {
  for (const Unit unit : {Unit::number, Unit::share, Unit::people})
    EXPECT_EQ(unit_from_text(to_text(unit)), unit);
  EXPECT_EQ(to_text(Unit::people), "people");
  EXPECT_EQ(unit_from_text("metres"), std::nullopt);
}

TEST(FiguresIn, NumbersThatAreDeclaredHaveKeyUnitAndWords) {
  constexpr std::array<Figure, 5> declared = {{{"rows", "records"},
                                               {"unique", "alone", Unit::people},
                                               {"known", "who knows all"},
                                               {"accuracy", "accuracy", Unit::share},
                                               {"levels", "level", Unit::number, "", true}}};
  const Json results = {{"method", "optimal"},
                        {"rows", 4},
                        {"seconds", 0.5},
                        {"before", {{"unique", 2}, {"unique_share", 0.5}, {"other", 1}}},
                        {"after", {{"known", {{"unique", 0}, {"tried", 9}}}}},
                        {"metrics", {{"accuracy", {{"released", 0.75}}}}},
                        // A column may have the name of a figure.
                        {"levels", {{"age", 1}, {"unique", 2}, {"unique_share", 3}}},
                        {"sources", {{{"rows", 1}}, {{"rows", 2}, {"unique", 1}}}},
                        {"unique", nullptr},
                        {"known", Json::array()}};
  EXPECT_EQ(
      figures_in(results, declared),
      (std::vector<ResultFigure>{{"rows", Unit::number, "records"},
                                 {"before.unique", Unit::people, "alone"},
                                 {"before.unique_share", Unit::share, "unique share"},
                                 {"after.known.unique", Unit::people, "who knows all: alone"},
                                 {"after.known.tried", Unit::number, "who knows all: tried"},
                                 {"metrics.accuracy.released", Unit::share, "accuracy: released"},
                                 {"levels.age", Unit::number, "level: age"},
                                 {"levels.unique", Unit::number, "level: unique"},
                                 {"levels.unique_share", Unit::number, "level: unique_share"},
                                 {"sources.rows", Unit::number, "records"},
                                 {"sources.unique", Unit::people, "alone"}}));
  EXPECT_TRUE(figures_in(results, {}).empty());
}

}  // namespace
}  // namespace pratique::figure_test
