#include "pratique/verify/text_identifiers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::text_identifiers_test {
namespace {

// TYPE:TEXT joined by |.
std::string found(std::string_view text, bool surrogates = false) {
  std::string result;
  for (const auto& one : identifiers_in_note(text, surrogates)) {
    result += (result.empty() ? "" : "|") + std::string(one.type) + ":" +
              std::string(text.substr(one.start, one.end - one.start));
  }
  return result;
}

TEST(TextIdentifiers, EachShapeIsFoundInASentence) {
  EXPECT_EQ(found("write to a.b-c@mail.example.com today"), "email:a.b-c@mail.example.com");
  EXPECT_EQ(found("see https://x.org/a?b=1."), "url:https://x.org/a?b=1");
  EXPECT_EQ(found("see www.x.org, please"), "url:www.x.org");
  EXPECT_EQ(found("from 10.1.22.255 at night"), "ip:10.1.22.255");
  EXPECT_EQ(found("SSN 123-45-6789"), "ssn:123-45-6789");
  EXPECT_EQ(found("call (617) 555-0142."), "phone:(617) 555-0142");
  EXPECT_EQ(found("call 617-555-0142."), "phone:617-555-0142");
  EXPECT_EQ(found("call +44 20 7946 0958."), "phone:+44 20 7946 0958");
  EXPECT_EQ(found("on 3/14/2011 and 2011-03-14"), "date:3/14/2011|date:2011-03-14");
  EXPECT_EQ(found("on March 14, 2011"), "date:March 14, 2011");
  EXPECT_EQ(found("on 14 Mar 2011"), "date:14 Mar 2011");
  EXPECT_EQ(found("in March 2011"), "date:March 2011");
  EXPECT_EQ(found("on 5th March 2011"), "date:5th March 2011");
  EXPECT_EQ(found("on 2nd of Mar 2011"), "date:2nd of Mar 2011");
  EXPECT_EQ(found("on 14FEB1962"), "date:14FEB1962");
  EXPECT_EQ(found("born 03/1931"), "date:03/1931");
  EXPECT_EQ(found("a 97-y-o man"), "age:97");
  EXPECT_EQ(found("SPRINGFIELD^OR^97477"), "zip:97477");
  EXPECT_EQ(found("Boston, MA 02139"), "zip:02139");
  EXPECT_EQ(found("a 93-year-old man, aged 97"), "age:93|age:97");
  EXPECT_EQ(found("MRN: 44711"), "id:44711");
  EXPECT_EQ(found("sample 12345678"), "id:12345678");
  EXPECT_EQ(found("Mr. Smith saw Dr. Jones"), "name:Smith|clinician:Jones");
}

// One of the two is a month and the other a day of one.
TEST(TextIdentifiers, ADayAndAMonthInNumbers) {
  for (int a = 0; a <= 40; ++a) {
    for (int b = 0; b <= 40; ++b) {
      const auto month = [](int n) { return n >= 1 && n <= 12; };
      const auto day = [](int n) { return n >= 1 && n <= 31; };
      const std::string date = std::to_string(a) + "/" + std::to_string(b) + "/2011";
      const bool is_date = (month(a) && day(b)) || (day(a) && month(b));
      EXPECT_EQ(found("seen " + date) == "date:" + date, is_date) << date;
    }
  }
}

TEST(TextIdentifiers, YearsOfAgeAreWrittenInManyWays) {
  for (const char* unit : {"yo", "years old", "year-old", "yrs old", "yr old", "years-old"}) {
    EXPECT_EQ(found("a 97 " + std::string(unit) + " man"), "age:97") << unit;
    EXPECT_EQ(found("a 57 " + std::string(unit) + " man"), "exact-age:57") << unit;
  }
  for (const char* unit : {"days old", "mg", "years of school"}) {
    EXPECT_EQ(found("a 57 " + std::string(unit) + " man"), "") << unit;
  }
}

TEST(TextIdentifiers, ClinicalNumbersAreNone) {
  for (const char* text :
       {"BP 120/80, pulse 72, temp 98.6, strength 5/5, in 2011", "a man with 90% sats",
        "he may 5 times", "dose 2.5 mg 1/2 tablet", "WBC 11.2, Na 140, 1,250,000 copies",
        "Mr. A is well", "L4-L5 and T10-12", "90 days later", "1.25.250 ratio"}) {
    EXPECT_EQ(found(text), "") << text;
  }
}

TEST(TextIdentifiers, AgesUnder90AreOfAnotherType) {
  EXPECT_EQ(found("a 53-year-old, aged 7"), "exact-age:53|exact-age:7");
  EXPECT_EQ(found("a 50..59-year-old, aged 40..49"), "");
}

TEST(TextIdentifiers, TagsAreNoneUnlessSomethingElseStandsInThem) {
  EXPECT_EQ(found("**NAME[AAA, BBB M] on **DATE[2011], **AGE[over 89], **ZIP-CODE[021]"), "");
  EXPECT_EQ(found("**DATE[3/14/2011]"), "date:3/14/2011");
  EXPECT_EQ(found("**ID-NUM[12345678]"), "id:12345678");
}

TEST(TextIdentifiers, OfSurrogatesWhatNobodyHasIsNone) {
  const std::string text =
      "(617) 555-0142 x@example.org 192.0.2.7 000-12-3456 MRN 0004711 https://www.example.org/";
  EXPECT_EQ(found(text, true), "");
  EXPECT_NE(found(text, false), "");
  EXPECT_EQ(found("(617) 555-1142 x@examplexorg.com 192.0.3.7", true),
            "phone:(617) 555-1142|email:x@examplexorg.com|ip:192.0.3.7");
}

TEST(TextIdentifiers, AnyBytesAreRead) {
  for (const std::string& text : {std::string(), std::string("\xFF\xFE@"), std::string("@.@"),
                                  std::string("**["), std::string("**A"), std::string(50, '(')}) {
    for (const auto& one : identifiers_in_note(text, false)) {
      EXPECT_LT(one.start, one.end);
      EXPECT_LE(one.end, text.size());
    }
  }
}

class NoteClaims : public testing::Test {
 protected:
  ClaimResult check(const std::string& text) {
    const std::string path = folder_.path() + "/notes.jsonl";
    write_file_atomically(path, text);
    return verify_claim(
        *engine_, engine_->open_sets(path, Progress::silent()),
        {{"model", "identifiers-removed"}, {"types", {"phone", "date"}}, {"surrogates", false}},
        Progress::silent());
  }
  static std::string line(const std::string& text, char digit = 'a', const std::string& more = "") {
    return R"({"id":")" + std::string(32, digit) + R"(","text":")" + text + "\"" + more + "}\n";
  }

  PrivateFolder folder_;
  std::unique_ptr<Engine> engine_ = Engine::duckdb();
};

TEST_F(NoteClaims, HoldWhereNothingOfTheTypesIsLeft) {
  const auto result = check(line("seen by Mr. Smith") + line("well", 'b'));
  EXPECT_TRUE(result.holds) << result.explanation;
  EXPECT_EQ(result.achieved, 0);
}

TEST_F(NoteClaims, PlantedBreachesAreFound) {
  EXPECT_FALSE(check(line("call 617-555-0142")).holds);
  EXPECT_FALSE(check(line("well") + line("well")).holds);                 // an id twice
  EXPECT_FALSE(check(line("well", 'a', R"(,"name":"Smith")")).holds);     // another key
  EXPECT_FALSE(check(line("well", 'a', R"(,"patient":"Smith")")).holds);  // no pseudonym
  EXPECT_FALSE(check("{\"id\":\"Smith-1\",\"text\":\"well\"}\n").holds);
  EXPECT_FALSE(check(line("well", 'a', R"(,"view":{"name":"Smith"})")).holds);  // not claimed
  EXPECT_FALSE(check("nonsense\n").holds);
  EXPECT_FALSE(check("").holds);
}

TEST_F(NoteClaims, TheViewIsThatOfKPatients) {
  const auto check_view = [&](const std::string& text, int k, int l) {
    const std::string path = folder_.path() + "/view.jsonl";
    write_file_atomically(path, text);
    return verify_claim(*engine_, engine_->open_sets(path, Progress::silent()),
                        {{"model", "view-k-anonymity"},
                         {"k", k},
                         {"l", l},
                         {"view", {"age"}},
                         {"sensitive", "diagnosis"}},
                        Progress::silent());
  };
  const auto row = [](char id, char patient, const std::string& age, const std::string& diagnosis) {
    return line("well", id,
                R"(,"patient":")" + std::string(32, patient) + R"(","view":{"age":")" + age +
                    R"(","diagnosis":")" + diagnosis + "\"}");
  };
  const std::string two = row('a', '1', "50..59", "gout") + row('b', '2', "50..59", "flu") +
                          row('c', '2', "50..59", "flu");
  EXPECT_TRUE(check_view(two, 2, 2).holds);
  EXPECT_FALSE(check_view(two, 3, 1).holds);  // three notes of two patients
  EXPECT_FALSE(check_view(two, 2, 3).holds);
  EXPECT_FALSE(check_view(two + row('d', '2', "60..69", "flu"), 1, 1).holds);  // two rows
  EXPECT_FALSE(check_view(two + line("well", 'e'), 1, 1).holds);
  EXPECT_FALSE(check_view("", 1, 1).holds);
}

// Letters that stand for names are three, or one for an initial; anything else in the brackets of a
// tag is text like any other.
TEST(TextIdentifiers, ANameInTheBracketsOfATagIsFound) {
  EXPECT_EQ(found("seen by **NAME[MR LEE] today"), found("seen by MR LEE today"));
  EXPECT_NE(found("seen by **NAME[MR LEE] today"), "");
  for (const char* tag : {"**NAME[ABC]", "**NAME[ABC, DEF G]", "**NAME[A]"})
    EXPECT_EQ(found(std::string("seen by ") + tag + " today"), "") << tag;
}

}  // namespace
}  // namespace pratique::verify::text_identifiers_test
