#include "pratique/dp/synthesis/attribute.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::dp::attribute_test {
namespace {

std::string shown(const Attribute& attribute, std::string_view text) {
  return attribute.labels()[attribute.cell_of(text)];
}

TEST(Attribute, WholeNumbersHaveACellEach) {
  const auto age = Attribute::parse("age=17..90");
  EXPECT_EQ(age.column(), "age");
  EXPECT_TRUE(age.ordered());
  EXPECT_EQ(age.cells(), 75);  // 74 and the stray one
  EXPECT_EQ(age.cell_of("17"), 0);
  EXPECT_EQ(age.cell_of("90"), 73);
  EXPECT_EQ(shown(age, "042"), "42");
  EXPECT_EQ(shown(age, "42.9"), "42");
}

TEST(Attribute, NumbersInBins) {
  const auto age = Attribute::parse("age=0..95:10");
  EXPECT_EQ(age.cells(), 11);
  EXPECT_EQ(shown(age, "29"), "20..29");
  EXPECT_EQ(shown(age, "30"), "30..39");
  EXPECT_EQ(shown(age, "95"), "90..95");
  const auto dose = Attribute::parse("dose=0..1:0.25");
  EXPECT_EQ(dose.cells(), 5);
  EXPECT_EQ(shown(dose, "0.3"), "0.25..0.5");
  EXPECT_EQ(shown(dose, "1"), "0.75..1");
  const auto cut = Attribute::parse("age=0..17|18..64|65..");
  EXPECT_EQ(cut.cells(), 4);
  EXPECT_EQ(shown(cut, "17.5"), "0..17");
  EXPECT_EQ(shown(cut, "64"), "18..64");
  EXPECT_EQ(shown(cut, "120"), "65..");
}

TEST(Attribute, Dates) {
  const auto born = Attribute::parse("born=1999-02-10..2001-01-05:year");
  EXPECT_EQ(born.labels(), (std::vector<std::string>{"1999", "2000", "2001", ""}));
  EXPECT_EQ(shown(born, "2000-12-31"), "2000");
  EXPECT_EQ(shown(born, "1890-01-01"), "1999");
  EXPECT_EQ(shown(born, "2020-01-01"), "2001");
  EXPECT_EQ(shown(born, "soon"), "");
  EXPECT_EQ(Attribute::parse("d=2000-01-31..2000-03-01").labels(),
            (std::vector<std::string>{"2000-01", "2000-02", "2000-03", ""}));
  EXPECT_EQ(Attribute::parse("d=2000-02-28..2000-03-01:day").cells(), 4);
}

TEST(Attribute, FoundCutsBecomeWholeNumbersWhereThereIsRoom) {
  const auto age = Attribute::of_number_cuts("age", {16.5, 24.97, 33}, 91.2);
  EXPECT_EQ(age.labels(), (std::vector<std::string>{"16..24", "25..32", "33..92", ""}));
  EXPECT_EQ(shown(age, "24"), "16..24");
  EXPECT_EQ(shown(age, "25"), "25..32");
  EXPECT_EQ(shown(age, "7"), "16..24");
  EXPECT_EQ(shown(age, "1000"), "33..92");
  const auto dose = Attribute::of_number_cuts("dose", {0, 0.25, 0.5}, 2);
  EXPECT_EQ(dose.labels(), (std::vector<std::string>{"0..0.25", "0.25..0.5", "0.5..2", ""}));
  EXPECT_EQ(Attribute::of_number_cuts("x", {0, 0.2, 0.4}, 8).labels(),
            (std::vector<std::string>{"0", "1..8", ""}));  // two cuts in one whole number
}

TEST(Attribute, FoundCutsOfDates) {
  // 2000-01-01 is day 10957.
  const auto born = Attribute::of_date_cuts("born", {10957, 10987.2}, 11322);
  EXPECT_EQ(born.labels(),
            (std::vector<std::string>{"2000-01-01..2000-01-31", "2000-02-01..2000-12-31", ""}));
  EXPECT_EQ(shown(born, "2000-01-31"), "2000-01-01..2000-01-31");
  EXPECT_EQ(shown(born, "2000-02-01"), "2000-02-01..2000-12-31");
  EXPECT_EQ(shown(born, "soon"), "");
  EXPECT_EQ(Attribute::from_json(born.to_json()).cell_of("2000-02-01"), 1);
}

TEST(Attribute, ACutPutsValuesUnderItsNodes) {
  const auto tree = parse_hierarchy_csv("a;x;*\nb;x;*\nc;y;*\nd;y;*\n", "tree");
  const auto cut = Attribute::of_cut("v", tree, {0, 1, *tree.find("y")});
  EXPECT_EQ(cut.labels(), (std::vector<std::string>{"a", "b", "y", "other"}));
  for (const auto& read : {cut, Attribute::from_json(cut.to_json())}) {
    EXPECT_EQ(shown(read, "a"), "a");
    EXPECT_EQ(shown(read, "c"), "y");
    EXPECT_EQ(shown(read, "d"), "y");
    EXPECT_EQ(shown(read, "y"), "y");
    EXPECT_EQ(shown(read, "e"), "other");
  }
}

TEST(Attribute, ValuesAndOther) {
  const auto sex = Attribute::parse("sex=F|M");
  EXPECT_FALSE(sex.ordered());
  EXPECT_EQ(sex.labels(), (std::vector<std::string>{"F", "M", "other"}));
  EXPECT_EQ(shown(sex, "M"), "M");
  EXPECT_EQ(shown(sex, ""), "other");
  // Declared, it is the stray cell and stands once.
  EXPECT_EQ(Attribute::parse("x=other|a").labels(), (std::vector<std::string>{"a", "other"}));
}

// Nothing in a row may stop a run.
TEST(Attribute, EveryTextHasACell) {
  for (const char* spec :
       {"x=0..9", "x=0..9:3", "x=0..4|5..9", "x=2000-01-01..2001-01-01", "x=a|b"}) {
    const auto attribute = Attribute::parse(spec);
    for (const char* text : {"", " ", "a", "-5", "99999999999999999999999", "0.5", "1e5", "NaN",
                             "2000-13-45", "1500-01-01", "\xff", "other"}) {
      EXPECT_LT(attribute.cell_of(text), attribute.cells()) << spec << " " << text;
    }
    EXPECT_EQ(attribute.cell_of("?"), attribute.stray());
  }
}

TEST(Attribute, ComesBackFromAManifest) {
  for (const char* spec : {"x=0..9", "x=0..9:3", "x=2000-01-01..2001-01-01", "x=a|b"}) {
    const auto attribute = Attribute::parse(spec);
    const auto again = Attribute::from_json(attribute.to_json());
    EXPECT_EQ(again.labels(), attribute.labels());
    EXPECT_EQ(again.ordered(), attribute.ordered());
    for (const char* text : {"", "a", "4", "2000-06-06"}) {
      EXPECT_EQ(again.cell_of(text), attribute.cell_of(text));
    }
  }
}

TEST(Attribute, WhatIsNoneIsRefused) {
  for (const char* spec :
       {"x", "=a|b", "x=9..0", "x=0..9:0", "x=0..1000000", "x=0.5..2", "x=0..a", "x=5..9|0..4",
        "x=2000-01-01..1999-01-01", "x=2000-01-01..2001-01-01:week", "x=a|a", "x=/no/such/file"}) {
    EXPECT_THROW((void)Attribute::parse(spec), Error) << spec;
  }
  EXPECT_THROW((void)parse_attributes({"x=a|b", "x=0..9"}), Error);
}

TEST(Attributes, ReadDatesAsTheyWereSaidToBeWritten) {
  const auto cell = [](const std::string& spec, const std::string& text) {
    const Attribute attribute = Attribute::from_json(Attribute::parse("born=" + spec).to_json());
    return attribute.labels()[attribute.cell_of(text)];
  };
  const std::string months = "1970-01-01..1970-12-31:month";
  for (const char* text : {"1970-03-05", "1970/03/05", "19700305", "5.3.1970"}) {
    EXPECT_EQ(cell(months, text), "1970-03") << text;
  }
  EXPECT_EQ(cell(months, "05/03/1970"), "");  // nobody said which is the month
  EXPECT_EQ(cell(months + ":dmy", "05/03/1970"), "1970-03");
  EXPECT_EQ(cell(months + ":mdy", "05/03/1970"), "1970-05");
  EXPECT_EQ(cell(months + ":mdy", "31/03/1970"), "");
  EXPECT_EQ(cell("1970-01-01..1970-12-31:dmy", "05/03/1970"), "1970-03");
  EXPECT_THROW((void)Attribute::parse("born=1970-01-01..1970-12-31:ymd"), Error);
}

}  // namespace
}  // namespace pratique::dp::attribute_test
