#include "pratique/columns/default_hierarchy.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "pratique/data/hierarchy.h"

namespace pratique::columns::default_hierarchy_test {
namespace {

Dictionary dictionary_of(const std::vector<std::string>& values) {
  Dictionary dictionary;
  for (const auto& value : values) dictionary.intern(value);
  return dictionary;
}

std::string spec_of(const std::string& name, const std::vector<std::string>& values) {
  const Dictionary dictionary = dictionary_of(values);
  std::string spec = default_hierarchy(name, dictionary);
  // Whatever it is, every value has a place in it.
  EXPECT_NO_THROW((void)make_hierarchy(spec, dictionary,
                                       std::vector<std::uint64_t>(dictionary.size(), 1), name));
  return spec;
}

TEST(DefaultHierarchy, FollowsTheValues) {
  EXPECT_EQ(spec_of("born", {"1970-03-05", "1980-01-01", ""}), "date");
  EXPECT_EQ(spec_of("born", {"1970-03", "1980"}), "date");
  EXPECT_EQ(spec_of("born", {"03/25/1970", "01/01/1980"}), "date");
  EXPECT_EQ(spec_of("born", {"19700325", "19800101"}), "date");
  EXPECT_EQ(spec_of("born", {"1970-03-05T10:00", "1980-01-01T09:00"}), "date");
  EXPECT_EQ(spec_of("zip", {"02138", "10025"}), "prefix");
  EXPECT_EQ(spec_of("zip", {"10025", "60614"}), "prefix");
  for (const char* name : {"PLZ", "Postleitzahl", "codigo_postal", "code postal", "cap", "CP"})
    EXPECT_EQ(spec_of(name, {"10025", "60614"}), "prefix") << name;
  EXPECT_NE(spec_of("cp", {"0", "1", "2"}), "prefix");
  EXPECT_EQ(spec_of("ZIP3", {"100", "606", ""}), "prefix");
  EXPECT_EQ(spec_of("Postcode", {"SW1A 1AA", "EC1A 1BB"}), "prefix");
  EXPECT_EQ(spec_of("home", {"02138", "10025"}), "prefix");
  // Without a leading nought they are numbers all the same, in any language.
  EXPECT_EQ(spec_of("PLZ", {"8001", "3011"}), "prefix");
  EXPECT_EQ(spec_of("code_postal", {"75001", "13002"}), "prefix");
  EXPECT_EQ(spec_of("diag_1", {"250.01", "428", "V45.1"}), "icd9");
  EXPECT_EQ(spec_of("x", {"250.01", "428", "V45.1"}), "icd9");
  EXPECT_EQ(spec_of("dx", {"E11.65", "I10"}), "icd10");
  EXPECT_EQ(spec_of("atc_code", {"A10BA02", "C09AA05"}), "atc");
  EXPECT_EQ(spec_of("ward", {"A10", "B20"}), "flat");  // of no such name, and without a point
  EXPECT_EQ(spec_of("diag_1", {"250.01", "?"}), "flat");
  EXPECT_EQ(spec_of("sex", {"F", "M"}), "flat");
  EXPECT_EQ(spec_of("flag", {"0", "1"}), "flat");
  EXPECT_EQ(spec_of("empty", {""}), "flat");
  EXPECT_EQ(spec_of("code", {"A1", "B2"}), "flat");
}

TEST(DefaultHierarchy, NumbersGetWideningRanges) {
  // The width is the first of 1, 2, 5, 10, ... that is at least a sixteenth of the range: 73 / 16
  // is 4.6, 98 / 16 is 6.1, 15 / 16 is below 1, 99999 / 16 is 6250, 0.5 / 16 is 0.031.
  EXPECT_EQ(spec_of("age", {"17", "90"}), "interval:5,10,20,40");
  EXPECT_EQ(spec_of("age", {"17", "90", ""}), "interval:5,10,20,40");
  EXPECT_EQ(spec_of("hours", {"1", "99"}), "interval:10,20,40,80");
  EXPECT_EQ(spec_of("education", {"1", "16"}), "interval:2,4,8");
  EXPECT_EQ(spec_of("gain", {"0", "99999"}), "interval:10000,20000,40000,80000");
  EXPECT_EQ(spec_of("share", {"0", "0.5"}), "interval:0.05,0.10,0.20,0.40");
  EXPECT_EQ(spec_of("children", {"0", "3"}), "interval:2");
  // Three values have a level between all and nothing; two have none.
  EXPECT_EQ(spec_of("children", {"0", "1", "2"}), "interval:2");
  EXPECT_EQ(spec_of("children", {"1", "2", "3", ""}), "interval:2");
  EXPECT_EQ(spec_of("children", {"0", "2"}), "flat");
  EXPECT_EQ(spec_of("children", {"0", "1", ""}), "flat");
  EXPECT_EQ(spec_of("same", {"5.0"}), "flat");
  EXPECT_EQ(spec_of("below", {"-40", "40"}), "interval:5,10,20,40");
  // What Safe Harbor leaves.
  EXPECT_EQ(spec_of("age", {"17", "80", "90+"}), "interval:5,10,20,40");
  EXPECT_EQ(spec_of("dob", {"1940", "2000", "<=1936"}), "interval:5,10,20,40");
  // A number that is too long for a quantity.
  EXPECT_EQ(spec_of("id", {"1234567890123456", "5"}), "flat");
}

TEST(DefaultHierarchy, RangesGoIntoWiderOnes) {
  EXPECT_EQ(spec_of("age", {"[0-10)", "[10-20)", "[20-30)", "[50-60)", "[90-100)"}),
            "interval:20,40,80");
  EXPECT_EQ(spec_of("age", {"0-9", "10-19", "20-29", "90+", "unknown", ""}), "interval:20");
  EXPECT_EQ(spec_of("age", {"0..4", "5..9", "10..14", "15..19", ">=85"}), "interval:10");
  EXPECT_EQ(spec_of("weight", {"?", "[0-25)", "[75-100)", ">200"}), "interval:50");
  // Infants apart: one is a part of the first five years.
  EXPECT_EQ(spec_of("age", {"0", "1-4", "5-9", "10-14", "15-19", "85+"}), "interval:5,10");
  // Nothing lies between two of them and all, or no even ranges hold them.
  EXPECT_EQ(spec_of("age", {"0-49", "50-99"}), "flat");
  EXPECT_EQ(spec_of("age", {"18-24", "25-34", "35-44"}), "flat");
  EXPECT_EQ(spec_of("age", {"10-20", "20-30", "30-40"}), "flat");
  EXPECT_EQ(spec_of("age", {"0-9", "10-19", "20-29", "old"}), "flat");
  EXPECT_EQ(spec_of("score", {"[0-0.5)", "[0.5-1)", "[1-1.5)"}), "flat");
}

RC_GTEST_PROP(DefaultHierarchyProperty, FitsEveryNumber, (const std::vector<int>& numbers)) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  (void)spec_of("x", texts.empty() ? std::vector<std::string>{"1"} : texts);
}

}  // namespace
}  // namespace pratique::columns::default_hierarchy_test
