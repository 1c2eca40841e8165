// Texts by shape: of every rule what it finds, and what stands just beside it and is nothing.
#include "pratique/verify/internal/identifying_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace pratique::verify::identifying_text_test {
namespace {

constexpr std::string_view kDate = "a date more precise than a year";
constexpr std::string_view kPhone = "a telephone number";
constexpr std::string_view kRecord = "a number of a record or account";
constexpr std::string_view kAge = "an age over 89";
constexpr std::string_view kPlace = "coordinates";
constexpr std::string_view kNothing;

void all_are(std::string_view what, std::initializer_list<std::string_view> texts) {
  for (const auto text : texts) EXPECT_EQ(identifier_in_text(text), what) << "'" << text << "'";
}

TEST(IdentifyingText, MailAndTheWeb) {
  all_are("an email address", {"a@b.co", "write 7@b-c.d.org today", "x@y.com"});
  all_are(kNothing, {"a @ b", "ab@cd", "@ 5.5", "a@b .c", "a@b.c"});
  all_are("a web address", {"http://x", "see https://h.io", "www.a", "www.9", "WWW.x"});
  all_are(kNothing, {"http:// x", "http:/x", "http//x", "www a", "www. a", "http://"});
  all_are("a domain of the web", {"clinic.org", "at my.house.net now", "b2.com"});
  all_are(kNothing, {"a.com", "clinic.organ", "clinic.com_x", "-a.com", "clinic. org", ".com"});
  all_are("an account on the web",
          {"@some", "by @_ab", "(@a1.", "\t@a.b", "name#123", "ab-cde#4567", "me (at) home",
           "me(at)home", "me [at] home", "a1 (AT) b"});
  all_are(kNothing, {"@ab", "@1ab", "@.ab", "x@some", "nm#123", "name#12", "na1#123", "9#123",
                     "(at) home", "me (at)", "me (at home", "me at home", "me (at) -"});
}

TEST(IdentifyingText, NumbersThatNothingElseHas) {
  all_are("a number that nothing else has",
          {"550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000"});
  all_are(kNothing, {"550e8400-e29b-41d4-a716", "g50e8400-e29b-41d4-a716-446655440000",
                     "550e8400-e29b-41d4-a716-44665544000a-", "a-b"});
  all_are("the hardware address of a device",
          {"00:1b:63:84:45:e6", "at 00:1B:63:84:45:E6.", "(00:1b:63:84:45:e6"});
  all_are(kNothing, {"00:1b:63:84:45:e", "00:1b:63:84:45:ea1", "a00:1b:63:84:45:e6",
                     "00-1b-63-84-45-e6g", "00:1b:63:84:45:g6"});
  all_are("a vehicle's number",
          {"1HGCM82633A004352", "a 1HGCM82633A004352.", "vin 1hgcm82633a004352"});
  all_are(kNothing, {"1HGCM82633A00435", "1HGCM82633A0043521", "1HGCM82633A00435I",
                     "1HGCM82633A00435O", "1HGCM82633A00435Q", "ABCDEFGHJKLMNPRST",
                     "1hGCM82633A004352", "vin 1hgcm82633a00435", "vin 1hgcm82633a00435i"});
}

TEST(IdentifyingText, AHiddenNumberWithItsLastFour) {
  all_are("a part of a social security number", {"XXX-XX-6789", "xxx-xx-6789", "***-**-6789",
                                                 "XXX XX 6789", "XXXXX6789", "ssn: XXX-XX-6789."});
  all_are(kNothing,
          {"XX-XX-6789", "XXX-X-6789", "XXX-XX-678", "XXX-XX-67890", "XXXX-XX-6789", "aXXX-XX-6789",
           "_XXX-XX-6789", "XXX-XX-6789a", "XXX-XX-678a", "XXX-XX-6789_"});
}

TEST(IdentifyingText, PostcodesOfOtherCountries) {
  all_are("a postcode of another country",
          {"SW1A 1AA", "M1 1AE", "B33 8TH", "in CR2 6XH now", "D-10115", "A-1010", "CH-8001",
           "F-75001", "NL-1012", "B-1000"});
  for (const char c : std::string("CIKMOV")) {
    all_are(kNothing, {fmt::format("M1 1{}E", c), fmt::format("M1 1E{}", c)});
  }
  all_are(kNothing,
          {"SW1A1AA", "SW1A 1A", "SWXA 1AA", "SWXY1 1AA", "SW1A 1AAA", "aM1 1AE", "M1 A1E", "D-101",
           "D-101155", "X-10115", "D10115", "D-10115a", "1M 1AE", "M1 1aE"});
}

TEST(IdentifyingText, TelephonesByTheirPrefix) {
  all_are(kPhone, {"(617) 555-0142", "(617)555 0142", "(617) 555.0142", "(0) 30-1234", "(0)30 1234",
                   "(0) 30/1234", "(0)12345-1234", "+44 20 7946 0958", "+4420794609",
                   "+44 (20) 7946-0958", "+44.20.7946.0958"});
  all_are(kNothing, {"(61) 555-014", "(617) 55-0142", "(617) 555-014", "(617) 555/0142",
                     "(6170) 555-0142", "(0) 3-1234", "(0) 301234-1234", "(0) 30-123",
                     "(1) 30-1234", "+44 20 7946", "+442079460", "+ 44"});
}

TEST(IdentifyingText, TelephonesByTheirLength) {
  all_are(kPhone, {"0351/6780", "no 0351/678088", "0049 30 1234567", "0049/1234567", "07911 123456",
                   "0791 12345", "07911 12345678", "x 123456789", "x 1234567890", "x 1234567890123",
                   "x 1234567890123456789"});
  all_are(kNothing, {"1351/6780", "0351/678", "03/6780", "035123/6780", "x 12345678",
                     "x 12345678901", "x 123456789012", "x 12345678901234567890", "123456789",
                     "x 1.123456789", "x 123456789,5", "0049 30 1234", "07911 1234", "079 12345",
                     "a07911 123456", "07911 123456_", "07911 123456a"});
  all_are(kPhone, {"Tel. 0351", "fax:1234", "mobile +49 12 34", "Handy (12) 34"});
  all_are(kNothing, {"tel 12 3", "tel abc"});
  all_are(kPhone, {"617-555-0142", "617.555.0142", "617 555 0142"});
  all_are(kNothing, {"617/555/0142", "617-555-014", "61-555-0142", "617-55a-0142"});
}

TEST(IdentifyingText, CardsAndSocialSecurity) {
  all_are("the number of a card", {"4111 1111 1111 1111", "4111-1111-1111-1111",
                                   "4111 1111 1111 11", "4111 1111 1111 111"});
  all_are(kNothing, {"4111 1111 1111 1", "4111.1111.1111.1111", "411 1111 1111 1111",
                     "4111 1111 1111", "4111 1111 1111 11111"});
  all_are("a social security number", {"123-45-6789", "123 45 6789"});
  all_are("a number like that of social security", {"123.45.6789"});
  all_are(kNothing, {"123/45/6789", "12-45-6789", "123-4-6789", "123-45-678", "123-45 6789"});
  all_are("an IP address", {"10.0.0.1", "255.255.255.255", "at 192.168.1.20."});
  all_are(kNothing,
          {"256.1.1.1", "10.0.0.256", "10.0.0", "1234.0.0.1", "10.300.0.1", "10.0.0.0001"});
  all_are("a ZIP code", {"02139-4307", "Boston MA 02139", "MA 02139."});
  all_are(kNothing, {"0213-4307", "02139-430", "12139/4307", "Ma 02139", "MAS 02139", "MA 0213",
                     "MA  02139", "MA 02139a", "MA-02139"});
}

TEST(IdentifyingText, NumbersThatAreAnnounced) {
  all_are(kRecord,
          {"ext 123",   "ext. 123",  "extension:123", "Durchwahl 123", "mrn 44",      "mrn/A12",
           "MRN: 4471", "acct 123",  "account_123",   "account #123",  "Konto 123",   "acc:123",
           "Acc# 123",  "fall 1234", "Akte:1234",     "dossier #1234", "serial AB12", "serial: 12",
           "sn:1",      "SN# ABC1",  "call 123456",   "ssn 1234"});
  all_are(kNothing, {"ext 12", "extra 123", "ext-123", "mrn 4", "mrn", "acct 12", "acc 123",
                     "acc:12", "fall 123", "fall-1234x", "serial ABCD12", "serial AB1", "sn 1",
                     "sn:ABCD1", "call 12345", "call me 123456"});
  all_are(kRecord, {"pat nr 47", "Pat.-Nr. 4711", "patient no. 12", "patienten-nummer: 12",
                    "case #12", "chart num 12", "file id=12", "patient # AB12"});
  all_are(kNothing,
          {"pat 47", "patient nr 4", "patient nur 47", "patient # ABCD12", "people no 12"});
  all_are(kRecord, {"passport C01X00T47", "passport 1234", "Reisepass: 1234", "imei 12-45",
                    "Kennzeichen DD 1234", "passeport #ABC1234", "Kennzeichen DD-1234"});
  all_are(kNothing, {"passport 123", "passport", "passports 1234", "passport ABCD1234",
                     "passport1234", "passport of 12", "Kennzeichen.", "imei 12 45"});
}

TEST(IdentifyingText, PlacesOnTheMap) {
  all_are(kPlace,
          {"gps 52.5", "lat: 52,5", "lon=-13.4", "lng (7.1", "latitude 5.5", "longitude -105.5"});
  all_are(kNothing, {"gps52.5", "gps 52", "gps 5200.5", "late 52.5", "lat 52 5", "lat."});
  all_are(kPlace, {"40.7128, -74.0060", "40.712 74.006", "4.712;174.006", "40.7128/74.0060"});
  all_are(kNothing, {"40.71, 74.00", "140.712, 74.006", "40.712, 1740.006", "40.7128",
                     "1.40.712, 74.006", "40.712, 74.006.1", "40.712-74.006"});
  all_are(kPlace, {"40° 42' N", "40°42'", "40 ° 42′", "40° 42.5’", "40° 42 '"});
  all_are(kNothing, {"40° 42", "40 C 42'", "40° x'", "40°"});
}

// Whatever stands between: one number is a month and the other a day of one, or the year is first.
TEST(IdentifyingText, DatesInThreeParts) {
  const auto month = [](int n) { return n >= 1 && n <= 12; };
  const auto day = [](int n) { return n >= 1 && n <= 31; };
  for (int a = 0; a <= 33; ++a) {
    for (int b = 0; b <= 33; ++b) {
      const bool either = (month(a) && day(b)) || (day(a) && month(b));
      for (const char* sign : {"/", "-", ".", ". ", " - ", "_"}) {
        // 12/1970 and 1970-12 alone are dates.
        const bool of_two = sign[0] == '/' || sign[0] == '-';
        const auto last = fmt::format("{}{}{}{}1970", a, sign, b, sign);
        EXPECT_EQ(identifier_in_text(last) == kDate, either || (of_two && month(b))) << last;
        const auto first = fmt::format("1970{}{}{}{}", sign, a, sign, b);
        EXPECT_EQ(identifier_in_text(first) == kDate, month(a) && (of_two || day(b))) << first;
      }
      const auto short_year = fmt::format("{}/{}/70", a, b);
      EXPECT_EQ(identifier_in_text(short_year) == kDate, either) << short_year;
      const auto apart = fmt::format("x {} / {} / 70", a, b);
      EXPECT_EQ(identifier_in_text(apart) == kDate, either) << apart;
    }
  }
  all_are(kDate, {"1/2/1800", "1/2/2199", "5.III.1970", "5. XII 1970", "5-iv-70", "5.IV.70"});
  all_are(kNothing, {"1/2/1799", "1/2/2200", "1..2..1970", "1/2/197", "5.XIII.1970", "32.III.1970",
                     "5 IV 70", "5.  IV.70", "3 / 5 / 701", "3 / 5/ 70"});
}

TEST(IdentifyingText, DaysWithoutAYear) {
  all_are(kDate, {"03/05", "24/12", "3.5.", "24.12.", "--03-05", "--24-12", "--0305", "--2412"});
  all_are(kNothing, {"3/5", "03/5", "13/13", "24.13.", "32.1.", "--3-5", "--13-32", "--13-13",
                     "--305", "-03-05", "--0305a", "3.5", "00/05"});
  all_are(kDate, {"flu 3/3", "seen: 24/12.", "seen,3/5", "on (3/5)", "born\t3/5;", "geb. 3.5.",
                  "geb: (24.12.", "geb 3.5.,"});
  all_are(kNothing, {"3/3 flu", "flu3/3", "flu 13/13", "flu 3/3a", "flu 3/32", "7 3/3", "geb 3.5",
                     "geb 3.13.", "geb 32.5.", "geb3.5.", "geb 3.5.a", "7 3.5.x"});
}

TEST(IdentifyingText, MonthsAndDaysOfAYear) {
  all_are(kDate, {"1944.III", "x 1944-xii", "1944/I", "2020-065", "2020/366", "2020-001", "1970-05",
                  "05/1970", "5-2199", "x 19700305", "x 03051970", "x 24121970"});
  all_are(kNothing, {"1944.XIII", "x1944.III", "1944 III", "1944.III5", "1944.III_", "2020-000",
                     "2020-367", "2020.065", "1970-13", "13/1970", "05.1970", "1799-05", "19700305",
                     "x 19701305", "x 24131970", "x 32121970"});
  all_are(kDate, {"5 March", "5th of May", "2nd Mar", "5-mai", "1970 March", "March 5", "Mar. 5",
                  "Mai_1970", "5 de enero", "3rd of  june"});
  all_are(kNothing, {"19700 March", "x5 March", "5 March7", "5of March", "5 Marching", "March5",
                     "March 19700", "march x 5", "5Marx of", "5 th March", "March 5x"});
}

TEST(IdentifyingText, AgesOver89) {
  all_are(kAge, {"93 years", "90-year", "139 yrs", "x 93yo", "age 93", "aged: 90", "Age=139"});
  all_are(kNothing, {"89 years", "140 years", "093a years", "x93 years", "93 yearly", "93 years5",
                     "age 89", "age 140", "age, 93", "age93x", "page 93", "0093 years"});
}

TEST(IdentifyingText, BirthBeforeAYear) {
  for (const char* text : {"born 1925", "b. 1925", "geb. im Jahr 1925", "né en 1925", "* 1925 x",
                           "Ann *1925", "born in about 1925", "YOB 1925", "born 1800"})
    EXPECT_TRUE(tells_birth_by(1930, text)) << text;
  for (const char* text : {"born 1931", "b 1925", "borne 1925", "born and 1925", "born 5 1925",
                           "1925 born", "*1925", "Ann 1925", "born 1799", "born 192"})
    EXPECT_FALSE(tells_birth_by(1930, text)) << text;
}

TEST(IdentifyingText, TitlesWithAName) {
  for (const char* text :
       {"Dr. House", "Mr House", "seen by Frau  Meier", "Prof. J. Doe", "Mme Ab", "Dr House."})
    EXPECT_TRUE(names_somebody(text)) << text;
  for (const char* text : {"Dr.", "Dr house", "dr. House", "Mr H", "Ms. HIV", "Drs House", "Dr. J.",
                           "DrHouse", "Mr 5"})
    EXPECT_FALSE(names_somebody(text)) << text;
}

TEST(IdentifyingText, DaysWrittenTogether) {
  for (const char* text : {"19700305", "03051970", "24121970", "18000101", "21991231", "31121800"})
    EXPECT_TRUE(is_compact_day(text)) << text;
  for (const char* text : {"19701332", "1970030", "197003055", "24131970", "17991231", "22000101",
                           "1970030a", "a9700305", "00121970"})
    EXPECT_FALSE(is_compact_day(text)) << text;
  for (const char* text : {"2020001", "2020366", "1800100"})
    EXPECT_TRUE(is_year_and_day(text)) << text;
  for (const char* text : {"2020000", "2020367", "202036", "20203660", "202036a", "1799100"})
    EXPECT_FALSE(is_year_and_day(text)) << text;
  for (const char* text : {"3/5", "31/12", "12/31"})
    EXPECT_TRUE(may_be_day_and_month(text)) << text;
  for (const char* text : {"13/13", "3-5", "3/", "a/5", "3/b", "3/5/7", "0/5", "32/1"})
    EXPECT_FALSE(may_be_day_and_month(text)) << text;
  for (const char* text : {"May", "sept.", "Monday", "mié", "Sonntag", "Sun."})
    EXPECT_EQ(names_month_or_weekday(text), text != std::string_view("mié")) << text;
  EXPECT_FALSE(names_month_or_weekday("May.."));
  for (const std::size_t digits : {9U, 10U, 13U, 19U}) EXPECT_TRUE(is_length_of_a_number(digits));
  for (const std::size_t digits : {8U, 11U, 12U, 20U}) EXPECT_FALSE(is_length_of_a_number(digits));
}

// By Unicode's tables: the digits of nineteen scripts and of mathematics, full-width signs, dashes,
// blanks, and what is not seen.
TEST(IdentifyingText, WhatLooksLikeAsciiIsReadAsIt) {
  const auto utf8 = [](char32_t c) {
    std::string text;
    if (c < 0x800) {
      text += static_cast<char>(0xC0U | (c >> 6U));
    } else {
      if (c < 0x10000) {
        text += static_cast<char>(0xE0U | (c >> 12U));
      } else {
        text += static_cast<char>(0xF0U | (c >> 18U));
        text += static_cast<char>(0x80U | ((c >> 12U) & 0x3FU));
      }
      text += static_cast<char>(0x80U | ((c >> 6U) & 0x3FU));
    }
    return text + static_cast<char>(0x80U | (c & 0x3FU));
  };
  for (const char32_t zero :
       {U'\u0660', U'\u06F0',     U'\u07C0',     U'\u0966',     U'\u09E6',     U'\u0A66',
        U'\u0AE6', U'\u0B66',     U'\u0BE6',     U'\u0C66',     U'\u0CE6',     U'\u0D66',
        U'\u0E50', U'\u0ED0',     U'\u0F20',     U'\u1040',     U'\u17E0',     U'\u1810',
        U'\uFF10', U'\U0001D7CE', U'\U0001D7D8', U'\U0001D7E2', U'\U0001D7EC', U'\U0001D7F6'}) {
    std::string digits;
    for (char32_t d = 0; d < 10; ++d) digits += utf8(zero + d);
    EXPECT_EQ(in_plain_signs(digits), "0123456789") << static_cast<unsigned>(zero);
  }
  for (char c = '!'; c <= '~'; ++c)
    EXPECT_EQ(in_plain_signs(utf8(0xFF01 + static_cast<char32_t>(c - '!'))), std::string(1, c));
  for (char32_t c = 0x2010; c <= 0x2015; ++c) EXPECT_EQ(in_plain_signs(utf8(c)), "-");
  for (const char32_t c : {0x2212, 0xFE63}) EXPECT_EQ(in_plain_signs(utf8(c)), "-");
  for (char32_t c = 0x2000; c <= 0x200A; ++c) EXPECT_EQ(in_plain_signs(utf8(c)), " ");
  for (const char32_t c : {0xA0, 0x202F, 0x205F, 0x3000}) EXPECT_EQ(in_plain_signs(utf8(c)), " ");
  for (const char32_t c : {0x2044, 0x2215}) EXPECT_EQ(in_plain_signs(utf8(c)), "/");
  for (char32_t c = 0x200B; c <= 0x200F; ++c) EXPECT_EQ(in_plain_signs(utf8(c)), "");
  for (char32_t c = 0x2060; c <= 0x2064; ++c) EXPECT_EQ(in_plain_signs(utf8(c)), "");
  for (const char32_t c : {0xAD, 0xFEFF}) EXPECT_EQ(in_plain_signs(utf8(c)), "");
  for (const char32_t c : {0xE4, 0x65F, 0x66A, 0x1D800, 0xFF5F, 0x200F + 1 - 0x10, 0x2016, 0x2065,
                           0x2213, 0x10000, 0x10FFFF}) {
    if (c == 0x2000) continue;
    EXPECT_EQ(in_plain_signs(utf8(c)), utf8(c)) << static_cast<unsigned>(c);
  }
  // Bytes that are no character stay.
  for (const std::string text : {"\xFF", "\xE2\x80", "\xC3", "\xE2\x28\xA1",
                                 "a\xC3"
                                 "b",
                                 "\xF0\x9D"})
    EXPECT_EQ(in_plain_signs(text), text);
  all_are(kDate, {"\u0660\u0663/\u0660\u0665", "1970\u201003\u201005"});
  all_are("an email address", {"a\uFF20b.co", "a\u200B@b.co"});
}

}  // namespace
}  // namespace pratique::verify::identifying_text_test
