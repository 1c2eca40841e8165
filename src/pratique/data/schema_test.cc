#include "pratique/data/schema.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::schema_test {
namespace {

using Names = std::vector<std::string>;

// As the models would name them.
const Names kModelKeys = {"k", "l", "diversity", "t"};

Error error_of(const std::string& text) {
  try {
    (void)Schema::parse_yaml(text, "s.yaml", kModelKeys);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    return error;
  }
  ADD_FAILURE() << "no error for " << text.substr(0, 200);
  return Error::machine("none");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Schema, WhatIsDoneWithIdentifiersIsSomebodyElsesSetting) {
  const auto read = [](const std::string& text, Schema::OtherKeys others) {
    return Schema::parse_yaml(text, "s.yaml", {}, others).identifiers;
  };
  EXPECT_TRUE(read("identifiers: pseudonym\n", Schema::OtherKeys::allowed).empty());
  EXPECT_EQ(read("identifiers: [pseudonym]\n", Schema::OtherKeys::allowed), Names{"pseudonym"});
  EXPECT_THROW(read("identifiers: pseudonym\n", Schema::OtherKeys::refused), Error);
  EXPECT_THROW(read("identifiers: name\n", Schema::OtherKeys::allowed), Error);
}

TEST(Schema, ReadsYaml) {
  const Schema schema = Schema::parse_yaml(
      "# a comment\n"
      "quasi_identifiers: [age, 'zip: code']\n"
      "sensitive:\n"
      "  - diagnosis\n"
      "identifiers: [name]\n"
      "insensitive:\n"
      "hierarchies:\n"
      "  age: interval:5,10,20\n"
      "  'zip: code': prefix\n",
      "s.yaml", kModelKeys);
  EXPECT_EQ(schema.quasi_identifiers, (Names{"age", "zip: code"}));
  EXPECT_EQ(schema.sensitive, (Names{"diagnosis"}));
  EXPECT_EQ(schema.identifiers, (Names{"name"}));
  EXPECT_TRUE(schema.insensitive.empty());
  EXPECT_EQ(schema.hierarchies.at("age"), "interval:5,10,20");
  EXPECT_EQ(schema.hierarchies.at("zip: code"), "prefix");
  EXPECT_EQ(schema.role_of("age"), Role::quasi_identifier);
  EXPECT_EQ(schema.role_of("diagnosis"), Role::sensitive);
  EXPECT_EQ(schema.role_of("name"), Role::identifier);
  EXPECT_EQ(schema.role_of("ward"), Role::insensitive);
}

TEST(Schema, ReadsModels) {
  const std::vector<ModelSetting> expected = {{"k", "5", "s.yaml:2:6"},
                                              {"l", "3@diagnosis", "s.yaml:3:7"},
                                              {"l", "2", "s.yaml:3:20"},
                                              {"diversity", "recursive:2", "s.yaml:4:14"}};
  EXPECT_EQ(Schema::parse_yaml("models:\n"
                               "  k: 5\n"
                               "  l: [3@diagnosis, 2]\n"
                               "  diversity: recursive:2\n",
                               "s.yaml", kModelKeys)
                .models,
            expected);
  // A list of maps says the same, and may say a key again.
  const auto listed =
      Schema::parse_yaml("models:\n- {k: 5, l: 3@a}\n- l: 2@b\n", "s.yaml", kModelKeys).models;
  ASSERT_EQ(listed.size(), 3U);
  EXPECT_EQ(listed[2].key, "l");
  EXPECT_EQ(listed[2].value, "2@b");
  EXPECT_TRUE(Schema::parse_yaml("models:\n", "s.yaml", kModelKeys).models.empty());
}

TEST(Schema, ErrorsOfModelsNamePlaceAndKey) {
  Error error = error_of("models:\n  k: 5\n  divresity: entropy\n");
  EXPECT_EQ(error.place(), "s.yaml:3:3");
  EXPECT_TRUE(has(error.message(), "'divresity'"));
  EXPECT_TRUE(has(error.hint(), "diversity"));

  error = error_of("models: 5\n");
  EXPECT_EQ(error.place(), "s.yaml:1:9");
  EXPECT_TRUE(has(error.hint(), "k: 5"));

  error = error_of("models: [k]\n");
  EXPECT_EQ(error.place(), "s.yaml:1:10");

  error = error_of("models:\n  k: 5\n  k: 6\n");
  EXPECT_EQ(error.place(), "s.yaml:3:3");
  EXPECT_TRUE(has(error.message(), "twice"));

  for (const char* bad :
       {"models: {k: {a: b}}\n", "models: {k: }\n", "models: {k: [[5]]}\n", "models: {[k]: 5}\n"}) {
    EXPECT_FALSE(error_of(bad).hint().empty()) << bad;
  }
}

TEST(Schema, FlagsReplaceModelsKeyByKey) {
  Schema schema = Schema::parse_yaml("models: {k: 5, l: [3@a, 2@b]}\n", "s.yaml", kModelKeys);
  Schema flags;
  flags.models = {{"l", "4@a"}, {"t", "0.2"}};
  schema.override_with(flags);
  ASSERT_EQ(schema.models.size(), 3U);
  EXPECT_EQ(schema.models[0].key, "k");
  EXPECT_EQ(schema.models[1], (ModelSetting{"l", "4@a"}));
  EXPECT_EQ(schema.models[2], (ModelSetting{"t", "0.2"}));
}

TEST(Schema, ReadsFiles) {
  const PrivateFolder folder;
  const std::string file = folder.path() + "/s.yaml";
  write_file_atomically(file, "sensitive: [x]\n");
  EXPECT_EQ(Schema::read_yaml(file, kModelKeys).sensitive, (Names{"x"}));
  EXPECT_THROW((void)Schema::read_yaml(folder.path() + "/none.yaml", kModelKeys), Error);
}

TEST(Schema, ColumnNamesStayTexts) {
  const Schema schema =
      Schema::parse_yaml("sensitive: [1, yes, 007, 1.50, no]\n", "s.yaml", kModelKeys);
  EXPECT_EQ(schema.sensitive, (Names{"1", "yes", "007", "1.50", "no"}));
}

TEST(Schema, ErrorsNamePlaceAndKey) {
  Error error = error_of("sensitive: [x]\nquasi_identifier: [age]\n");
  EXPECT_EQ(error.place(), "s.yaml:2:1");
  EXPECT_TRUE(has(error.message(), "'quasi_identifier'"));
  EXPECT_TRUE(has(error.hint(), "quasi_identifiers"));

  error = error_of("colour: red\n");
  EXPECT_TRUE(has(error.hint(), "hierarchies"));

  error = error_of("sensitive: diagnosis\n");
  EXPECT_EQ(error.place(), "s.yaml:1:12");
  EXPECT_TRUE(has(error.message(), "sensitive must be a list"));
  EXPECT_TRUE(has(error.hint(), "sensitive: [diagnosis]"));

  error = error_of("sensitive: {a: b}\n");
  EXPECT_EQ(error.place(), "s.yaml:1:12");

  error = error_of("sensitive: [a]\nsensitive: [b]\n");
  EXPECT_EQ(error.place(), "s.yaml:2:1");
  EXPECT_TRUE(has(error.message(), "'sensitive' appears twice"));

  error = error_of("sensitive: [a]\nidentifiers:\n  - b\n  - a\n");
  EXPECT_EQ(error.place(), "s.yaml:4:5");
  EXPECT_TRUE(has(error.message(), "identifiers: column 'a' is also in sensitive"));

  error = error_of("sensitive: [a, b, a]\n");
  EXPECT_EQ(error.place(), "s.yaml:1:19");
  EXPECT_TRUE(has(error.message(), "twice"));

  error = error_of("hierarchies:\n  a: flat\n  b: prefix\n  a: icd9\n");
  EXPECT_EQ(error.place(), "s.yaml:4:3");

  error = error_of("hierarchies: [a, b]\n");
  EXPECT_EQ(error.place(), "s.yaml:1:14");

  error = error_of("hierarchies:\n  a: [flat]\n");
  EXPECT_EQ(error.place(), "s.yaml:2:6");
  EXPECT_TRUE(has(error.message(), "'a'"));

  error = error_of("sensitive: [[a]]\n");
  EXPECT_EQ(error.place(), "s.yaml:1:13");

  error = error_of("sensitive: [a, ~]\n");
  EXPECT_TRUE(has(error.message(), "sensitive"));

  error = error_of("hierarchies: {a: flat}\nidentifiers: [a]\n");
  EXPECT_EQ(error.place(), "s.yaml:1:15");
  EXPECT_TRUE(has(error.message(), "'a' is an identifier"));

  error = error_of("sensitive: [a\nb: c\n");
  EXPECT_TRUE(has(error.place(), "s.yaml:")) << error.place();
  EXPECT_TRUE(has(error.message(), "not YAML"));

  error = error_of("sensitive: [a]\n---\nsensitive: [b]\n");
  EXPECT_TRUE(has(error.message(), "after the end"));
}

TEST(Schema, RefusesWhatIsNoSchema) {
  for (const char* text :
       {"", "# nothing\n", "~", "age", "[age, zip]", "? [a]\n: b\n", "\"\": [a]"}) {
    (void)error_of(text);
  }
  (void)error_of(std::string("sensitive: [a\0b]", 16));
  EXPECT_TRUE(has(error_of(std::string(2 << 20, ' ')).message(), "1 MB"));
}

TEST(Schema, SurvivesDeepNesting) {
  for (const std::string unit :
       {"[", "{", "{a: ", "[{a: [", "- ", "? ", "a: ", "!!x ", "&a ", "-\t"}) {
    std::string text;
    while (text.size() < 500000) text += unit;
    (void)error_of(text);
  }
  std::string indented;
  for (int i = 0; i < 1000; ++i) indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  (void)error_of(indented);
  (void)error_of("sensitive: [a]]");
  (void)error_of("&a [*a]");
  (void)error_of("sensitive: &a [*a]");
}

TEST(Schema, FlagsWinOverTheFile) {
  Schema file = Schema::parse_yaml(
      "quasi_identifiers: [age, zip]\nsensitive: [diagnosis, income]\nhierarchies: {age: flat, "
      "zip: "
      "prefix}\n",
      "s.yaml", kModelKeys);
  Schema flags;
  flags.quasi_identifiers = {"sex", "income"};
  flags.hierarchies = {{"age", "interval:5"}};
  file.override_with(flags);
  EXPECT_EQ(file.quasi_identifiers, (Names{"sex", "income"}));
  EXPECT_EQ(file.sensitive, (Names{"diagnosis"}));
  EXPECT_EQ(file.hierarchies,
            (std::map<std::string, std::string>{{"age", "interval:5"}, {"zip", "prefix"}}));
  Schema same = file;
  same.override_with({});
  EXPECT_EQ(same.quasi_identifiers, file.quasi_identifiers);
  EXPECT_EQ(same.sensitive, file.sensitive);
}

TEST(Schema, ChecksAgainstTheColumns) {
  const Names columns = {"age", "zip", "name"};
  Schema schema;
  schema.quasi_identifiers = {"age", "zip"};
  schema.hierarchies = {{"age", "flat"}};
  EXPECT_NO_THROW(schema.check_against(columns, "p.csv"));

  const auto message = [&](const Schema& wrong) -> std::string {
    try {
      wrong.check_against(columns, "p.csv");
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), "p.csv");
      return error.message() + " " + error.hint();
    }
    return "no error";
  };
  Schema wrong = schema;
  wrong.sensitive = {"nmae"};
  EXPECT_TRUE(has(message(wrong), "Did you mean name"));
  wrong = schema;
  wrong.sensitive = {"age"};
  EXPECT_TRUE(has(message(wrong), "'age' has two roles: quasi-identifier and sensitive"));
  wrong = schema;
  wrong.quasi_identifiers.emplace_back("age");
  EXPECT_TRUE(has(message(wrong), "named twice"));
  wrong = schema;
  wrong.hierarchies["zap"] = "flat";
  EXPECT_TRUE(has(message(wrong), "Did you mean zip"));
  wrong = schema;
  wrong.identifiers = {"name"};
  wrong.hierarchies["name"] = "flat";
  EXPECT_TRUE(has(message(wrong), "'name' is an identifier"));
}

}  // namespace
}  // namespace pratique::schema_test
