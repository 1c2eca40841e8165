#include "pratique/tables/model/spelling.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cwctype>

namespace pratique::tables::spelling_test {
namespace {

Column column_of(const std::vector<std::string>& values) {
  Column column;
  column.name = "ill";
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return column;
}

TEST(Spelling, CapitalsBlanksAndPointsOfCodesAreNoMatter) {
  EXPECT_EQ(without_spelling(" Type  2\tdiabetes "), "type 2 diabetes");
  EXPECT_EQ(without_spelling("E11.9"), without_spelling("e119"));
  for (const char* code : {"E11-9", "e11 9", "E11_9", "E11/9", "E11\u20139", "E\u0661\u0661.9"})
    EXPECT_EQ(without_spelling(code), "e119") << code;
  EXPECT_EQ(without_spelling("S72-001A"), without_spelling("S72.001A"));
  EXPECT_EQ(without_spelling("b12-deficiency"), "b12 deficiency");  // words
  EXPECT_EQ(without_spelling("t2 x"), "t2 x");
  EXPECT_EQ(without_spelling("b.c"), "bc");
  EXPECT_EQ(without_spelling("1.5"), "1.5");        // a number
  EXPECT_EQ(without_spelling("e1.5 x"), "e1.5 x");  // words
  EXPECT_EQ(without_spelling(" "), "");
}

TEST(Spelling, LettersOfAllAlphabetsWithCapitals) {
  EXPECT_EQ(without_spelling("É"), "é");
  EXPECT_NE(without_spelling("É"), without_spelling("e"));
  EXPECT_EQ(without_spelling("GRÖẞE"), without_spelling("größe"));
  EXPECT_EQ(without_spelling("ΓΡΊΠΗΣ"), without_spelling("γρίπης"));
  EXPECT_EQ(without_spelling("ГРИПП"), without_spelling("грипп"));
  EXPECT_EQ(without_spelling("\xEF\xBC\xA5\xEF\xBC\x91\xEF\xBC\x91"), "e11");  // of full width
  EXPECT_EQ(without_spelling("e\xCC\x81"), without_spelling("É"));  // the accent by itself
  EXPECT_EQ(without_spelling("\xFF\xC3"), "\xFF\xC3");              // no UTF-8
}

TEST(Spelling, CapitalsAreThoseOfTheLocale) {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  ASSERT_NE(locale, nullptr);
  const auto written = [](std::uint32_t point) {
    std::string text;
    if (point >= 0x800) text += static_cast<char>(0xE0U | (point >> 12U));
    text +=
        static_cast<char>(point >= 0x800 ? 0x80U | ((point >> 6U) & 0x3FU) : 0xC0U | (point >> 6U));
    text += static_cast<char>(0x80U | (point & 0x3FU));
    return text;
  };
  const auto written_in_two = [](std::uint32_t small) {  // ss, ae, ij, oe
    return small == 0xDF || small == 0xE6 || small == 0x133 || small == 0x153;
  };
  std::size_t capitals = 0;
  const std::pair<std::uint32_t, std::uint32_t> ranges[] = {
      {0xC0, 0x17E}, {0x386, 0x3AB}, {0x400, 0x52F}, {0x1E00, 0x1E95}, {0x1EA0, 0x1EFF}};
  for (const auto& [first, last] : ranges) {
    for (std::uint32_t point = first; point <= last; ++point) {
      const auto small = static_cast<std::uint32_t>(towlower_l(point, locale));
      if (small != point) ++capitals;
      if (written_in_two(small)) continue;
      EXPECT_EQ(without_spelling(written(point)), small < 0x80 ? "i" : written(small)) << point;
    }
  }
  freelocale(locale);
  EXPECT_GT(capitals, 300U);
}

TEST(Spelling, ADateIsItsDay) {
  for (const char* date :
       {"2020-03-05", "05.03.2020", "5.3.2020", "20200305", "2020/03/05", "2020-3-5",
        "2020-03-05 00:00:00", "2020-03-05T10:15:00Z", "5.3.2020 10:15"})
    EXPECT_EQ(without_spelling(date), "2020-03-05") << date;
  for (const char* date : {"13/05/2020", "05/13/2020", "13-5-2020"})
    EXPECT_EQ(without_spelling(date), "2020-05-13") << date;
  EXPECT_EQ(without_spelling("05/05/2020"), "2020-05-05");
  // Two days, none, and no day.
  for (const char* text : {"03/05/2020", "2020-02-30", "2020-03", "2020", "20200230"})
    EXPECT_EQ(without_spelling(text), text);
}

TEST(Spelling, SignsAroundAndWithinWordsAreNoMatter) {
  for (const char* text : {"HIV", "hiv.", "H.I.V.", "(HIV)", "\"hiv\"", "( hiv )"})
    EXPECT_EQ(without_spelling(text), "hiv") << text;
  EXPECT_EQ(without_spelling("HIV-"), "hiv-");
  EXPECT_EQ(without_spelling("(HIV|flu)"), "(hiv|flu)");  // a set
  EXPECT_EQ(without_spelling("HIV+"), "hiv+");
  EXPECT_EQ(without_spelling("Type-2 diabetes"), "type 2 diabetes");
  EXPECT_EQ(without_spelling("(E11.9)"), "e119");
  EXPECT_EQ(without_spelling("E. coli"), "e coli");
  EXPECT_EQ(without_spelling("grade 1.5 a/b"), "grade 1.5 a b");
  for (const char* share : {"50%", "50 %", "50.0 %"})
    EXPECT_EQ(without_spelling(share), "50%") << share;
  EXPECT_EQ(without_spelling("5-6"), "5-6");
  EXPECT_EQ(without_spelling("(NA)"), "");
  EXPECT_EQ(without_spelling("..."), "...");
}

TEST(Spelling, LettersAndDigitsThatAreWrittenOtherwise) {
  EXPECT_EQ(without_spelling("\uFB01brosis"), "fibrosis");
  EXPECT_EQ(without_spelling("e\uFB03cacy"), "efficacy");
  EXPECT_EQ(without_spelling("\u0152dema"), "oedema");
  EXPECT_EQ(without_spelling("stage \u2163"), "stage iv");
  EXPECT_EQ(without_spelling("type \u00B2"), "type 2");
  EXPECT_EQ(without_spelling("\u0664\u0662"), "42");
  EXPECT_EQ(without_spelling("Crohn\u2019s"), "crohn's");
  EXPECT_EQ(without_spelling("\u22125"), "-5");
}

TEST(Spelling, BlanksOfAnyKindAndWhatHasNoWidth) {
  EXPECT_EQ(without_spelling("\xC2\xA0Type\xE2\x80\xAF\xE3\x80\x80"
                             "2\xEF\xBB\xBF"),
            "type 2");
  EXPECT_EQ(without_spelling("fl\xE2\x80\x8Bu\xC2\xAD"), "flu");
}

TEST(Spelling, WordsForNoValueAreOne) {
  for (const char* word : {"", "NA", "n/a", "N/A ", "Unknown", "NULL", "-", "?", "NaN", "missing"})
    EXPECT_EQ(without_spelling(word), "") << word;
  for (const char* word : {"none", "no", "0", "Nauru", "unknown fever"})
    EXPECT_NE(without_spelling(word), "") << word;
}

TEST(Spelling, ValuesThatDifferSoAreOne) {
  EXPECT_FALSE(joined_spellings(column_of({"flu", "gout", "flu"})));
  const auto joined = joined_spellings(column_of({"Flu", "gout", " flu", "E11.9", "e119"}));
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->name, "ill");
  EXPECT_EQ(joined->dictionary.size(), 3U);
  EXPECT_EQ(joined->codes, (std::vector<Code>{0, 1, 0, 2, 2}));
}

}  // namespace
}  // namespace pratique::tables::spelling_test
