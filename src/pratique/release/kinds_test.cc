#include "pratique/release/kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pratique::release::kinds_test {
namespace {

TEST(Kinds, EachSaysWhatItIs) {
  std::set<std::string_view> nouns;
  for (const auto& kind : kinds()) {
    EXPECT_TRUE(nouns.insert(kind.noun).second) << kind.noun;
    EXPECT_EQ(&kind_of(kind.noun), &kind);
    EXPECT_FALSE(kind.title.empty()) << kind.noun;
    EXPECT_TRUE(kind.adversary.ends_with('.')) << kind.noun;
    EXPECT_FALSE(kind.figures.empty()) << kind.noun;
    EXPECT_FALSE(kind.models.empty()) << kind.noun;
    EXPECT_NE(kind.describe, nullptr) << kind.noun;
    // What recognises files has a name for them.
    EXPECT_EQ(kind.recognise == nullptr, kind.file_kind.empty()) << kind.noun;
  }
  EXPECT_EQ(std::count_if(kinds().begin(), kinds().end(),
                          [](const Kind& kind) { return kind.shows_rows; }),
            1);
}

TEST(Kinds, FiguresAndModelsAreDeclaredOnce) {
  for (const auto& kind : kinds()) {
    std::set<std::string_view> keys;
    for (const auto& figure : kind.figures) {
      EXPECT_TRUE(keys.insert(figure.key).second) << kind.noun << ": " << figure.key;
      EXPECT_FALSE(figure.words.empty()) << kind.noun << ": " << figure.key;
      if (figure.key.ends_with("_share")) {
        EXPECT_EQ(figure.unit, Unit::share) << figure.key;
      }
    }
    std::set<std::string_view> models;
    for (const auto& words : kind.models) {
      EXPECT_TRUE(models.insert(words.model).second) << words.model;
      EXPECT_TRUE(words.promise.ends_with('.') && words.limit.ends_with('.')) << words.model;
      EXPECT_EQ(words_of_model(kind, words.model).name, words.name);
    }
  }
}

TEST(Kinds, AnUnknownOneHasTheGeneralPageAndHidesTheFew) {
  const Kind& other = kind_of("none of them");
  EXPECT_EQ(other.title, "a release");
  EXPECT_EQ(other.describe, nullptr);
  EXPECT_EQ(other.attack_sequence, nullptr);
  for (const auto& kind : kinds()) {
    for (const auto& declared : kind.figures)
      EXPECT_EQ(figure(other.figures, declared.key).unit, declared.unit) << declared.key;
  }
  EXPECT_EQ(words_of_model(other, "k-anonymity").name, "a model that this version cannot explain");
}

TEST(Kinds, AFileIsOfTheKindThatKnowsItBest) {
  const auto likeness = [](std::string_view noun, std::string_view name) {
    return kind_of(noun).recognise(name, "a,b\n");
  };
  EXPECT_EQ(likeness("tables", "codes.csv"), Likeness::could_be);
  EXPECT_EQ(likeness("codes", "codes.csv"), Likeness::is);
  EXPECT_EQ(likeness("codes", "people.csv"), Likeness::none);
  EXPECT_EQ(likeness("codes", "codes.png"), Likeness::none);
  EXPECT_EQ(likeness("tables", "picture.png"), Likeness::none);
  EXPECT_EQ(kind_of("tables").recognise("named", "PAR1"), Likeness::could_be);
}

}  // namespace
}  // namespace pratique::release::kinds_test
