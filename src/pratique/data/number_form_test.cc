#include "pratique/data/number_form.h"

#include <gtest/gtest.h>

namespace pratique::number_form_test {
namespace {

using Forms = std::vector<NumberForm>;
constexpr auto kDecimal = NumberForm::decimal_comma;
constexpr auto kThousands = NumberForm::thousands_comma;

Forms forms_of(const std::vector<std::string>& values) {
  Dictionary dictionary;
  for (const auto& value : values) dictionary.intern(value);
  return number_forms(dictionary);
}

TEST(NumberForm, IsThatOfAllValues) {
  EXPECT_EQ(forms_of({"12,5", "13", "", "-0,25"}), Forms{kDecimal});
  EXPECT_EQ(forms_of({"1.234,5", "2,25"}), Forms{kDecimal});
  EXPECT_EQ(forms_of({"1,234.5", "12"}), Forms{kThousands});
  EXPECT_EQ(forms_of({"1,234,567"}), Forms{kThousands});
  EXPECT_EQ(forms_of({"1,234", "2,500"}), (Forms{kDecimal, kThousands}));
  for (const auto& none : std::vector<std::vector<std::string>>{
           {"12.5", "13"}, {"12,5", "flu"}, {"1,2,3"}, {",5"}, {"5,"}, {"12,5", "1.234"}, {}})
    EXPECT_EQ(forms_of(none), Forms{});
}

TEST(NumberForm, NumbersAreWrittenPlainly) {
  EXPECT_EQ(plain_number("1.234,50", kDecimal), "1234.50");
  EXPECT_EQ(plain_number("-0,5", kDecimal), "-0.5");
  EXPECT_EQ(plain_number("1,234", kDecimal), "1.234");
  EXPECT_EQ(plain_number("1,234", kThousands), "1234");
  EXPECT_EQ(plain_number("12.5", kThousands), "12.5");
  EXPECT_EQ(plain_number("12.5", kDecimal), std::nullopt);
  Column column;
  for (const char* value : {"1,5", "1.5", "2", "x", "1,5"})
    column.codes.push_back(column.dictionary.intern(value));
  write_as_plain_numbers(column, kDecimal);
  EXPECT_EQ(column.text(0), "1.5");
  EXPECT_EQ(column.codes[0], column.codes[4]);
  EXPECT_EQ(column.text(3), "x");
}

TEST(NumberForm, NamesAreReadAsTheyAreWritten) {
  for (const auto form : {kDecimal, kThousands})
    EXPECT_EQ(number_form_of_name(to_string(form)), form);
  EXPECT_EQ(number_form_of_name("comma"), std::nullopt);
}

}  // namespace
}  // namespace pratique::number_form_test
