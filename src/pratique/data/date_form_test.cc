#include "pratique/data/date_form.h"

#include <gtest/gtest.h>

namespace pratique::date_form_test {
namespace {

using Forms = std::vector<DateForm>;

Forms forms_of(const std::vector<std::string>& values) {
  Dictionary dictionary;
  for (const auto& value : values) dictionary.intern(value);
  return date_forms(dictionary);
}

TEST(DateForm, IsThatOfAllValues) {
  EXPECT_EQ(forms_of({"1970-03-05", "1970-03-25", ""}), Forms{DateForm::iso});
  EXPECT_EQ(forms_of({"1970-03-05 12:30", "1970-03-05T00:00:00Z"}), Forms{DateForm::timestamp});
  EXPECT_EQ(forms_of({"1970-03-05", "1970-03-06 00:00"}), Forms{DateForm::timestamp});
  EXPECT_EQ(forms_of({"19700305", "19691231"}), Forms{DateForm::year_first});
  EXPECT_EQ(forms_of({"1970/3/5", "1970/12/31"}), Forms{DateForm::year_first});
  EXPECT_EQ(forms_of({"03/25/1970", "3/5/1970"}), Forms{DateForm::month_first});
  EXPECT_EQ(forms_of({"25.03.1970", "5.3.1970"}), Forms{DateForm::day_first});
  EXPECT_EQ(forms_of({"03/25/1970 1:05:00 PM"}), Forms{DateForm::month_first});
}

TEST(DateForm, TwoWhereMonthAndDayCannotBeTold) {
  EXPECT_EQ(forms_of({"03/05/1970", "11/12/1970"}),
            (Forms{DateForm::month_first, DateForm::day_first}));
}

TEST(DateForm, WordsForMissingValuesFitEveryForm) {
  EXPECT_EQ(forms_of({"03/25/1970", "unknown"}), Forms{DateForm::month_first});
  EXPECT_EQ(forms_of({"1970-03-25", "N/A", ""}), Forms{DateForm::iso});
}

TEST(DateForm, NoneOfWhatIsNoDate) {
  EXPECT_EQ(forms_of({}), Forms{});
  EXPECT_EQ(forms_of({"", ""}), Forms{});
  EXPECT_EQ(forms_of({"1970", "1971"}), Forms{});              // no days
  EXPECT_EQ(forms_of({"03/25/1970", "25/03/1970"}), Forms{});  // neither form fits both
  EXPECT_EQ(forms_of({"03/05/1970", "in spring"}), Forms{});
  EXPECT_EQ(forms_of({"unknown", "NA"}), Forms{});
  EXPECT_EQ(forms_of({"13/13/1970"}), Forms{});
  EXPECT_EQ(forms_of({"20202", "90210"}), Forms{});
}

TEST(DateForm, IsWrittenAsIso) {
  Column column;
  for (const std::string value : {"03/05/1970", "3/5/1970", "12/31/1969", "", "?", "spring"})
    column.codes.push_back(column.dictionary.intern(value));
  write_as_iso(column, DateForm::month_first);
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < column.codes.size(); ++row) texts.emplace_back(column.text(row));
  EXPECT_EQ(texts,
            (std::vector<std::string>{"1970-03-05", "1970-03-05", "1969-12-31", "", "", "spring"}));
  EXPECT_EQ(column.codes[0], column.codes[1]);
  EXPECT_EQ(iso_day("05.03.1970", DateForm::day_first), "1970-03-05");
  EXPECT_EQ(iso_day("05.03.1970", DateForm::month_first), "1970-05-03");
  EXPECT_EQ(iso_day("1970-03-05T23:59", DateForm::timestamp), "1970-03-05");
  EXPECT_EQ(iso_day("1970-03-05T23:59", DateForm::iso), std::nullopt);
}

TEST(DateForm, HasANameEach) {
  for (const auto form : {DateForm::iso, DateForm::timestamp, DateForm::year_first,
                          DateForm::month_first, DateForm::day_first})
    EXPECT_EQ(date_form_of_name(to_string(form)), form);
  EXPECT_EQ(date_form_of_name("other"), std::nullopt);
}

}  // namespace
}  // namespace pratique::date_form_test
