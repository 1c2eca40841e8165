#include "pratique/data/settings.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"

namespace pratique::settings_test {
namespace {

using Values = std::vector<std::string>;

std::vector<Setting> settings_in(const std::string& text) {
  return parse_settings(text, "run.yaml", {"k", "ks", "levels", "tune"}, {"models"});
}

Error failure(const std::string& text) {
  try {
    (void)settings_in(text);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "read: " << text;
  return Error::input("none");
}

TEST(Settings, AValueAListAndAMap) {
  const auto settings = settings_in("k: 5\nks: [2, 3]\nlevels: {age: 2, zip: 1}\ntune: true\n");
  ASSERT_EQ(settings.size(), 4U);
  EXPECT_EQ(settings[0].key, "k");
  EXPECT_EQ(settings[0].values, Values{"5"});
  EXPECT_EQ(settings[0].place, "run.yaml:1:4");
  EXPECT_EQ(settings[1].values, (Values{"2", "3"}));
  EXPECT_EQ(settings[2].values, (Values{"age=2", "zip=1"}));
  EXPECT_EQ(settings[2].place, "run.yaml:3:9");
  EXPECT_EQ(settings[3].values, Values{"true"});
}

TEST(Settings, ItemsOfAListAreToldFromAWord) {
  const auto settings = settings_in("k: a,b\nks: ['Name, Vorname']\nlevels: {'a,b': 1}\n");
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_FALSE(settings[0].list);
  EXPECT_TRUE(settings[1].list);
  EXPECT_EQ(settings[1].values, Values{"Name, Vorname"});
  EXPECT_TRUE(settings[2].list);
}

TEST(Settings, AKeyOfBothIsOursAsAText) {
  const auto ours = [](const std::string& text) {
    return parse_settings(text, "run.yaml", {"identifiers"}, {"identifiers"}).size();
  };
  EXPECT_EQ(ours("identifiers: pseudonym\n"), 1U);
  EXPECT_EQ(ours("identifiers: [name]\n"), 0U);
}

TEST(SplitAtCommas, ABackslashKeepsAComma) {
  EXPECT_EQ(split_at_commas("a,b"), (Values{"a", "b"}));
  EXPECT_EQ(split_at_commas("Name\\, Vorname,b"), (Values{"Name, Vorname", "b"}));
  EXPECT_EQ(split_at_commas("a\\b,"), (Values{"a\\b", ""}));
  EXPECT_EQ(split_at_commas(""), Values{""});
}

TEST(ColumnValues, TheLongestColumnThatFitsIsMeant) {
  using Pairs = std::map<std::string, std::string>;
  EXPECT_EQ(column_values({"a=b=c"}, "--x"), (Pairs{{"a", "b=c"}}));
  EXPECT_EQ(column_values({"a=b=c"}, "--x", {"a", "a=b"}), (Pairs{{"a=b", "c"}}));
  EXPECT_EQ(column_values({"a=b=c"}, "--x", {"a"}), (Pairs{{"a", "b=c"}}));
}

TEST(Settings, WhatSaysNothingOrIsForOthersIsLeftAlone) {
  EXPECT_TRUE(settings_in("k:\nmodels: {l: [a, {b: c}]}\n").empty());
}

TEST(Settings, AKeyThatNobodyKnowsIsNamedWithItsNeighbour) {
  const Error error = failure("level: 1\n");
  EXPECT_EQ(error.message(), "there is no key 'level'");
  EXPECT_EQ(error.place(), "run.yaml:1:1");
  EXPECT_EQ(error.hint(), "Did you mean levels?");
  EXPECT_NE(failure("frobnicate: 1\n").hint().find("k, ks, levels, tune, models"),
            std::string::npos);
  EXPECT_EQ(failure("[k]: 1\n").place(), "run.yaml:1:1");
}

TEST(Settings, AKeyIsThereOnce) {
  EXPECT_EQ(failure("k: 1\nks: 2\nk: 3\n").message(), "the key 'k' appears twice");
  EXPECT_EQ(failure("models: 1\nmodels: 2\n").message(), "the key 'models' appears twice");
}

TEST(Settings, AValueIsNoTree) {
  EXPECT_EQ(failure("ks: [1, [2]]\n").place(), "run.yaml:1:9");
  EXPECT_EQ(failure("levels: {a: {b: c}}\n").message(),
            "'levels' is given something other than a value");
}

TEST(Settings, AFileHasKeys) {
  EXPECT_EQ(failure("").message(), "the file says nothing");
  EXPECT_EQ(failure("- k\n").message(), "the file has no keys and values");
}

TEST(ColumnValues, PairsByColumn) {
  const auto values = column_values({"age=interval:5", "zip=a=b"}, "--hierarchy");
  EXPECT_EQ(values, (std::map<std::string, std::string>{{"age", "interval:5"}, {"zip", "a=b"}}));
  for (const char* wrong : {"age", "=x", "age="}) {
    EXPECT_THROW((void)column_values({wrong}, "--hierarchy"), Error) << wrong;
  }
  EXPECT_THROW((void)column_values({"a=1", "a=2"}, "--hierarchy"), Error);
}

}  // namespace
}  // namespace pratique::settings_test
