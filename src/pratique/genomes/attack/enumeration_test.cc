#include "pratique/genomes/attack/enumeration.h"

#include <gtest/gtest.h>

#include <set>

#include "pratique/core/error.h"
#include "pratique/crypto/hash.h"

namespace pratique::genomes::enumeration_test {
namespace {

Column column_of(const std::vector<std::string>& pseudonyms) {
  Column column{.name = "p", .dictionary = {}, .codes = {}};
  for (const auto& text : pseudonyms) column.codes.push_back(column.dictionary.intern(text));
  return column;
}

std::set<std::string> values_of(const EnumerationFinding& finding) {
  std::set<std::string> values;
  for (const auto& match : finding.matches) values.insert(match.value);
  return values;
}

EnumerationFinding tried(const std::vector<std::string>& pseudonyms, Enumerated what,
                         const std::string& areas = "001", const std::string& scheme = "sha256") {
  return enumerate_values(column_of(pseudonyms), what, parse_areas(areas), parse_scheme(scheme),
                          Progress::silent());
}

TEST(Enumeration, NumbersAreFoundInEverySpelling) {
  // The first and the last of an area.
  for (const auto& [first, last] :
       {std::pair("001-01-0001", "001-99-9999"), std::pair("001010001", "001999999"),
        std::pair("001 01 0001", "001 99 9999")}) {
    const auto found =
        tried({sha256_hex(first), sha256_hex(last), sha256_hex("002-01-0001")}, Enumerated::ssn);
    EXPECT_EQ(found.broken, 2U) << first;
    EXPECT_EQ(found.of, 3U);
    EXPECT_EQ(values_of(found), (std::set<std::string>{"001-01-0001", "001-99-9999"}));
  }
}

TEST(Enumeration, WhatIsNoNumberIsNotTried) {
  const auto found = tried({sha256_hex("001-00-0001"), sha256_hex("001-01-0000")}, Enumerated::ssn);
  EXPECT_EQ(found.broken, 0U);
  EXPECT_EQ(found.values, 99U * 9999U);
  EXPECT_EQ(found.tries, 3 * found.values);
  EXPECT_TRUE(parse_areas("").empty());
  EXPECT_EQ(parse_areas("700,001-003,002"), (std::vector<unsigned>{1, 2, 3, 700}));
  for (const char* wrong : {"000", "900", "1", "003-001", "001-", "x", "001,,002"})
    EXPECT_THROW((void)parse_areas(wrong), Error) << wrong;
  // 666 is none, alone or in a range.
  EXPECT_EQ(tried({sha256_hex("666-01-0001")}, Enumerated::ssn, "666").values, 0U);
}

TEST(Enumeration, SaltsAndShortDigests) {
  EXPECT_EQ(
      tried({sha256_hex("pepper001-02-0003")}, Enumerated::ssn, "001", "sha256:pepper").broken, 1U);
  EXPECT_EQ(tried({sha256_hex("001020003|pepper")}, Enumerated::ssn, "001", "sha256:pepper").broken,
            1U);
  EXPECT_EQ(tried({sha256_hex("001020003|pepper")}, Enumerated::ssn).broken, 0U);
  // Of four digits, each is met by chance by about 15 of 990,000.
  const auto brief = tried({sha256_hex("001-02-0003").substr(0, 4)}, Enumerated::ssn);
  EXPECT_EQ(brief.ambiguous, 1U);
  EXPECT_NEAR(brief.by_chance, 99.0 * 9999 / 65536, 0.01);
}

TEST(Enumeration, DatesAreFoundInEverySpelling) {
  for (const char* text : {"1904-02-29", "19040229", "02/29/1904", "2/29/1904", "29/02/1904",
                           "29/2/1904", "29.02.1904", "29.2.1904", "02-29-1904", "29-02-1904",
                           "02291904", "29021904", "1904/02/29", "040229"}) {
    const auto found = tried({sha256_hex(text)}, Enumerated::date, "");
    ASSERT_EQ(found.broken, 1U) << text;
    // Two digits of a year are of two centuries.
    EXPECT_EQ(values_of(found), (std::set<std::string>{"1904-02-29"}));
  }
  EXPECT_EQ(tried({sha256_hex("1900-02-29")}, Enumerated::date, "").broken, 0U);
  EXPECT_EQ(tried({sha256_hex("1899-12-31")}, Enumerated::date, "").broken, 0U);
}

}  // namespace
}  // namespace pratique::genomes::enumeration_test
