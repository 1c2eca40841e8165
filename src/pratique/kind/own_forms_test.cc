#include "pratique/kind/own_forms.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::release::own_forms_test {
namespace {

using Texts = std::vector<std::string>;

Table table_of(const Texts& values) {
  Table table;
  Column& column = table.columns.emplace_back();
  column.name = "x";
  for (const auto& value : values) column.codes.push_back(column.dictionary.intern(value));
  return table;
}

Texts cells(const Table& table) {
  Texts texts;
  for (std::size_t row = 0; row < table.rows(); ++row)
    texts.emplace_back(table.columns.front().text(row));
  return texts;
}

struct Written {
  Texts texts;
  FileForms found;
};
Written written(const Texts& values, const SaidForms& said = {}) {
  OwnForms forms(said, {"x"});
  Table table = table_of(values);
  auto found = forms.write(table, {"x"}, "file");
  forms.refuse_unheard();
  return {cells(table), std::move(found)};
}

TEST(OwnForms, DatesAreDaysAndSlipsAreCounted) {
  const auto read = written({"25.03.1970", "01.02.1980", "31.02.1970", "31.02.1970", "unknown"});
  EXPECT_EQ(read.texts, (Texts{"1970-03-25", "1980-02-01", "31.02.1970", "31.02.1970", ""}));
  EXPECT_EQ(read.found.unread, (std::map<std::string, std::uint64_t>{{"x", 2}}));
  EXPECT_EQ(read.found.dates.at("x"), DateForm::day_first);
}

TEST(OwnForms, OneDateThatShowsItsOrderDecidesForAll) {
  EXPECT_EQ(written({"03/04/1970", "03/25/1970"}).texts, (Texts{"1970-03-04", "1970-03-25"}));
  EXPECT_EQ(written({"03/04/1970", "25/03/1970"}).texts, (Texts{"1970-04-03", "1970-03-25"}));
  // Where both orders are there, nobody can tell of the third.
  EXPECT_THROW((void)written({"03/04/1970", "25/03/1970", "03/25/1970", "05/06/1971"}), Error);
}

TEST(OwnForms, WhatIsSaidCountsOnlyWhereItFits) {
  const SaidForms month{.dates = {"x=month-first"}};
  EXPECT_EQ(written({"03/04/1970"}, month).texts, Texts{"1970-03-04"});
  EXPECT_THROW((void)written({"1970-03-04"}, month), Error);  // of no file
  EXPECT_THROW((void)written({"25/03/1970"}, month), Error);
  EXPECT_THROW((void)written({"03/04/1970"}, {.dates = {"y=month-first"}}), Error);
  EXPECT_THROW((void)written({"03/04/1970"}, {.dates = {"x=backwards"}}), Error);
}

TEST(OwnForms, TheOriginalsFormIsTakenWhereNothingElseTells) {
  OwnForms forms({}, {"x"});
  Json parameters;
  parameters["dates"]["x"] = "day-first";
  forms.fall_back_on(parameters);
  Table unclear = table_of({"03/04/1970"});
  EXPECT_EQ(forms.write(unclear, {"x"}, "file").as_recorded, Texts{"x"});
  EXPECT_EQ(cells(unclear), Texts{"1970-04-03"});
  Table clear = table_of({"03/04/1970", "03/25/1970"});
  EXPECT_TRUE(forms.write(clear, {"x"}, "file").as_recorded.empty());
  EXPECT_EQ(cells(clear), (Texts{"1970-03-04", "1970-03-25"}));
}

TEST(OwnForms, NumbersArePlain) {
  EXPECT_EQ(written({"12,5", "7", "1.234,5"}).texts, (Texts{"12.5", "7", "1234.5"}));
  EXPECT_EQ(written({"1,234.5", "12"}).texts, (Texts{"1234.5", "12"}));
  EXPECT_THROW((void)written({"1,234"}), Error);
  EXPECT_EQ(written({"1,234"}, {.numbers = {"x=decimal-comma"}}).texts, Texts{"1.234"});
  EXPECT_EQ(written({"1,234"}, {.numbers = {"x=thousands-comma"}}).texts, Texts{"1234"});
  const Texts as_they_are = {"1.5", "2", "word"};
  EXPECT_EQ(written(as_they_are).texts, as_they_are);
}

TEST(OwnForms, AFewSlipsAmongNumbersAreCounted) {
  Texts values;
  for (int i = 0; i < 20; ++i) values.push_back(std::to_string(i) + ",5");
  values.emplace_back("3..5");
  const auto read = written(values);
  EXPECT_EQ(read.texts.front(), "0.5");
  EXPECT_EQ(read.texts.back(), "3..5");
  EXPECT_EQ(read.found.unread.at("x"), 1U);
}

TEST(OwnForms, EightDigitsAreDaysOnlyIfNearlyAllAre) {
  const Texts numbers = {"19700305", "99999999", "12345678"};
  EXPECT_EQ(written(numbers).texts, numbers);
  EXPECT_EQ(written({"19700305", "19700306"}).texts, (Texts{"1970-03-05", "1970-03-06"}));
}

TEST(OwnForms, TextsOfAHierarchyStayAsTheyAre) {
  OwnForms forms({}, {"x"});
  Schema schema;
  schema.hierarchies["x"] = "prefix";
  forms.leave_texts_of(schema, {"x"});
  Table table = table_of({"25.03.1970"});
  (void)forms.write(table, {"x"}, "file");
  EXPECT_EQ(cells(table), Texts{"25.03.1970"});
}

TEST(OwnForms, RowsAreCountedByWhatTheyStandFor) {
  OwnForms forms({}, {"x"});
  Table table = table_of({"1970-03-05", "1970-03-06", "1970-02-30"});
  EXPECT_EQ(forms.write(table, {"x"}, "file", {1, 1, 7}).unread.at("x"), 7U);
}

}  // namespace
}  // namespace pratique::release::own_forms_test
