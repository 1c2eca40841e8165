#include "pratique/verify/internal/spelling.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <clocale>
#include <cwctype>
#include <map>
#include <vector>

namespace pratique::verify::spelling_test {
namespace {

std::string written(std::uint32_t point) {
  if (point < 0x80) return {static_cast<char>(point)};
  std::string text;
  if (point >= 0x800) text += static_cast<char>(0xE0U | (point >> 12U));
  text +=
      static_cast<char>(point >= 0x800 ? 0x80U | ((point >> 6U) & 0x3FU) : 0xC0U | (point >> 6U));
  text += static_cast<char>(0x80U | (point & 0x3FU));
  return text;
}

// Two letters are one exactly where the locale says that they are in small letters.
TEST(VerifierSpelling, JoinsCapitalsAndNoOthers) {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  ASSERT_NE(locale, nullptr);
  std::map<std::uint32_t, std::string> folded;  // by the small letter
  std::map<std::string, std::uint32_t> small_of;
  const std::pair<std::uint32_t, std::uint32_t> ranges[] = {{'A', 'z'},       {0xC0, 0x17E},
                                                            {0x386, 0x3AB},   {0x400, 0x52F},
                                                            {0x1E00, 0x1E95}, {0x1EA0, 0x1EFF}};
  for (const auto& [first, last] : ranges) {
    for (std::uint32_t point = first; point <= last; ++point) {
      const auto small = static_cast<std::uint32_t>(towlower_l(point, locale));
      const std::string text = without_spelling("x" + written(point) + "x");
      EXPECT_EQ(folded.emplace(small, text).first->second, text) << point;
      EXPECT_EQ(small_of.emplace(text, small).first->second, small) << point;
    }
  }
  freelocale(locale);
  EXPECT_GT(folded.size(), 300U);
}

TEST(VerifierSpelling, WritingIsNoMatter) {
  const std::vector<std::vector<std::string>> same = {
      {"É", "é", "e\xCC\x81", "E\xCC\x81"},
      {"GRÖẞE", "größe"},
      {"ΓΡΊΠΗΣ", "γρίπης"},
      {"ГРИПП", "грипп"},
      {"E11", "\xEF\xBC\xA5\xEF\xBC\x91\xEF\xBC\x91", "e1.1"},
      {"Type 2",
       "type\xC2\xA0\xE2\x80\xAF"
       "2",
       "\xE3\x80\x80type 2\xEF\xBB\xBF"},
      {"flu", "fl\xE2\x80\x8Bu\xC2\xAD"},
      {"E11.9", "E11-9", "e119", "e11 9", "E11_9", "E11/9", "E11\u20139", "E\u0661\u0661.9"},
      {"S72.001A", "s72-001a"},
      {"b12-deficiency", "B12-Deficiency", "b12 deficiency", "(b12/deficiency)"},
      {"2020-03-05", "05.03.2020", "5.3.2020", "20200305", "2020/03/05", "2020-3-5",
       "2020-03-05 00:00:00", "2020-03-05T10:15:00Z", "5.3.2020 10:15"},
      {"2020-05-13", "13/05/2020", "05/13/2020", "13-5-2020"},
      {"2020-05-05", "05/05/2020"},
      {"03/05/2020"},
      {"2020-02-30"},
      {"2020-03"},
      {"2020"},
      {"hiv", "hiv.", "H.I.V.", "(HIV)", "\"hiv\"", "( hiv )"},
      {"HIV-"},
      {"(hiv|flu)"},
      {"HIV+"},
      {"type 2 diabetes", "Type-2 diabetes", "type 2 diabetes."},
      {"E. coli", "e coli"},
      {"50%", "50 %", "50.0 %"},
      {"50"},
      {"t2 x"},
      {"t2x"},
      {"fibrosis", "\uFB01brosis", "FIBROSIS"},
      {"efficacy", "e\uFB03cacy"},
      {"oedema", "\u0152dema"},
      {"stage iv", "Stage \u2163", "stage \u2173"},
      {"type 3", "type \u00B3"},
      {"42", "\u0664\u0662"},
      {"crohn's", "Crohn\u2019s"},
      {"-5", "\u22125"},
      {"", "NA", "(na)", "n/a", "N/A ", "Unknown", "NULL", "-", "?", "NaN", "missing"},
      {"5", "5.0", "05", "+5", "5.", "5,0", "005.00"},
      {"0", "-0", "0.0", ".0", "+00"},
      {"-1.5", "-01.50", "-1,5"},
      {"1,234"},
      {"1.234", "1.2340", "01.234"},
      {"1.2.3"},
      {"5-6"},
      {"e"},
      {"none"},
      {"unknown fever"},
      {"\xFF\xC3"},
      {"\xFF"},
  };
  for (std::size_t a = 0; a < same.size(); ++a) {
    for (const auto& value : same[a])
      EXPECT_EQ(without_spelling(value), without_spelling(same[a].front())) << value;
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_NE(without_spelling(same[a].front()), without_spelling(same[b].front()));
  }
}

// A character in more bytes than it needs is none, and stays apart from the one it imitates.
TEST(VerifierSpelling, CharactersHaveOneFormInBytes) {
  const std::vector<std::pair<std::string, std::string>> imitated = {
      {"\xC1\xA1", "a"},
      {"\xC1\xBF", "\x7F"},
      {"\xE0\x83\xA9", "\xC3\xA9"},
      {"\xE0\x9F\xBF", "\xDF\xBF"},
      {"\xF0\x8F\xBF\xBF", "\xEF\xBF\xBF"},
      {"\xF0\x82\x82\xAC", "\xE2\x82\xAC"}};
  for (const auto& [longer, character] : imitated)
    EXPECT_NE(without_spelling("x" + longer + "x"), without_spelling("x" + character + "x"));
  // The first that needs two, three and four bytes is itself.
  for (const std::string text : {"\xC2\x80", "\xE0\xA0\x80", "\xF0\x90\x80\x80"})
    EXPECT_NE(without_spelling("x" + text + "x"), without_spelling("x" + text.substr(1) + "x"));
}

// However a day is written, where there is such a day; what is none is no date.
TEST(VerifierSpelling, ADayIsOneThatTheCalendarHas) {
  for (const int year : {1900, 1999, 2000, 2004, 2023, 2024, 2100}) {
    for (unsigned month = 0; month <= 13; ++month) {
      for (unsigned day = 0; day <= 32; ++day) {
        const bool is_day = std::chrono::year_month_day{
            std::chrono::year{year}, std::chrono::month{month},
            std::chrono::day{
                day}}.ok();
        const auto text = fmt::format("{}-{:02}-{:02}", year, month, day);
        EXPECT_EQ(
            without_spelling(text) == without_spelling(fmt::format("{}.{}.{}", day, month, year)),
            is_day)
            << text;
      }
    }
  }
}

}  // namespace
}  // namespace pratique::verify::spelling_test
