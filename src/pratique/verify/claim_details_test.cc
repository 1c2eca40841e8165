// Details of claims that a change in the verifier could pass by.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/verify/claims.h"
#include "pratique/verify/internal/recorded_file.h"
#include "pratique/verify/internal/spelling.h"

namespace pratique::verify::claim_details_test {
namespace {

class ClaimDetails : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::string path = folder.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  ClaimResult check(const std::string& csv, const Json& claim) {
    const Source source = engine->open(write("r.csv", csv), {.delimiter = ','}, Progress::silent());
    return verify_claim(*engine, source, claim, Progress::silent());
  }
};

TEST_F(ClaimDetails, AHistogramIsBoxesAndCounts) {
  const Json claim = {{"model", "differential-privacy"}, {"epsilon", 1}, {"delta", 0}};
  const auto whole = check("a_low,a_high,b_low,b_high,count\n1,2,x,x,3.5\n", claim);
  EXPECT_TRUE(whole.holds);
  EXPECT_EQ(whole.required, 1);
  EXPECT_TRUE(check("a_low,a_high,count\n1,2,-3.5\n", claim).holds);
  EXPECT_NE(whole.explanation.find("counts of boxes"), std::string::npos);
  for (const char* csv : {"a_low,b_high,count\n1,2,3\n", "a_low,a_high,number\n1,2,3\n",
                          "a_low,a_high,count\n1,2,x\n", "a_low,a_high,name,count\n1,2,x,3\n",
                          "low,high,count\n1,2,3\n", "count\n3\n", "a_lo,a_high,count\n1,2,3\n",
                          "a_low,a_high,count\n1,2,3\n1,2,\n"}) {
    const auto other = check(csv, claim);
    EXPECT_FALSE(other.holds) << csv;
    EXPECT_NE(other.explanation.find("not a table of boxes"), std::string::npos);
  }
  for (const Json& odd :
       {Json{{"epsilon", 0}, {"delta", 0}}, Json{{"epsilon", 1}, {"delta", 1}},
        Json{{"epsilon", -1}, {"delta", 0}}, Json{{"epsilon", 1}, {"delta", -0.1}}}) {
    Json wrong = odd;
    wrong["model"] = "differential-privacy";
    EXPECT_THROW((void)check("a_low,a_high,count\n1,2,3\n", wrong), Error);
  }
}

TEST_F(ClaimDetails, ASyntheticTableHasDeclaredValuesAlone) {
  const Json claim = {{"model", "differential-privacy"},
                      {"epsilon", 1},
                      {"delta", 1e-9},
                      {"values", {{"sex", {"F", "M"}}, {"age", {"1", "2"}}}}};
  EXPECT_TRUE(check("sex,age\nF,1\nM,2\n", claim).holds);
  for (const char* csv : {"sex,age\nF,1\nM,3\n", "sex\nF\n", "sex,age,name\nF,1,x\n",
                          "sex,zip\nF,1\n", "sex,age\nf,1\n"})
    EXPECT_FALSE(check(csv, claim).holds) << csv;
  for (const Json& odd : {Json::array(), Json::object(), Json("x")}) {
    Json wrong = claim;
    wrong["values"] = odd;
    EXPECT_THROW((void)check("sex,age\nF,1\n", wrong), Error);
  }
}

// By the census of 2020, areas of at most 20,000 people, and beginnings that no area has.
constexpr std::string_view kSmallAreas =
    "036 059 102 202 203 204 205 369 556 692 753 772 821 823 878 879 884 893 "
    "001 002 003 004 005 008 055 090 091 092 093 094 095 096 097 098 099 192 213 "
    "269 311 332 340 343 345 348 353 375 399 419 428 429 459 509 517 518 519 529 533 "
    "536 552 555 568 569 578 579 589 621 632 642 643 649 659 663 682 694 695 696 697 "
    "698 699 702 709 715 732 733 742 771 817 818 819 839 842 848 849 854 858 861 862 "
    "866 867 868 869 872 876 885 886 887 888 889 892 896 899 901 909 929 938 942 962 "
    "963 964 965 966 969 987";

TEST_F(ClaimDetails, ThreeDigitsOfAZipCodeStandWhereMoreThan20000Live) {
  const Json claim = {{"model", "safe-harbor"}, {"as_of", 2026}, {"zips", {"zip"}}};
  std::string large = "zip,sex\n000,F\n";
  for (int area = 1; area < 1000; ++area) {
    const std::string digits = std::to_string(1000 + area).substr(1);
    if (kSmallAreas.find(digits) == std::string_view::npos) {
      large += digits + ",F\n";
    } else {
      EXPECT_FALSE(check("zip,sex\n100,F\n100,M\n" + digits + ",F\n", claim).holds) << digits;
    }
  }
  EXPECT_TRUE(check(large, claim).holds);
}

TEST_F(ClaimDetails, YearsUpToOneEndWithTheDecade) {
  const Json claim = {{"model", "safe-harbor"}, {"as_of", 2026}, {"dates", {"year"}}};
  const auto holds = [&](const std::string& cell) {
    return check("year,sex\n2000,F\n2001,M\n" + cell + ",F\n", claim).holds;
  };
  EXPECT_TRUE(holds("<=2035"));
  EXPECT_FALSE(holds("<=2036"));
  EXPECT_TRUE(holds("<=1936"));
  EXPECT_FALSE(holds("<=1935"));
  EXPECT_TRUE(holds("1937"));
  EXPECT_FALSE(holds("1936"));
  EXPECT_TRUE(holds("2026"));
  EXPECT_FALSE(holds("2027"));
}

TEST_F(ClaimDetails, AgesInWordsEndWhereNobodyIsSoOld) {
  const Json claim = {{"model", "safe-harbor"}, {"as_of", 2026}};
  const auto holds = [&](const std::string& text) {
    return check("note,sex\nx,F\ny,M\n" + text + ",F\n", claim).holds;
  };
  EXPECT_TRUE(holds("89 years"));
  EXPECT_FALSE(holds("90 years"));
  EXPECT_FALSE(holds("139 years"));
  EXPECT_TRUE(holds("140 years"));
}

TEST_F(ClaimDetails, NumbersWithPointsAreNoAddressesAndNoPlaces) {
  const Json claim = {{"model", "safe-harbor"}, {"as_of", 2026}};
  const auto holds = [&](const std::string& text) {
    return check("note,sex\nx,F\ny,M\n\"" + text + "\",F\n", claim).holds;
  };
  // Each of the four is a byte.
  EXPECT_FALSE(holds("at 10.1.2.30"));
  EXPECT_FALSE(holds("10.1.2.255"));
  for (const char* text : {"at 300.45.46.50", "at 10.300.2.30", "at 10.1.300.30", "at 10.1.2.300",
                           "10.1.2.256", "at 10.1.0300.30"})
    EXPECT_TRUE(holds(text)) << text;
  // What begins with a point is no number of degrees, at the front of the text, too.
  EXPECT_FALSE(holds("40.7128, -74.0060"));
  EXPECT_TRUE(holds(".40.7128, -74.0060"));
  EXPECT_TRUE(holds("v.40.7128, -74.0060"));
}

TEST_F(ClaimDetails, APersonalisedClaimSaysWhatWasFound) {
  const Json claim = {
      {"model", "personalised-privacy"},
      {"quasi_identifiers", {"q"}},
      {"sensitive", "s"},
      {"guard", "wish"},
      {"p", 0.5},
      {"paths", {{"flu", "lung", "*"}, {"asthma", "lung", "*"}, {"gout", "joint", "*"}}}};
  const auto result = check("q,s,wish\n1,flu,flu\n1,asthma,\n1,gout,\n1,gout,\n", claim);
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(
      result.explanation,
      "the largest share of a class under a guarding node that it holds is 0.25, 0.5 is allowed");
  EXPECT_EQ(
      check("q,s,wish\n1,flu,lung\n1,asthma,\n1,asthma,\n1,gout,\n", claim).explanation,
      "the largest share of a class under a guarding node that it holds is 0.75, 0.5 is allowed");
}

TEST_F(ClaimDetails, AListMayHaveADelimiterOfOneCharacter) {
  const std::string path = write("people.csv", "location;element\nA;Ann\nA;Bob\nA;Cid\n");
  Json claim = {{"model", "k-unlinkability"},
                {"k", 2},
                {"view", "external"},
                {"location", "location"},
                {"element", {"element"}},
                {"identified",
                 {{"path", path},
                  {"location", "location"},
                  {"element", {"element"}},
                  {"delimiter", ";"},
                  {"files", {{{"path", path}, {"sha256", engine->identify(path).sha256}}}}}}};
  const std::string release = "location,element\nA,a\n";
  EXPECT_TRUE(check(release, claim).holds);
  for (const char* odd : {"", ";;", "; "}) {
    claim["identified"]["delimiter"] = odd;
    EXPECT_THROW((void)check(release, claim), Error) << odd;
  }
}

TEST_F(ClaimDetails, AnotherEarlierReleaseIsSaid) {
  const std::string path = write("old.csv", "q,s\n1,a\n1,b\n");
  const Json claim = {{"model", "safe-versions"},
                      {"quasi_identifiers", {"q"}},
                      {"k", 2},
                      {"diversity", {{"s", 2}}},
                      {"earlier", {{{"path", path}, {"sha256", std::string(64, '0')}}}},
                      {"labels", Json::object()}};
  const auto result = check("q,s\n1,a\n1,b\n", claim);
  EXPECT_FALSE(result.holds);
  EXPECT_EQ(result.explanation, "an earlier release is not the one that the claim was made with");
}

// Letters with an accent and what Unicode takes them apart into.
struct Apart {
  std::uint32_t letter;
  char plain;
  std::uint32_t accent;
};
constexpr Apart kApart[] = {
    {0xE0, 'a', 0x300},  {0xE1, 'a', 0x301},  {0xE2, 'a', 0x302},  {0xE3, 'a', 0x303},
    {0xE4, 'a', 0x308},  {0xE5, 'a', 0x30A},  {0xE7, 'c', 0x327},  {0xE8, 'e', 0x300},
    {0xE9, 'e', 0x301},  {0xEA, 'e', 0x302},  {0xEB, 'e', 0x308},  {0xEC, 'i', 0x300},
    {0xED, 'i', 0x301},  {0xEE, 'i', 0x302},  {0xEF, 'i', 0x308},  {0xF1, 'n', 0x303},
    {0xF2, 'o', 0x300},  {0xF3, 'o', 0x301},  {0xF4, 'o', 0x302},  {0xF5, 'o', 0x303},
    {0xF6, 'o', 0x308},  {0xF9, 'u', 0x300},  {0xFA, 'u', 0x301},  {0xFB, 'u', 0x302},
    {0xFC, 'u', 0x308},  {0xFD, 'y', 0x301},  {0xFF, 'y', 0x308},  {0x101, 'a', 0x304},
    {0x103, 'a', 0x306}, {0x105, 'a', 0x328}, {0x107, 'c', 0x301}, {0x109, 'c', 0x302},
    {0x10B, 'c', 0x307}, {0x10D, 'c', 0x30C}, {0x10F, 'd', 0x30C}, {0x113, 'e', 0x304},
    {0x115, 'e', 0x306}, {0x117, 'e', 0x307}, {0x119, 'e', 0x328}, {0x11B, 'e', 0x30C},
    {0x11D, 'g', 0x302}, {0x11F, 'g', 0x306}, {0x121, 'g', 0x307}, {0x123, 'g', 0x327},
    {0x125, 'h', 0x302}, {0x129, 'i', 0x303}, {0x12B, 'i', 0x304}, {0x12D, 'i', 0x306},
    {0x12F, 'i', 0x328}, {0x135, 'j', 0x302}, {0x137, 'k', 0x327}, {0x13A, 'l', 0x301},
    {0x13C, 'l', 0x327}, {0x13E, 'l', 0x30C}, {0x144, 'n', 0x301}, {0x146, 'n', 0x327},
    {0x148, 'n', 0x30C}, {0x14D, 'o', 0x304}, {0x14F, 'o', 0x306}, {0x151, 'o', 0x30B},
    {0x155, 'r', 0x301}, {0x157, 'r', 0x327}, {0x159, 'r', 0x30C}, {0x15B, 's', 0x301},
    {0x15D, 's', 0x302}, {0x15F, 's', 0x327}, {0x161, 's', 0x30C}, {0x163, 't', 0x327},
    {0x165, 't', 0x30C}, {0x169, 'u', 0x303}, {0x16B, 'u', 0x304}, {0x16D, 'u', 0x306},
    {0x16F, 'u', 0x30A}, {0x171, 'u', 0x30B}, {0x173, 'u', 0x328}, {0x175, 'w', 0x302},
    {0x177, 'y', 0x302}, {0x17A, 'z', 0x301}, {0x17C, 'z', 0x307}, {0x17E, 'z', 0x30C}};

std::string written(std::uint32_t point) {
  return {static_cast<char>(0xC0U | (point >> 6U)), static_cast<char>(0x80U | (point & 0x3FU))};
}

TEST(VerifierSpelling, AnAccentMayStandForItself) {
  for (const auto& [letter, plain, accent] : kApart) {
    EXPECT_EQ(without_spelling(written(letter)), without_spelling(plain + written(accent)))
        << letter;
    EXPECT_NE(without_spelling(written(letter)), without_spelling(std::string(1, plain))) << letter;
  }
}

// I to XII as one character: U+2160 to U+216B, in small letters U+2170 to U+217B.
TEST(VerifierSpelling, ARomanNumeralOfOneCharacterIsItsLetters) {
  const std::vector<std::string> numerals = {"I",   "II",   "III", "IV", "V",  "VI",
                                             "VII", "VIII", "IX",  "X",  "XI", "XII"};
  for (std::size_t n = 0; n < numerals.size(); ++n) {
    for (const std::size_t first : {0xA0, 0xB0}) {
      const std::string one = "\xE2\x85" + std::string(1, static_cast<char>(first + n));
      EXPECT_EQ(without_spelling(one), without_spelling(numerals[n])) << n + 1;
      for (std::size_t other = 0; other < numerals.size(); ++other) {
        if (other == n) continue;
        EXPECT_NE(without_spelling(one), without_spelling(numerals[other])) << n + 1;
      }
    }
  }
}

TEST_F(ClaimDetails, FormsOfAPopulationNameColumns) {
  const std::string path = write("people.csv", "age\n1\n1\n");
  Json claim = {{"model", "k-map"},
                {"k", 2},
                {"quasi_identifiers", {"age"}},
                {"population", {{"path", path}, {"sha256", engine->identify(path).sha256}}}};
  EXPECT_TRUE(check("age\n1\n", claim).holds);
  for (const char* key : {"dates", "numbers"}) {
    for (const Json& odd :
         {Json::array(), Json("x"), Json{{"age", "sideways"}}, Json{{"age", 1}}}) {
      Json wrong = claim;
      wrong["population"][key] = odd;
      EXPECT_THROW((void)check("age\n1\n", wrong), Error) << key << odd.dump();
    }
    claim["population"][key] = Json::object();
    EXPECT_TRUE(check("age\n1\n", claim).holds);
  }
  claim["population"]["numbers"] = {{"age", "decimal-comma"}};
  const std::string commas = write("commas.csv", "age\n\"1,5\"\n\"1,50\"\n");
  claim["population"]["path"] = commas;
  claim["population"]["sha256"] = engine->identify(commas).sha256;
  EXPECT_EQ(check("age\n1.5\n", claim).achieved, 1);
  EXPECT_EQ(check("age\n1..2\n", claim).achieved, 2);
}

TEST_F(ClaimDetails, APopulationIsLookedForBesideTheManifest) {
  const std::string path = write("people.csv", "age\n1\n");
  const std::string manifest = folder.path() + "/r.csv.manifest.json";
  const auto found = [&](const std::string& recorded) {
    Json claims = {{{"population", {{"path", recorded}}}}};
    look_beside(claims, manifest);
    return claims[0]["population"]["path"].get<std::string>();
  };
  EXPECT_EQ(found(path), path);
  EXPECT_EQ(found("people.csv"), path);
  EXPECT_EQ(found("elsewhere/people.csv"), path);
  EXPECT_EQ(found("nobody.csv"), "nobody.csv");
  Json versions = {{{"earlier", {{{"path", "gone/people.csv"}}, {{"path", "nobody.csv"}}, 1}}}};
  look_beside(versions, manifest);
  EXPECT_EQ(versions[0]["earlier"][0]["path"], path);
  EXPECT_EQ(versions[0]["earlier"][1]["path"], "nobody.csv");
  Json others = {Json{{"population", 1}}, Json(1), Json{{"population", {{"path", 1}}}},
                 Json{{"k", 1}}, Json{{"earlier", "x"}}};
  const Json before = others;
  look_beside(others, manifest);
  EXPECT_EQ(others, before);
}

}  // namespace
}  // namespace pratique::verify::claim_details_test
