#include "pratique/data/generalised.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "pratique/core/error.h"
#include "pratique/data/date.h"
#include "pratique/data/hierarchy_csv.h"

namespace pratique::generalised_test {
namespace {

using Kind = GeneralisedValue::Kind;

bool in(std::string_view value, std::string_view cell) {
  return GeneralisedValue::parse(cell).contains(value);
}
bool in_foreign(std::string_view value, std::string_view cell) {
  return GeneralisedValue::parse_foreign(cell).contains(value);
}

// Every string over the alphabet up to a length.
template <typename Check>
void for_all_strings(std::string_view alphabet, std::size_t longest, const Check& check) {
  std::string text;
  const std::function<void()> extend = [&] {
    check(text);
    if (text.size() == longest) return;
    for (const char c : alphabet) {
      text.push_back(c);
      extend();
      text.pop_back();
    }
  };
  extend();
}

TEST(GeneralisedValue, TellsTheKinds) {
  const auto kind = [](std::string_view cell) { return GeneralisedValue::parse(cell).kind(); };
  EXPECT_EQ(kind("*"), Kind::any);
  EXPECT_EQ(kind("20..29"), Kind::range);
  EXPECT_EQ(kind("-5..-1"), Kind::range);
  EXPECT_EQ(kind("0...5"), Kind::range);  // 0 to .5
  EXPECT_EQ(kind("1970-01-01..1979-12-31"), Kind::range);
  EXPECT_EQ(kind("1970..1971-06"), Kind::range);
  EXPECT_EQ(kind("{F|M}"), Kind::set);
  EXPECT_EQ(kind("{}"), Kind::set);
  for (const char* text :
       {"", "F", "**", "29..20", "a..b", "20..", "..20", "1..2..3", "{F|M", "F|M}", "{", "\\*",
        "\\20..29", "\\{F}", "1979-12-31..1970-01-01", "20..1970-01-01", "20-29", "[20, 30)"}) {
    EXPECT_EQ(kind(text), Kind::text) << text;
  }
}

TEST(GeneralisedValue, WritesOrdinaryValuesAsTheyStand) {
  for (const char* text : {"", "F", "C:\\data", "\\", "a*", "296.00", "x..y", "{", "}", "a|b"}) {
    EXPECT_EQ(GeneralisedValue::text(text).print(), text);
  }
  EXPECT_EQ(GeneralisedValue::text("*").print(), "\\*");
  EXPECT_EQ(GeneralisedValue::text("\\*").print(), "\\\\*");
  EXPECT_EQ(GeneralisedValue::text("20..29").print(), "\\20..29");
  EXPECT_EQ(GeneralisedValue::set({"M", "F", "M"}).print(), "{F|M}");
  EXPECT_EQ(GeneralisedValue::set({"a|b", "c\\"}).print(), "{a\\|b|c\\\\}");
  EXPECT_EQ(GeneralisedValue::range("020", "29.50").print(), "020..29.50");
  EXPECT_EQ(GeneralisedValue::any().print(), "*");
}

TEST(GeneralisedValue, RefusesWhatIsNoRangeOrSet) {
  for (const auto& [low, high] :
       std::vector<std::pair<const char*, const char*>>{{"2", "1"},
                                                        {"a", "b"},
                                                        {"", "1"},
                                                        {"1", ""},
                                                        {"1970-01-01", "5"},
                                                        {"2020", "2019-12"}}) {
    EXPECT_THROW((void)GeneralisedValue::range(low, high), Error) << low << " " << high;
  }
  EXPECT_THROW((void)GeneralisedValue::set({}), Error);
}

TEST(GeneralisedValue, RoundTripOverAllShortStrings) {
  std::size_t checked = 0;
  for_all_strings("*{}|\\.12-,", 6, [&](const std::string& cell) {
    ++checked;
    const auto value = GeneralisedValue::parse(cell);
    const std::string printed = value.print();
    ASSERT_EQ(GeneralisedValue::parse(printed), value) << cell;
    ASSERT_TRUE(value.contains(cell)) << cell;
    ASSERT_TRUE(value.contains(printed)) << cell;
    ASSERT_TRUE(value.kind() == Kind::set || printed == cell) << cell;
    const auto text = GeneralisedValue::text(cell);
    ASSERT_EQ(GeneralisedValue::parse(text.print()), text) << cell;
    ASSERT_TRUE(text.contains(cell));
    const auto foreign = GeneralisedValue::parse_foreign(cell);
    ASSERT_EQ(GeneralisedValue::parse_foreign(foreign.print()), foreign) << cell;
    ASSERT_TRUE(foreign.contains(cell)) << cell;
    ASSERT_FALSE(std::isnan(foreign.width())) << cell;
    if (cell.empty()) {
      ASSERT_TRUE(foreign.contains(""));
    } else if (foreign.kind() != Kind::any && foreign.kind() != Kind::set) {
      ASSERT_FALSE(foreign.contains("")) << cell;
    }
  });
  EXPECT_EQ(checked, 1111111U);
}

TEST(GeneralisedValue, SetsRoundTripOverAllShortMembers) {
  std::vector<std::string> members;
  for_all_strings("|\\}a", 3, [&](const std::string& member) { members.push_back(member); });
  for (const auto& a : members) {
    for (const auto& b : members) {
      const auto value = GeneralisedValue::set({a, b});
      ASSERT_EQ(GeneralisedValue::parse(value.print()), value) << a << " and " << b;
      ASSERT_EQ(value.parts().size(), a == b ? 1U : 2U);
      ASSERT_TRUE(value.contains(a) && value.contains(b));
    }
  }
}

RC_GTEST_PROP(GeneralisedValue, RoundTripOverAnyString, (const std::string& cell)) {
  const auto value = GeneralisedValue::parse(cell);
  RC_ASSERT(GeneralisedValue::parse(value.print()) == value);
  RC_ASSERT(value.contains(cell));
  const auto text = GeneralisedValue::text(cell);
  RC_ASSERT(GeneralisedValue::parse(text.print()) == text);
  RC_ASSERT(GeneralisedValue::parse_foreign(cell).contains(cell));
}

RC_GTEST_PROP(GeneralisedValue, RangesContainAsIntegersDo, (int a, int b, int c)) {
  const auto range =
      GeneralisedValue::range(std::to_string(std::min(a, b)), std::to_string(std::max(a, b)));
  RC_ASSERT(range.contains(std::to_string(c)) == (std::min(a, b) <= c && c <= std::max(a, b)));
  RC_ASSERT(range.width() ==
            static_cast<double>(std::max(a, b)) - static_cast<double>(std::min(a, b)));
  RC_ASSERT(GeneralisedValue::parse(range.print()) == range);
}

RC_GTEST_PROP(GeneralisedValue, RangesOfDatesContainAsDaysDo, ()) {
  const auto day = rc::gen::inRange(-20000, 40000);
  const auto a = *day;
  const auto b = *day;
  const auto c = *day;
  const auto text = [](int days) { return to_string(civil_from_days(days)); };
  const auto range = GeneralisedValue::range(text(std::min(a, b)), text(std::max(a, b)));
  RC_ASSERT(range.contains(text(c)) == (std::min(a, b) <= c && c <= std::max(a, b)));
  RC_ASSERT(range.width() == std::abs(a - b));
}

TEST(GeneralisedValue, TextsCompareAsTexts) {
  EXPECT_TRUE(in("02138", "02138"));
  EXPECT_FALSE(in("2138", "02138"));
  EXPECT_FALSE(in("296.0", "296.00"));
  EXPECT_TRUE(in("*", "\\*"));
  EXPECT_FALSE(in("x", "\\*"));
  EXPECT_TRUE(in("", ""));
  EXPECT_FALSE(in("", "F"));
  EXPECT_TRUE(in("C:\\data", "C:\\data"));
}

TEST(GeneralisedValue, RangesCompareAsNumbers) {
  EXPECT_TRUE(in("20", "20..29"));
  EXPECT_TRUE(in("29.0", "20..29"));
  EXPECT_TRUE(in("020", "20..29"));
  EXPECT_FALSE(in("29.0000000000000000000000000001", "20..29"));
  EXPECT_FALSE(in("3", "20..29"));
  EXPECT_FALSE(in("abc", "20..29"));
  EXPECT_FALSE(in("", "20..29"));
  EXPECT_TRUE(in("9007199254740993", "9007199254740993..9007199254740993"));
  EXPECT_FALSE(in("9007199254740992", "9007199254740993..9007199254740993"));
  EXPECT_TRUE(in("20..29", "20..29"));
}

TEST(GeneralisedValue, RangesHoldTheRangesInThem) {
  EXPECT_TRUE(in("[70-80)", "60..79"));
  EXPECT_TRUE(in("70-79", "60..79"));
  EXPECT_TRUE(in("(59-79]", "60..79"));
  EXPECT_TRUE(in("70..79", "60..79"));
  EXPECT_FALSE(in("[70-80]", "60..79"));
  EXPECT_FALSE(in("[59-70)", "60..79"));
  EXPECT_FALSE(in("[50-75)", "60..79"));
  EXPECT_FALSE(in("90+", "60..79"));
  EXPECT_FALSE(in("[0.5-1.5)", "1..1"));
}

TEST(GeneralisedValue, DatesAreDates) {
  EXPECT_TRUE(in("1970-03-05", "1970"));
  EXPECT_TRUE(in("1970-03", "1970"));
  EXPECT_TRUE(in("1970-03-05", "1970-03"));
  EXPECT_FALSE(in("1970-04-05", "1970-03"));
  EXPECT_FALSE(in("1970", "1970-03"));
  EXPECT_TRUE(in("1970-03-05 12:30", "1970-03-05"));
  EXPECT_FALSE(in("1970-03-05 12:31", "1970-03-05 12:30"));
  EXPECT_TRUE(in("1979-12-31", "1970..1979"));
  EXPECT_FALSE(in("1980-01-01", "1970..1979"));
  EXPECT_TRUE(in("1975", "1970..1979"));
  EXPECT_TRUE(in("1970-03-31", "1970-01..1970-03"));
  EXPECT_FALSE(in("1970-04-01", "1970-01..1970-03"));
  EXPECT_TRUE(in("1970-02", "1970-01-15..1970-03"));
  EXPECT_FALSE(in("1970-01", "1970-01-15..1970-03"));
  EXPECT_FALSE(in("1970-02-30", "1970"));
  EXPECT_FALSE(in("5", "1970-01..1970-03"));
}

TEST(GeneralisedValue, SetsAndAny) {
  EXPECT_TRUE(in("F", "{F|M}"));
  EXPECT_FALSE(in("X", "{F|M}"));
  EXPECT_FALSE(in("", "{F|M}"));
  EXPECT_TRUE(in("", "{|M}"));
  EXPECT_TRUE(in("a|b", "{a\\|b|c}"));
  EXPECT_TRUE(in("{M|F}", "{M|F}"));
  EXPECT_TRUE(in("1970-03-05", "{1970|1972}"));
  EXPECT_FALSE(in("1971-03-05", "{1970|1972}"));
  EXPECT_TRUE(in("", "*"));
  EXPECT_TRUE(in("anything", "*"));
}

TEST(GeneralisedValue, LabelsContainTheirLeaves) {
  const Hierarchy tree = parse_hierarchy_csv(
      "Bachelors;Undergraduate;*\nMasters;Graduate;*\n;Unknown;*\n20;20..30;*\n30;30..40;*\n", "t");
  const auto has = [&](std::string_view cell, std::string_view value) {
    return GeneralisedValue::parse(cell).contains(value, &tree);
  };
  EXPECT_TRUE(has("Undergraduate", "Bachelors"));
  EXPECT_FALSE(has("Graduate", "Bachelors"));
  EXPECT_FALSE(in("Bachelors", "Undergraduate"));
  EXPECT_TRUE(has("{Graduate|Undergraduate}", "Bachelors"));
  EXPECT_TRUE(has("Unknown", ""));
  EXPECT_FALSE(has("Graduate", ""));
  EXPECT_TRUE(has("*", "not in the tree"));
  // Here 20..30 is the tree's label, and 30 is not under it; 25 is not of the tree.
  EXPECT_FALSE(has("20..30", "30"));
  EXPECT_TRUE(has("20..30", "25"));
}

TEST(GeneralisedValue, ReadsIntervalsOfOtherTools) {
  for (const char* half_open : {"[20, 30[", "[20, 30)", "[20,30)", "[20:30)", "[20;30["}) {
    EXPECT_EQ(GeneralisedValue::parse_foreign(half_open).kind(), Kind::range) << half_open;
    EXPECT_TRUE(in_foreign("20", half_open)) << half_open;
    EXPECT_TRUE(in_foreign("29.999", half_open)) << half_open;
    EXPECT_FALSE(in_foreign("30", half_open)) << half_open;
    EXPECT_FALSE(in_foreign("19", half_open)) << half_open;
    EXPECT_EQ(GeneralisedValue::parse_foreign(half_open).print(), half_open);
  }
  for (const char* left_open : {"]20, 30]", "(20, 30]"}) {
    EXPECT_FALSE(in_foreign("20", left_open)) << left_open;
    EXPECT_TRUE(in_foreign("30", left_open)) << left_open;
  }
  EXPECT_TRUE(in_foreign("30", "[20, 30]"));
  EXPECT_FALSE(in_foreign("30", "(20, 30)"));
  EXPECT_TRUE(in_foreign("1979-12-31", "[1970-01-01, 1980-01-01["));
  EXPECT_FALSE(in_foreign("1980-01-01", "[1970-01-01, 1980-01-01["));
  EXPECT_TRUE(in_foreign("1979-12-31", "[1970, 1980["));
  EXPECT_FALSE(in_foreign("1980-01-01", "[1970, 1980["));
  EXPECT_FALSE(in_foreign("1970-12-31", "]1970, 1980]"));
  EXPECT_EQ(GeneralisedValue::parse_foreign("[20, 30)").width(), 10);
  for (const char* text : {"[a, b]", "[30, 20]", "[20, 20)", "[20]", "[,]", "[20,]", "(20"}) {
    EXPECT_EQ(GeneralisedValue::parse_foreign(text).kind(), Kind::text) << text;
  }
}

TEST(GeneralisedValue, ReadsHyphensInBracketsDashesAndWords) {
  EXPECT_TRUE(in_foreign("5", "[5-10]"));
  EXPECT_TRUE(in_foreign("10", "[5-10]"));
  EXPECT_FALSE(in_foreign("11", "[5-10]"));
  EXPECT_TRUE(in_foreign("89", "[80-90)"));
  EXPECT_FALSE(in_foreign("90", "[80-90)"));
  EXPECT_TRUE(in_foreign("1", "[0.5-1.5]"));
  EXPECT_TRUE(in_foreign("-3", "[-5-5]"));
  EXPECT_TRUE(in_foreign("25", "20\u201329"));
  EXPECT_TRUE(in_foreign("25", "20 \u2014 29"));
  EXPECT_TRUE(in_foreign("25", "20 to 29"));
  EXPECT_FALSE(in_foreign("30", "20 to 29"));
  EXPECT_TRUE(in_foreign("90", "\u226590"));
  EXPECT_TRUE(in_foreign("17", "\u2264 17"));
  EXPECT_FALSE(in_foreign("18", "\u226417"));
  for (const char* text :
       {"[a-b]", "[10-5]", "[5-]", "back to 29", "CEO, Deutsche Bank", "1 to", "-20"}) {
    EXPECT_EQ(GeneralisedValue::parse_foreign(text).kind(), Kind::text) << text;
  }
}

TEST(GeneralisedValue, ReadsDashesAndComparisonsOfOtherTools) {
  EXPECT_TRUE(in_foreign("20", "20-29"));
  EXPECT_TRUE(in_foreign("29.5", "20-29"));
  EXPECT_FALSE(in_foreign("30", "20-29"));
  EXPECT_FALSE(in_foreign("19.9", "20-29"));
  EXPECT_FALSE(in_foreign("-0.5", "0-4"));
  EXPECT_TRUE(in_foreign(".5", "0-4"));
  EXPECT_TRUE(in_foreign("25", "20 - 29"));
  EXPECT_TRUE(in_foreign("1975-05-05", "1970-1979"));
  // A month, a ZIP+4, codes, a number of an office: no ranges.
  for (const char* text : {"1970-12", "02138-4307", "001-009", "123-45-6789", "29-20", "-20"}) {
    EXPECT_EQ(GeneralisedValue::parse_foreign(text).kind(), Kind::text) << text;
  }
  EXPECT_TRUE(in_foreign("90", ">=90"));
  EXPECT_TRUE(in_foreign("90", ">= 90"));
  EXPECT_TRUE(in_foreign("104", "90+"));
  EXPECT_FALSE(in_foreign("89", "90+"));
  EXPECT_FALSE(in_foreign("90", ">90"));
  EXPECT_TRUE(in_foreign("17.9", "<18"));
  EXPECT_FALSE(in_foreign("18", "<18"));
  EXPECT_TRUE(in_foreign("17", "<=17"));
  EXPECT_TRUE(in_foreign("2001-05-05", ">=2001"));
  EXPECT_TRUE(std::isinf(GeneralisedValue::parse_foreign("90+").width()));
  for (const char* text : {"<=50K", ">50K", ">=", "<", "+", "A+"}) {
    EXPECT_EQ(GeneralisedValue::parse_foreign(text).kind(), Kind::text) << text;
  }
}

TEST(GeneralisedValue, ReadsMasksAndSetsOfOtherTools) {
  EXPECT_TRUE(in_foreign("13053", "130**"));
  EXPECT_FALSE(in_foreign("13153", "130**"));
  EXPECT_FALSE(in_foreign("130531", "130**"));
  EXPECT_TRUE(in_foreign("130", "130**"));
  EXPECT_FALSE(in_foreign("13", "130**"));
  EXPECT_TRUE(in_foreign("13053", "13*53"));
  EXPECT_FALSE(in_foreign("1353", "13*53"));
  EXPECT_TRUE(in_foreign("M\xc3\xbc", "M*"));
  EXPECT_FALSE(in_foreign("M\xc3\xbc", "M\xc3*"));
  EXPECT_TRUE(in_foreign("12345", "*****"));
  EXPECT_FALSE(in_foreign("123456", "*****"));
  EXPECT_FALSE(in_foreign("", "*****"));
  EXPECT_EQ(GeneralisedValue::parse_foreign("130**").width(), 99);
  EXPECT_TRUE(in_foreign("M", "{F, M}"));
  EXPECT_FALSE(in_foreign("X", "{F, M}"));
  EXPECT_TRUE(in_foreign("{F, M}", "{F, M}"));
  EXPECT_TRUE(in_foreign("F", "{F|M}"));
}

TEST(GeneralisedValue, Widths) {
  const auto width = [](std::string_view cell) { return GeneralisedValue::parse(cell).width(); };
  EXPECT_EQ(width("20..29"), 9);
  EXPECT_EQ(width("0.5..1"), 0.5);
  EXPECT_EQ(width("2000-02-01..2000-03-01"), 29);
  EXPECT_EQ(width("1970..1979"), 9);
  EXPECT_EQ(width("{a|b|c}"), 2);
  EXPECT_EQ(width("a"), 0);
  EXPECT_TRUE(std::isinf(width("*")));
  const std::string huge(400, '9');
  EXPECT_EQ(width(huge + ".." + huge), 0);
  EXPECT_TRUE(std::isinf(width(huge + "0.." + huge + "1")));
}

}  // namespace
}  // namespace pratique::generalised_test
