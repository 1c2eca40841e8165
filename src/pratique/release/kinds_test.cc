#include "pratique/release/kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "pratique/core/error.h"

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
    EXPECT_FALSE(kind.verb.empty()) << kind.noun;
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

TEST(Kinds, NothingIsSaidOfOneThatIsNotKnown) {
  for (const char* noun : {"zzz", "", "Tables"}) {
    try {
      (void)kind_of(noun);
      FAIL() << noun;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_EQ(error.message(), "this version knows no such kind of release");
      EXPECT_NE(error.hint().find("tables"), std::string::npos);
    }
  }
}

TEST(Kinds, AModelWithoutWordsSaysSo) {
  EXPECT_EQ(words_of_model(kind_of("trails"), "k-anonymity").name,
            "a model that this version cannot explain");
}

TEST(Kinds, AModelSaysWhichNumberItsClaimsCarryForNothing) {
  for (const char* model : {"complete-anonymity", "policy-anonymity"})
    EXPECT_EQ(words_of_model(kind_of("codes"), model).not_about, "m");
  for (const char* model : {"km-anonymity", "hkp-coherence"})
    EXPECT_EQ(words_of_model(kind_of("codes"), model).not_about, "");
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
