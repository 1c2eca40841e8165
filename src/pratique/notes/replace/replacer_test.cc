#include "pratique/notes/replace/replacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "pratique/core/file.h"
#include "pratique/notes/find/known_names.h"
#include "pratique/notes/metric/miss_rate.h"
#include "pratique/notes/replace/note_date.h"
#include "pratique/notes/replace/surrogates.h"
#include "pratique/words/words.h"

namespace pratique::notes::replacer_test {
namespace {

struct Marked {
  std::string part;
  std::string type;
  std::string detail = {};
};

class Replacing : public testing::Test {
 protected:
  std::string replaced(Mode mode, Replace replace, const std::string& text,
                       const std::vector<Marked>& marked,
                       const std::vector<std::string>& also = {}) {
    Note note{.id = "1", .text = text, .patient = "p"};
    std::vector<Span> spans;
    for (const auto& mark : marked) {
      const auto at = text.find(mark.part);
      EXPECT_NE(at, std::string::npos);
      spans.push_back({at, at + mark.part.size(), mark.type, 1, mark.detail});
    }
    return Replacer(ReplacementRules::of(mode, replace, also, {}), key_).replace(note, spans).text;
  }
  NoteKey key_{""};
};

TEST_F(Replacing, TagsAreInTheFormOfDeId) {
  const std::string text = replaced(
      Mode::full, Replace::tags, "SMITH, MARY J, 93 y, 3/14/2011, Mary Smith",
      {{"SMITH, MARY J", "name"}, {"93", "age"}, {"3/14/2011", "date"}, {"Mary Smith", "name"}});
  // **NAME[AAA, BBB M] and **NAME[BBB AAA]: the same word has the same letters.
  ASSERT_TRUE(text.starts_with("**NAME[")) << text;
  const std::string family = text.substr(7, 3);
  const std::string given = text.substr(12, 3);
  EXPECT_EQ(text.substr(10, 2), ", ");
  EXPECT_EQ(text.substr(15, 1), " ");
  EXPECT_EQ(text.substr(17),
            "], **AGE[over 89] y, **DATE[2011], **NAME[" + given + " " + family + "]");
}

// A state stays; where nothing but its letters stands before the ZIP, no town is made up.
TEST_F(Replacing, SurrogatesOfAStateAndItsZipAreOne) {
  const std::string text = replaced(Mode::full, Replace::surrogates, "of Boston, MA 02139.",
                                    {{"Boston", "location"}, {"MA 02139", "location"}});
  const auto comma = text.find(", ");
  ASSERT_NE(comma, std::string::npos) << text;
  EXPECT_EQ(text.substr(comma, 8), ", MA 000") << text;
  EXPECT_EQ(text.size(), comma + 11) << text;
}

TEST_F(Replacing, SurrogatesKeepSexAndInitialsAndOriginWhereAsked) {
  const auto kinds = [](const std::string& name) { return words::kinds_of(name); };
  int german = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string scope = std::to_string(i);
    const Surrogates surrogates(key_, scope);
    EXPECT_EQ(kinds(surrogates.name("Robert")) & words::kGiven, words::kMale);
    EXPECT_EQ(kinds(surrogates.name("Elizabeth")) & words::kGiven, words::kFemale);
    const std::string whole = surrogates.name("Robert Smith");
    const std::string shortened = surrogates.name("R. Smith");
    EXPECT_EQ(whole.substr(0, 1), shortened.substr(0, 1)) << whole << shortened;
    EXPECT_EQ(whole.substr(whole.find(' ')), shortened.substr(2)) << whole << shortened;
    EXPECT_NE(whole.substr(0, whole.find(' ')), "Robert");
    const std::string other = Surrogates(key_, scope, true).name("J\u00fcrgen");
    for (std::size_t origin = 0; origin < words::origins(); ++origin) {
      const auto& men = words::names_of_origin(origin, words::List::male);
      const bool theirs =
          std::binary_search(men.begin(), men.end(), std::string_view("J\u00fcrgen"));
      if (theirs && std::binary_search(men.begin(), men.end(), std::string_view(other))) {
        ++german;
        break;
      }
    }
  }
  EXPECT_EQ(german, 40);
}

TEST_F(Replacing, YearsThatTellAnAgeOver89Go) {
  // 164.514(b)(2)(i)(C): "all elements of dates (including year) indicative of such age".
  EXPECT_EQ(replaced(Mode::full, Replace::tags, "born 3/14/1925, seen 5/6/2015 and in 2014",
                     {{"3/14/1925", "date"}, {"5/6/2015", "date"}, {"2014", "date"}}),
            "born **DATE, seen **DATE[2015] and in 2014");
  EXPECT_EQ(replaced(Mode::full, Replace::generalise, "born 1926, seen 5/6/2015",
                     {{"1926", "date"}, {"5/6/2015", "date"}}),
            "born 1926, seen 2015");
  EXPECT_EQ(replaced(Mode::full, Replace::tags, "born in 1925", {{"1925", "date"}}),
            "born in **DATE");
}

TEST_F(Replacing, AgesInWordsAndPartsOfYears) {
  for (const char* young : {"nineteen-year-old", "forties", "20s", "3-day-old", "teens", "45-50"})
    EXPECT_EQ(
        replaced(Mode::full, Replace::tags, std::string("is ") + young + " now", {{young, "age"}}),
        std::string("is ") + young + " now");
  EXPECT_EQ(replaced(Mode::full, Replace::tags, "is 96 weeks old", {{"96", "age"}}),
            "is 96 weeks old");
  for (const char* old :
       {"ninety-one", "nineties", "one hundred and two", "a hundred", "94", "centenarian"})
    EXPECT_EQ(
        replaced(Mode::full, Replace::tags, std::string("is ") + old + " now", {{old, "age"}}),
        "is **AGE[over 89] now");
}

// Dates that were moved to 2012 and a tag that says 2011 would tell how far.
TEST_F(Replacing, TagsBesideMovedDatesTellNoYear) {
  const std::string text =
      replaced(Mode::partial, Replace::surrogates, "on 5/6/2011 and after Christmas 2011",
               {{"5/6/2011", "date"}, {"after Christmas 2011", "date"}});
  EXPECT_TRUE(text.ends_with(" and **DATE")) << text;
}

TEST_F(Replacing, DistrictsAreSmallerThanStates) {
  EXPECT_EQ(replaced(Mode::full, Replace::tags, "Derby, Ohio, NJ, France",
                     {{"Derby", "location"},
                      {"Ohio", "location"},
                      {"NJ", "location"},
                      {"France", "location"}}),
            "**PLACE, Ohio, NJ, France");
}

TEST_F(Replacing, NotesOfNobodyMoveByDaysOfTheirOwn) {
  // Of 40 notes without a patient, one known date must not tell how far all others moved.
  std::set<std::string> moved;
  for (int i = 0; i < 40; ++i) {
    const Note note{.id = std::to_string(i), .text = "3/14/2011", .patient = ""};
    moved.insert(Replacer(ReplacementRules::of(Mode::partial, Replace::surrogates, {}, {}), key_)
                     .replace(note, {{0, 9, "date"}})
                     .text);
  }
  EXPECT_GT(moved.size(), 20U);
}

TEST_F(Replacing, FullKeepsWhatSafeHarborLetsStay) {
  EXPECT_EQ(replaced(Mode::full, Replace::tags, "age 53 in 2011, Ohio, Mercy Hospital, Dr. Lee",
                     {{"53", "age"},
                      {"2011", "date"},
                      {"Ohio", "location"},
                      {"Mercy Hospital", "hospital"},
                      {"Lee", "name", "clinician"}}),
            "age 53 in 2011, Ohio, Mercy Hospital, Dr. Lee");
  const auto also = replaced(Mode::full, Replace::suppress, "Mercy Hospital, Dr. Lee",
                             {{"Mercy Hospital", "hospital"}, {"Lee", "name", "clinician"}},
                             {"hospital", "clinician"});
  EXPECT_EQ(also, "***, Dr. ***");
}

TEST_F(Replacing, TitlesStay) {
  EXPECT_EQ(replaced(Mode::full, Replace::suppress, "Mr. Smith and Ms Jones",
                     {{"Mr. Smith", "name"}, {"Ms", "name"}, {"Jones", "name"}}),
            "Mr. *** and Ms ***");
}

TEST_F(Replacing, GeneralisedIsWhatSafeHarborAllows) {
  // 036 is one of the areas with 20,000 people or fewer (45 CFR 164.514, guidance of HHS).
  EXPECT_EQ(
      replaced(
          Mode::full, Replace::generalise, "3/14/2011, 02139, 03601, aged 97",
          {{"3/14/2011", "date"}, {"02139", "location"}, {"03601", "location"}, {"97", "age"}}),
      "2011, 021, 000, aged over 89");
}

TEST_F(Replacing, SurrogatesAreConsistentAndKeepIntervals) {
  const auto first =
      replaced(Mode::partial, Replace::surrogates, "John Smith 3/1/2011 3/11/2011",
               {{"John Smith", "name"}, {"3/1/2011", "date"}, {"3/11/2011", "date"}});
  const auto again =
      replaced(Mode::partial, Replace::surrogates, "John Smith 3/1/2011 3/11/2011",
               {{"John Smith", "name"}, {"3/1/2011", "date"}, {"3/11/2011", "date"}});
  EXPECT_EQ(first, again);
  // Each by another in its place. Elsewhere the same may stand: some keys make Paul Johnson of John
  // Smith, or move the second date to where the first one was.
  std::istringstream parts(first);
  for (const char* original : {"John", "Smith", "3/1/2011", "3/11/2011"}) {
    std::string word;
    ASSERT_TRUE(parts >> word) << first;
    EXPECT_NE(word, original) << first;
  }
  const Surrogates surrogates(key_, "p");
  EXPECT_EQ(moved_by("3/1/2011", surrogates.days() + 10), moved_by("3/11/2011", surrogates.days()));
  EXPECT_NE(surrogates.days(), 0);
  // A date that was moved is not Safe Harbor.
  EXPECT_EQ(replaced(Mode::full, Replace::surrogates, "on 3/1/2011", {{"3/1/2011", "date"}}),
            "on 2011");
}

// There are few towns to draw from: each of them becomes another.
TEST_F(Replacing, NoTownIsReplacedByItself) {
  for (const auto town : words::list(words::List::towns)) {
    const std::string text(town);
    EXPECT_NE(replaced(Mode::full, Replace::surrogates, text, {{text, "location"}}), text);
  }
}

TEST_F(Replacing, SurrogateNumbersAreNobodys) {
  const auto text = replaced(Mode::full, Replace::surrogates,
                             "617-555-9942 123-45-6789 a@b.com 10.0.0.1 AB1234567",
                             {{"617-555-9942", "phone"},
                              {"123-45-6789", "ssn"},
                              {"a@b.com", "email"},
                              {"10.0.0.1", "ip"},
                              {"AB1234567", "mrn"}});
  EXPECT_NE(text.find(" 555-01"), std::string::npos) << text;
  EXPECT_NE(text.find(" 000-"), std::string::npos) << text;
  EXPECT_NE(text.find("@example.org"), std::string::npos) << text;
  EXPECT_NE(text.find("192.0.2."), std::string::npos) << text;
}

TEST_F(Replacing, WhatFindingMissedAndAShapeGivesAwayGoesAtTheSecondLook) {
  EXPECT_EQ(replaced(Mode::full, Replace::tags, "call 617-555-9942 on 3/14/2011", {}),
            "call **PHONE on **DATE[2011]");
}

TEST(NoteDates, MoveInTheirOwnForm) {
  EXPECT_EQ(moved_by("03/14/2011", 20), "04/03/2011");
  EXPECT_EQ(moved_by("3/14/11", -14), "2/28/11");
  EXPECT_EQ(moved_by("14.3.2011", 1), "15.3.2011");
  EXPECT_EQ(moved_by("2011-12-31", 1), "2012-01-01");
  EXPECT_EQ(moved_by("March 31, 2011", 1), "April 1, 2011");
  EXPECT_EQ(moved_by("Mar 1st 2012", -1), "Feb 29th 2012");
  EXPECT_EQ(moved_by("31 DEC 2011", 1), "1 JAN 2012");
  EXPECT_EQ(moved_by("3/14", 1), "3/15");
  EXPECT_FALSE(moved_by("Christmas", 1));
  EXPECT_FALSE(moved_by("13/13/2011", 1));
  EXPECT_EQ(year_in("03/14/2011"), 2011);
  EXPECT_EQ(year_in("3/14/98"), 1998);
  EXPECT_FALSE(year_in("3/14"));
}

TEST(KnownNames, AreFoundThroughATypingError) {
  EXPECT_TRUE(one_typing_error_apart("johnson", "jonson"));
  EXPECT_TRUE(one_typing_error_apart("johnson", "jhonson"));
  EXPECT_TRUE(one_typing_error_apart("johnson", "johnsen"));
  EXPECT_FALSE(one_typing_error_apart("johnson", "johnson"));
  EXPECT_FALSE(one_typing_error_apart("johnson", "jonsen"));
  KnownIdentifiers known;
  known.add_name("Xavier Johnson");
  known.add_number("(617) 555-0142", "phone");
  known.add_day("1950-03-14");
  known.add_initials("Xavier R. Johnson");
  std::vector<Span> candidates;
  add_known_candidates("JONSON came, 617 555 0142", known, candidates);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(candidates[0].end, 6U);
  EXPECT_EQ(candidates[1].start, 13U);
  EXPECT_EQ(candidates[1].end, 25U);
  // The day of birth in another country's order, and initials in capitals.
  candidates.clear();
  add_known_candidates("XRJ, 14.3.50", known, candidates);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(candidates[0].end, 3U);
  EXPECT_EQ(candidates[1].type, "date");
  EXPECT_EQ(candidates[1].end, 12U);
}

TEST(MissRate, IsTheBoundOfClopperAndPearson) {
  // Of none missed of n the bound is 1 - 0.05^(1/n): the rule of three.
  EXPECT_NEAR(miss_rate_at_most(0, 100, 0.95), 1 - std::pow(0.05, 0.01), 1e-9);
  // 1 of 10, one-sided 95 %: 0.3942 (Clopper and Pearson's charts; any table of exact limits).
  EXPECT_NEAR(miss_rate_at_most(1, 10, 0.95), 0.3942, 1e-4);
  EXPECT_EQ(miss_rate_at_most(3, 3, 0.95), 1);
  EXPECT_EQ(miss_rate_at_most(0, 0, 0.95), 1);
}

TEST(NoteKeys, AFileAgreesWithItselfAndADrawnOneWithNobody) {
  PrivateFolder folder;
  const std::string path = folder.path() + "/key";
  const NoteKey first(path);
  const NoteKey second(path);
  EXPECT_EQ(first.pseudonym("id", "a"), second.pseudonym("id", "a"));
  EXPECT_NE(first.pseudonym("id", "a"), first.pseudonym("patient", "a"));
  EXPECT_NE(NoteKey("").pseudonym("id", "a"), NoteKey("").pseudonym("id", "a"));
  EXPECT_EQ(first.pseudonym("id", "a").size(), 32U);
}

}  // namespace
}  // namespace pratique::notes::replacer_test
