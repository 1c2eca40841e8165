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

TEST(NumberForm, AUnitIsThatOfAllValues) {
  const Forms kUnit{NumberForm::with_unit};
  EXPECT_EQ(forms_of({"70 kg", "81 kg", "", "unknown"}), kUnit);
  EXPECT_EQ(forms_of({"70kg", "81.5kg"}), kUnit);
  EXPECT_EQ(forms_of({"5,4 mmol/l", "-11,25 mmol/l"}), kUnit);
  EXPECT_EQ(forms_of({"98 %", "99 %"}), kUnit);
  EXPECT_EQ(forms_of({"22 kg/m2", "31 kg/m2"}), kUnit);
  EXPECT_EQ(forms_of({"45 Jahre", "50 Jahre"}), kUnit);
  for (const auto& none : std::vector<std::vector<std::string>>{{"70 kg", "154 lb"},
                                                                {"70 kg", "81"},
                                                                {"70 kg"},
                                                                {"1,234 kg", "2,500 kg"},
                                                                {"012A", "013A"},
                                                                {"10 to 20", "30 to 20"},
                                                                {"kg 70", "kg 81"},
                                                                {"12.5.2 mg", "13.5.2 mg"}})
    EXPECT_EQ(forms_of(none), Forms{}) << none.front();
  EXPECT_EQ(plain_number("70 kg", NumberForm::with_unit), "70");
  EXPECT_EQ(plain_number("-11,25 mmol/l", NumberForm::with_unit), "-11.25");
  EXPECT_EQ(plain_number("70", NumberForm::with_unit), std::nullopt);
  EXPECT_EQ(number_form_of_name("with-unit"), NumberForm::with_unit);
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
