#include <gtest/gtest.h>

#include "pratique/data/date_form.h"

namespace pratique::date_form_named_test {
namespace {

std::vector<DateForm> forms_of(const std::vector<std::string>& texts) {
  Dictionary values;
  for (const auto& text : texts) (void)values.intern(text);
  return date_forms(values);
}

TEST(NamedMonths, AreDatesInWhateverOrderAndLanguage) {
  const std::pair<const char*, const char*> days[] = {
      {"02-Jun-1948", "1948-06-02"},        {"23 October 1975", "1975-10-23"},
      {"March 12, 2001", "2001-03-12"},     {"19JAN1943", "1943-01-19"},
      {"14. November 1945", "1945-11-14"},  {"5 märz 1970", "1970-03-05"},
      {"1 août 1999", "1999-08-01"},        {"3-dic-1980", "1980-12-03"},
      {"29 Feb 2000", "2000-02-29"},        {"7 May 1960 12:30", "1960-05-07"},
      {"1er janvier 1950", "1950-01-01"},   {"13 juil. 1948", "1948-07-13"},
      {"14 DÉC. 1992", "1992-12-14"},       {"November 23rd 1945", "1945-11-23"},
      {"28 mei 1944", "1944-05-28"},        {"13 lipca 1940", "1940-07-13"},
      {"5 de marzo de 1970", "1970-03-05"}, {"Thursday, 15 September 1977", "1977-09-15"}};
  for (const auto& [text, day] : days) {
    EXPECT_EQ(iso_day(text, DateForm::named_month), day) << text;
    EXPECT_EQ(forms_of({text, "", "unbekannt"}), std::vector{DateForm::named_month}) << text;
  }
}

TEST(NamedMonths, NothingElseIsOne) {
  for (const char* text : {"21-Apr-64", "31 Feb 2000", "32 May 1990", "May 1990", "5 Foo 1990",
                           "12-1990-May", "5 May 1990 x", "1 2 1990", "maybe 5 1990", ""})
    EXPECT_EQ(iso_day(text, DateForm::named_month), std::nullopt) << text;
}

TEST(CompactTimes, AreTheDaysTheyBeginWith) {
  EXPECT_EQ(iso_day("19440704210821", DateForm::year_first), "1944-07-04");
  EXPECT_EQ(iso_day("196508060446", DateForm::year_first), "1965-08-06");
  EXPECT_EQ(forms_of({"19440704210821", "19650806044600"}), std::vector{DateForm::year_first});
  for (const char* text : {"19440704250821", "19440704216021", "19441304210821", "123456789012345"})
    EXPECT_EQ(iso_day(text, DateForm::year_first), std::nullopt) << text;
}

}  // namespace
}  // namespace pratique::date_form_named_test
