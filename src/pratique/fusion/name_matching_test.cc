#include "pratique/fusion/name_matching.h"

#include <gtest/gtest.h>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/fusion/observations.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::fusion::name_matching_test {
namespace {

Column names_of(const std::vector<std::string>& names) {
  Column column;
  column.name = "name";
  for (const auto& name : names) column.codes.push_back(column.dictionary.intern(name));
  return column;
}

std::vector<std::uint32_t> matched_rows(const std::vector<std::string>& names,
                                        const std::vector<std::string>& others,
                                        const NameMatching& options = {}) {
  return match_names(names_of(names), names_of(others), options).row_of;
}

TEST(NameMatching, FindsThroughTypingErrorsAndMissingInitials) {
  EXPECT_EQ(matched_rows({"Karen C Brentstone", "Richard P Taylor", "Nobody Here"},
                         {"Richard Taylor", "karen c. brentstne", "Someone Else"}),
            (std::vector<std::uint32_t>{1, 0, kNotFound}));
}

TEST(NameMatching, AMissingInitialIsNoDifferenceInShortNamesEither) {
  EXPECT_EQ(matched_rows({"Ann B Lee"}, {"Ann Lee"}), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(matched_rows({"Ann Lee"}, {"Ann B. Lee"}), (std::vector<std::uint32_t>{0}));
  // Either may be meant.
  EXPECT_EQ(match_names(names_of({"Ann Lee"}), names_of({"Ann B Lee", "Ann C Lee"}), {}).ambiguous,
            1U);
  // The one without is nearer.
  EXPECT_EQ(matched_rows({"Ann Lee"}, {"Ann B Lee", "Ann Lee"}), (std::vector<std::uint32_t>{1}));
}

TEST(NameMatching, OrderAccentsAndTitlesAreNoDifference) {
  // The fourth has its marks after the letters.
  const std::vector<std::string> same = {"José Núñez",     "Nunez, Jose",
                                         "NUÑEZ JOSÉ",     "Jose\u0301 Nu\u0301n\u0303ez",
                                         "Dr. Jose Nunez", "Prof Nunez, Jose, PhD"};
  for (const auto& name : same) {
    for (const auto& other : same) {
      EXPECT_EQ(matched_rows({name}, {"Ann Lee", other}), (std::vector<std::uint32_t>{1}))
          << name << " and " << other;
      EXPECT_EQ(match_names(names_of({name}), names_of({other}), {}).exact,
                name == other ? 1U : 0U);
    }
  }
  EXPECT_EQ(matched_rows({"Łukasz Żak"}, {"Lukasz Zak"}), (std::vector<std::uint32_t>{0}));
  // A name that is all title stays one, and father and son are two.
  EXPECT_EQ(matched_rows({"Miss"}, {"Miss"}), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(matched_rows({"John Holt Jr"}, {"John Holt Sr", "John Holt Jr."}),
            (std::vector<std::uint32_t>{1}));
}

TEST(NameMatching, OtherLettersStayAsTheyAre) {
  EXPECT_EQ(matched_rows({"Анна Ли"}, {"Ann Lee", "Анна Ли"}), (std::vector<std::uint32_t>{1}));
  // Neither a sign nor half a letter is one.
  EXPECT_EQ(matched_rows({"Ann \u00d7\u00d7"}, {"Ann oo"}),
            (std::vector<std::uint32_t>{kNotFound}));
  EXPECT_EQ(matched_rows({"Ann Le\xc3"}, {"Ann Le\xc3"}), (std::vector<std::uint32_t>{0}));
}

TEST(NameMatching, AnotherInitialIsAnotherPerson) {
  EXPECT_EQ(matched_rows({"Karen C Holt"}, {"Karen T Holt"}),
            (std::vector<std::uint32_t>{kNotFound}));
}

TEST(NameMatching, WhoFitsTwoIsAmbiguousUnlessOneIsClearlyNearer) {
  const auto twice = match_names(names_of({"Ann Lee"}), names_of({"Ann Lee", "Ann Lee"}), {});
  EXPECT_EQ(twice.matched, 0U);
  EXPECT_EQ(twice.ambiguous, 1U);
  // Two typing errors of the same size.
  const auto near = match_names(names_of({"Jonathan Meyerson"}),
                                names_of({"Jonathan Meyersun", "Jonathan Meyersan"}), {});
  EXPECT_EQ(near.ambiguous, 1U);
  EXPECT_EQ(near.matched, 0U);
  const auto clear = match_names(names_of({"Richard P Taylor"}),
                                 names_of({"Richard Taylor", "Richard P Taylor"}), {});
  EXPECT_EQ(clear.row_of, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(clear.exact, 1U);
}

TEST(NameMatching, SeveralPeopleMayBeFoundInOneRow) {
  EXPECT_EQ(
      matched_rows({"Ann B Lee", "Ann C Lee"}, {"Ann Lee"}, {.threshold = 0.9, .margin = 0.01}),
      (std::vector<std::uint32_t>{0, 0}));
}

TEST(NameMatching, TheThresholdCounts) {
  EXPECT_EQ(matched_rows({"Martha"}, {"Marhta"}, {.threshold = 0.96}),
            (std::vector<std::uint32_t>{0}));  // 0.9611, a textbook value
  EXPECT_EQ(matched_rows({"Martha"}, {"Marhta"}, {.threshold = 0.97}),
            (std::vector<std::uint32_t>{kNotFound}));
}

TEST(NameMatching, EmptyNamesMatchNothing) {
  EXPECT_EQ(matched_rows({"", "-"}, {"", "-"}), (std::vector<std::uint32_t>{kNotFound, kNotFound}));
  EXPECT_EQ(matched_rows({}, {"A"}), (std::vector<std::uint32_t>{}));
}

TEST(NameMatching, DoesNotDependOnTheNumberOfThreads) {
  SeededRandom random(1, 0);
  std::vector<std::string> some;
  std::vector<std::string> others;
  for (int i = 0; i < 600; ++i) {
    std::string name =
        "A" + std::to_string(random.below(40)) + "ex B" + std::to_string(random.below(90));
    others.push_back(name);
    name[random.below(name.size())] = 'x';
    some.push_back(name);
  }
  const ThreadLimit one_thread(1);
  const auto alone = matched_rows(some, others);
  const ThreadLimit two_threads(2);
  EXPECT_EQ(matched_rows(some, others), alone);
}

}  // namespace
}  // namespace pratique::fusion::name_matching_test
