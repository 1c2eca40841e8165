// Of every rule for notes what it finds and how far that reaches, and what stands just beside it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "pratique/verify/text_identifiers.h"

namespace pratique::verify::text_identifiers_by_shape_test {
namespace {

// TYPE:TEXT joined by |.
std::string found(std::string_view text, bool surrogates = false) {
  std::string result;
  for (const auto& [start, end, type] : identifiers_in_note(text, surrogates)) {
    result += (result.empty() ? "" : "|") + std::string(type) + ":" +
              std::string(text.substr(start, end - start));
  }
  return result;
}

void expect_found(std::initializer_list<std::pair<std::string_view, std::string_view>> cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(found(text), expected) << "'" << text << "'";
}

TEST(TextIdentifiersByShape, MailReachesAsFarAsItsSigns) {
  expect_found({{"a_b%c+d-e.f@x.org", "email:a_b%c+d-e.f@x.org"},
                {"(x@y.org)", "email:x@y.org"},
                {"7@a-b.co.", "email:7@a-b.co"},
                {"x@local", "email:x@local"},
                {"x@", ""},
                {"@y.org", ""},
                {" @ y.org", ""},
                {"x@-", ""},
                {"617-555-0142@x.org", "phone:617-555-0142"}});
}

TEST(TextIdentifiersByShape, AddressesOfTheWebEndWhereTextGoesOn) {
  for (const std::string end : {" ", "\t", "\n", "\r", "<", ">", "\"", "'", ",", ";", ")"})
    EXPECT_EQ(found("https://x.org/a" + end + "b"), "url:https://x.org/a") << end;
  expect_found({{"ftp://a.b..", "url:ftp://a.b"},
                {"HTTP://A", "url:HTTP://A"},
                {"www.7", "url:www.7"},
                {"www. x", ""},
                {"www x", ""},
                {"gopher://a", ""},
                {"http:/a", ""},
                {"http//a", ""}});
}

TEST(TextIdentifiersByShape, NumbersInGroups) {
  expect_found({{"123-45-6789", "ssn:123-45-6789"},
                {"123-45-678", ""},
                {"12-45-6789", ""},
                {"123-45-67890", ""},
                {"123-45-6789-1", ""},
                {"123.45.6789", ""},
                {"617 555.0142", "phone:617 555.0142"},
                {"617/555/0142", ""},
                {"6.617-555-0142", ""},
                {"02139-4307", "zip:02139-4307"},
                {"02139 4307", ""},
                {"0213-4307", ""},
                {"(617)555-0142", "phone:(617)555-0142"},
                {"(617)-555 0142", "phone:(617)-555 0142"},
                {"(617) 555/0142", ""},
                {"(61) 555-0142", ""},
                {"(617 555-0142", "phone:617 555-0142"},
                {"+44 (20) 7946-0958 x", "phone:+44 (20) 7946-0958"},
                {"+1234567890", "phone:+1234567890"},
                {"+123 456 789", ""},
                {"1.2.3.4", "ip:1.2.3.4"},
                {"255.255.255.255", "ip:255.255.255.255"},
                {"256.1.1.1", ""},
                {"1.1.1.0001", ""},
                {"1.2.3", ""},
                {"1234567", "id:1234567"},
                {"123456", ""},
                {"1.1234567", ""},
                {"1234567.5", ""},
                {"1234567.", "id:1234567"},
                {"NY 10001", "zip:10001"},
                {"WY^82001.", "zip:82001"},
                {"NY 10001a", ""},
                {"NY 1000", ""},
                {"NY  10001", ""},
                {"XX 10001", ""},
                {"Y 10001", ""}});
}

TEST(TextIdentifiersByShape, NumbersBehindTheirName) {
  expect_found({{"MRN 4471", "id:4471"},
                {"ssn: 4471", "id:4471"},
                {"acct#.4471-22-3", "id:4471-22-3"},
                {"account: #4471", "id:4471"},
                {"account :# 4471", ""},
                {"MRN 447", ""},
                {"MRN4471", ""},
                {"MRN44 7123", ""},
                {"record 4471", ""}});
  EXPECT_EQ(found("MRN 0004471", true), "");
  EXPECT_EQ(found("MRN 0014471", true), "id:0014471");
}

// 1850 to 2149; a day and a month in either order; two digits of a year where no points are
// between.
TEST(TextIdentifiersByShape, DatesInNumbers) {
  expect_found({{"3/14/1850", "date:3/14/1850"},
                {"3/14/1849", ""},
                {"3/14/2149", "date:3/14/2149"},
                {"3/14/2150", ""},
                {"14.3.2011", "date:14.3.2011"},
                {"14-3-2011", "date:14-3-2011"},
                {"14/3-2011", ""},
                {"3/14/11", "date:3/14/11"},
                {"3-14-11", ""},
                {"3.14.11", ""},
                {"3/14/111", ""},
                {"2011/3/14", "date:2011/3/14"},
                {"2011.14.3", "date:2011.14.3"},
                {"2011-13-14", ""},
                {"103/1/2011", ""},
                {"6.3.14.2011", ""},
                {"03/1931", "date:03/1931"},
                {"3-1931", "date:3-1931"},
                {"12/1931", "date:12/1931"},
                {"13/1931", ""},
                {"0/1931", ""},
                {"003/1931", ""},
                {"03/193", ""},
                {"3/1931/2", ""}});
  for (int day = 0; day <= 33; ++day) {
    const std::string number = std::to_string(day);
    const bool is_day = day >= 1 && day <= 31;
    EXPECT_EQ(found("on " + number + " June"), is_day ? "date:" + number + " June" : "") << day;
    EXPECT_EQ(found("on " + number + "th of June 2011"), is_day
                                                             ? "date:" + number + "th of June 2011"
                                                         : day == 0 || day > 31 ? "date:June 2011"
                                                                                : "")
        << day;
  }
  expect_found({{"5.-June", "date:5.-June"},
                {"5 .-June", ""},
                {"5 ofJune", ""},
                {"5 of  June", ""},
                {"005 June", ""},
                {"5 June, 2011", "date:5 June, 2011"},
                {"5 June --2011", "date:5 June --2011"},
                {"5 June -- 2011", "date:5 June"},
                {"5 June 211", "date:5 June"},
                {"5JUN1962", "date:5JUN1962"}});
}

TEST(TextIdentifiersByShape, DatesBehindAMonth) {
  expect_found({{"March 5", "date:March 5"},
                {"Mar. 5, 2011", "date:Mar. 5, 2011"},
                {"March,.-5", "date:March,.-5"},
                {"March .,-5", ""},
                {"March 5th, 2011", "date:March 5th, 2011"},
                {"March 5 th", "date:March 5"},
                {"March 2011", "date:March 2011"},
                {"March 1849", ""},
                {"March 0", ""},
                {"March 500", ""},
                {"March 50000", ""},
                {"March 5%", ""},
                {"March 5   2011", "date:March 5   2011"},
                {"March 5    2011", "date:March 5"},
                {"may 5", ""},
                {"march 5", ""},
                {"mar 5", ""},
                {"MAY 5", "date:MAY 5"},
                {"june 5", "date:june 5"}});
  for (const char* month :
       {"January",  "february", "April", "July", "August", "September", "October",
        "November", "December", "jan",   "feb",  "apr",    "jun",       "jul",
        "aug",      "sep",      "sept",  "oct",  "nov",    "dec"})
    EXPECT_EQ(found(fmt::format("{} 5", month)), fmt::format("date:{} 5", month));
}

TEST(TextIdentifiersByShape, PeopleBehindATitle) {
  expect_found({{"Mr Smith", "name:Smith"},
                {"Mrs. Smith", "name:Smith"},
                {"MS. Smith", "name:Smith"},
                {"Miss Smith", "name:Smith"},
                {"Prof. Smith", "clinician:Smith"},
                {"DR Smith", "clinician:Smith"},
                {"Dr.  Smith", ""},
                {"mr Smith", ""},
                {"dr. Smith", ""},
                {"Mr Sm", ""},
                {"Mr smith", ""},
                {"MrSmith", ""},
                {"Mr. 5", ""},
                {"Sir Smith", ""},
                {"Mr Abe", "name:Abe"},
                {"Mr Zed", "name:Zed"}});
}

TEST(TextIdentifiersByShape, Ages) {
  expect_found({{"age 90", "age:90"},
                {"aged: 139", "age:139"},
                {"age 140", ""},
                {"age 89", "exact-age:89"},
                {"Age:0", "exact-age:0"},
                {"age 0097", ""},
                {"age97", ""},
                {"age5 97", ""},
                {"age 97%", ""},
                {"age 9/7", ""},
                {"age 50..59", ""},
                {"age 50.", "exact-age:50"},
                {"age  :97", ""},
                {"stage 97", ""},
                {"97yo", "age:97"},
                {"97 yom", "age:97"},
                {"97-YOF", "age:97"},
                {"97 y/o", "age:97"},
                {"97 y.o.", "age:97"},
                {"97 y o", ""},
                {"97 y-a", ""},
                {"97 years of", ""},
                {"97 yr-old", "age:97"},
                {"97 yrs  old", ""},
                {"7.97 yo", ""},
                {"50..97 yo", ""},
                {"140 yo", ""}});
}

TEST(TextIdentifiersByShape, TagsStandForThemselves) {
  for (const char* tag : {"**NAME[AAA]", "**NAME[A]", "**NAME[AAA, BBB C]", "**AGE[over 89]",
                          "**DATE[1850]", "**ZIP-CODE[000]", "**ID-NUM", "**AB"})
    EXPECT_EQ(found(fmt::format("5 {} 2011", tag)), "") << tag;
  // What no tag has is read: two or four letters, small ones, an open bracket.
  expect_found({{"**NAME[Dr. Jones]", "clinician:Jones"},
                {"**NAME[MR ABC]", "name:ABC"},
                {"**ID-NUM", ""},
                {"**ID[1234567]", "id:1234567"},
                {"**ID[1234567", "id:1234567"},
                {"*1234567", "id:1234567"},
                {"**A1234567", "id:1234567"},
                {"**DATE[May 5]", "date:May 5"},
                {"**ID[12345678 A]", "id:12345678"},
                {"**NAME[AA] MRN 4471", "id:4471"}});
}

TEST(TextIdentifiersByShape, WhatNobodyHasIsNoneAmongSurrogates) {
  for (const char* text : {"mail x@example.org now", "see http://example.org/ now", "617-555-0100",
                           "(617) 555-0199", "+1 617 555 0142", "x@example.org", "a@b.example.org",
                           "www.example.org", "http://example.org/", "192.0.2.255", "000-45-6789",
                           "00012-4307", "0001234", "NY 00001", "MRN 0001"})
    EXPECT_EQ(found(text, true), "") << text;
  for (const char* text :
       {"617-556-0100", "(617) 555-0299", "+1 617 565 0142", "x@example.com", "x@example.org.uk",
        "http://example.org/a", "192.0.3.255", "192.1.2.255", "191.0.2.255", "001-45-6789",
        "00112-4307", "0011234", "NY 00101", "MRN 0011"})
    EXPECT_NE(found(text, true), "") << text;
}

}  // namespace
}  // namespace pratique::verify::text_identifiers_by_shape_test
