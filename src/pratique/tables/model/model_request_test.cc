#include "pratique/tables/model/model_request.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/error.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::model_request_test {
namespace {

Schema schema_with(std::vector<ModelSetting> models,
                   std::vector<std::string> sensitive = {"illness"}) {
  Schema schema;
  schema.identifiers = {"name"};
  schema.quasi_identifiers = {"age"};
  schema.sensitive = std::move(sensitive);
  schema.models = std::move(models);
  return schema;
}

ModelRequest request_of(std::vector<ModelSetting> models,
                        std::vector<std::string> sensitive = {"illness"}) {
  return read_model_request(schema_with(std::move(models), std::move(sensitive)));
}

// The claims of the models asked for, made over a table that has whatever columns they name: what
// was read is what will be verified.
class ReadModels : public testing::Test {
 protected:
  std::vector<Json> claims_of(std::vector<ModelSetting> settings,
                              std::vector<std::string> sensitive = {"illness"}) {
    const ModelRequest request = request_of(std::move(settings), std::move(sensitive));
    ProtectionInput input;
    input.counts = &counts;
    input.population = &counts;
    input.attributes.push_back(make_attribute(table.columns[0], ages, counts));
    Hierarchies hierarchies;
    for (const auto& column : request.sensitive_columns()) hierarchies[column] = &illnesses;
    std::vector<Json> claims;
    for (const auto& model :
         make_models(request, {table, hierarchies, PopulationFile{"people.csv"}}, input)) {
      claims.push_back(model->claim({"age"}));
    }
    return claims;
  }

  const Table table =
      table_of({"age", "illness", "income", "ward", "wish", "a@b", "a@b:c", "x:y@z"},
               {{"20", "flu", "10", "flu", "", "flu", "flu", ""},
                {"30", "gout", "30", "gout", "flu", "gout", "gout", "flu"}});
  const std::vector<std::uint64_t> counts = {1, 1};
  const Hierarchy ages = make_hierarchy("flat", table.columns[0].dictionary, counts, "age");
  const Hierarchy illnesses =
      make_hierarchy("flat", table.columns[1].dictionary, counts, "illness");
};

TEST_F(ReadModels, EveryOne) {
  const std::vector<ModelSetting> settings = {{"k", "5"},
                                              {"k-map", "7"},
                                              {"population", "people.csv"},
                                              {"l", "3"},
                                              {"alpha", "0.5@illness"},
                                              {"t", "0.2"},
                                              {"em", "2.5:4@income"},
                                              {"range", "100@income"},
                                              {"guard", "wish:0.25"},
                                              {"delta", "0.1,0.9"}};
  const auto claims = claims_of(settings);
  ASSERT_EQ(claims.size(), 9U);
  EXPECT_EQ(claims[0]["k"], 5);
  EXPECT_EQ(claims[1]["model"], "k-map");
  EXPECT_EQ(claims[1]["k"], 7);
  EXPECT_EQ(claims[2]["delta_min"], 0.1);
  EXPECT_EQ(claims[2]["delta_max"], 0.9);
  EXPECT_EQ(claims[3]["model"], "distinct-l-diversity");
  EXPECT_EQ(claims[3]["sensitive"], "illness");
  EXPECT_EQ(claims[3]["l"], 3);
  EXPECT_EQ(claims[4]["alpha"], 0.5);
  EXPECT_EQ(claims[5]["t"], 0.2);
  EXPECT_EQ(claims[5]["distance"], "equal");
  EXPECT_EQ(claims[6]["sensitive"], "income");
  EXPECT_EQ(claims[6]["e"], 2.5);
  EXPECT_EQ(claims[6]["m"], 4);
  EXPECT_EQ(claims[7]["e"], 100);
  EXPECT_EQ(claims[8]["guard"], "wish");
  EXPECT_EQ(claims[8]["p"], 0.25);
  EXPECT_EQ(claims[8]["sensitive"], "illness");

  const auto request = request_of(settings);
  EXPECT_EQ(request.population, "people.csv");
  EXPECT_TRUE(request.needs_population());
  EXPECT_EQ(request.sensitive_columns(), (std::vector<std::string>{"illness", "income"}));
  EXPECT_EQ(request.withheld_columns(), (std::vector<std::string>{"wish"}));
  EXPECT_FALSE(request_of({{"k", "5"}}).needs_population());
}

TEST_F(ReadModels, OneValueOfAColumn) {
  const auto claims = claims_of({{"value-risk", "0.1:flu@illness"}, {"value-risk", "0.2:gout"}},
                                {"illness", "ward"});
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_EQ(claims[0]["model"], "value-risk");
  EXPECT_EQ(claims[0]["sensitive"], "illness");
  EXPECT_EQ(claims[0]["value"], "flu");
  EXPECT_EQ(claims[0]["share"], 0.1);
  EXPECT_EQ(claims[1]["sensitive"], "illness");
  EXPECT_EQ(claims[2]["sensitive"], "ward");
  EXPECT_THROW((void)claims_of({{"value-risk", "0.1:plague@illness"}}), Error);
}

TEST_F(ReadModels, WithoutAColumnEverySensitiveAttributeIsAsked) {
  const auto claims = claims_of({{"l", "2"},
                                 {"l", "4@ward"},
                                 {"diversity", "entropy"},
                                 {"diversity", "recursive:1.5@ward"},
                                 {"t", "0.3"},
                                 {"distance", "hierarchical@illness"}},
                                {"illness", "ward"});
  ASSERT_EQ(claims.size(), 4U);
  EXPECT_EQ(claims[0]["sensitive"], "illness");
  EXPECT_EQ(claims[0]["l"], 2);
  EXPECT_EQ(claims[0]["model"], "entropy-l-diversity");
  EXPECT_EQ(claims[1]["sensitive"], "ward");
  EXPECT_EQ(claims[1]["l"], 4);
  EXPECT_EQ(claims[1]["model"], "recursive-l-diversity");
  EXPECT_EQ(claims[1]["c"], 1.5);
  EXPECT_EQ(claims[2]["sensitive"], "illness");
  EXPECT_EQ(claims[2]["distance"], "hierarchical");
  EXPECT_EQ(claims[3]["sensitive"], "ward");
  EXPECT_EQ(claims[3]["distance"], "equal");
}

TEST_F(ReadModels, ColumnsMayHaveSigns) {
  const auto claims = claims_of({{"l", "2@a@b:c"}, {"guard", "x:y@z:0.5@a@b"}});
  EXPECT_EQ(claims.at(0)["sensitive"], "a@b:c");
  EXPECT_EQ(claims.at(1)["guard"], "x:y@z");
  EXPECT_EQ(claims.at(1)["p"], 0.5);
  EXPECT_EQ(claims.at(1)["sensitive"], "a@b");
}

TEST(ModelRequest, BeliefsAreBoundedByColumn) {
  const auto request = request_of({{"rho", "0.1:0.5"}, {"growth", "0.3@ward"}});
  EXPECT_TRUE(request.models.empty());
  ASSERT_EQ(request.beliefs.size(), 2U);
  EXPECT_EQ(request.beliefs[0].column, "illness");
  EXPECT_EQ(request.beliefs[0].rho1, 0.1);
  EXPECT_EQ(request.beliefs[0].rho2, 0.5);
  EXPECT_FALSE(request.beliefs[0].growth);
  EXPECT_EQ(request.beliefs[1].column, "ward");
  EXPECT_EQ(request.beliefs[1].growth, 0.3);
}

TEST(ModelKinds, EverySettingHasOneOwnerAndWords) {
  std::set<std::string_view> keys;
  for (const auto& setting : model_settings()) {
    EXPECT_TRUE(keys.insert(setting.key).second) << setting.key;
    EXPECT_FALSE(setting.words.empty()) << setting.key;
  }
  EXPECT_EQ(keys.size(), model_keys().size());
}

struct BadCase {
  std::vector<ModelSetting> models;
  std::string part;  // of the message
  std::vector<std::string> sensitive = {"illness"};
};

TEST(ModelRequest, WhatCannotBeMeantIsSaidSo) {
  const std::vector<BadCase> cases = {
      {{}, "no privacy model"},
      {{{"population", "people.csv"}}, "no privacy model"},
      {{{"k", "0"}}, "1 to"},
      {{{"k", "five"}}, "'five'"},
      {{{"k", "2.5"}}, "whole"},
      {{{"k", "2"}, {"k", "3"}}, "twice"},
      {{{"l", "2.5"}}, "whole"},
      {{{"l", "3@"}}, "no column"},
      {{{"l", "3@age"}}, "quasi-identifier"},
      {{{"l", "3@name"}}, "identifier"},
      {{{"l", "3@illness"}, {"l", "2@illness"}}, "twice for 'illness'"},
      {{{"l", "3"}}, "no sensitive attribute", {}},
      {{{"l", "3"}, {"diversity", "plenty"}}, "no such diversity"},
      {{{"l", "3"}, {"diversity", "recursive"}}, "no such diversity"},
      {{{"l", "3"}, {"diversity", "recursive:0"}}, "C of 0"},
      {{{"l", "3"}, {"diversity", "entropy"}, {"diversity", "distinct"}}, "twice"},
      {{{"k", "3"}, {"diversity", "entropy"}}, "no --l"},
      {{{"l", "3"}, {"diversity", "entropy@ward"}}, "'ward', but no --l"},
      {{{"k", "3"}, {"distance", "ordered"}}, "no --t"},
      {{{"alpha", "1.5"}}, "0 to 1"},
      {{{"t", "-0.1"}}, "0 to 1"},
      {{{"value-risk", "0.1"}}, "':'"},
      {{{"value-risk", "1.1:flu"}}, "0 to 1"},
      {{{"value-risk", "0.1:flu"}, {"value-risk", "0.2:flu"}}, "twice"},
      {{{"em", "5"}}, "':'"},
      {{{"em", "5:0"}}, "'0'"},
      {{{"range", "wide"}}, "'wide'"},
      {{{"guard", "wish"}}, "a column and a probability"},
      {{{"guard", "wish:0.5"}}, "which of the sensitive", {"illness", "ward"}},
      {{{"guard", "wish:0.5@illness"}, {"guard", "hope:0.5"}}, "twice"},
      {{{"guard", "wish:1.5"}}, "0 to 1"},
      {{{"guard", "age:0.5"}}, "cannot hold guarding nodes"},
      {{{"delta", "0.5"}}, "','"},
      {{{"delta", "0.5,0.2"}}, "0.5 to 1"},
      {{{"rho", "0.5:0.1"}}, "0.5 to 1"},
      {{{"rho", "0:0.5"}}, "0 < RHO1"},
      {{{"growth", "1"}}, "above 0 and under 1"},
      {{{"sigma", "6"}}, "no such model"},
  };
  for (const auto& bad : cases) {
    try {
      (void)request_of(bad.models, bad.sensitive);
      ADD_FAILURE() << "no error where '" << bad.part << "' was due";
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(bad.part), std::string::npos)
          << error.message() << " lacks " << bad.part;
      EXPECT_FALSE(error.hint().empty()) << error.message();
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
    }
  }
}

TEST(ModelRequest, ErrorsOfAFileHaveTheirPlace) {
  const Schema schema = Schema::parse_yaml("sensitive: [illness]\nmodels:\n  k: 5\n  l: many\n",
                                           "s.yaml", model_keys());
  try {
    (void)read_model_request(schema);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "s.yaml:4:6");
  }
}

TEST(MakeModels, FillsInWhatTheModelsLookAt) {
  const Table table = table_of({"age", "illness", "income", "wish"},
                               {{"20", "flu", "10", ""}, {"30", "gout", "30", "flu"}});
  const std::vector<std::uint64_t> counts = {1, 1};
  const Hierarchy ages = make_hierarchy("flat", table.columns[0].dictionary, counts, "age");
  const Hierarchy illnesses =
      make_hierarchy("flat", table.columns[1].dictionary, counts, "illness");
  ProtectionInput input;
  input.counts = &counts;
  input.attributes.push_back(make_attribute(table.columns[0], ages, counts));
  const auto models =
      make_models(request_of({{"k", "2"}, {"range", "5@income"}, {"guard", "wish:0.5"}}),
                  {table, {{"illness", &illnesses}}}, input);
  ASSERT_EQ(models.size(), 3U);
  EXPECT_EQ(models[0]->name(), "k");
  EXPECT_EQ(models[1]->name(), "range@income");
  EXPECT_EQ(models[2]->name(), "guard@illness");
  ASSERT_EQ(input.sensitive.size(), 3U);
  EXPECT_EQ(input.sensitive[2]->name, "wish");

  const auto of_k = make_models(request_of({{"k", "2"}}), {table, {}}, input);
  EXPECT_TRUE(input.sensitive.empty());
  EXPECT_FALSE(of_k[0]->needs_sensitive());
}

TEST(MakeModels, SaysWhatIsMissing) {
  const Table table = table_of({"age", "illness", "wish"}, {{"20", "flu", ""}});
  const std::vector<std::uint64_t> counts = {1};
  ProtectionInput input;
  input.counts = &counts;
  const ModelContext context{table, {}};
  const auto hint_of = [&](const std::vector<ModelSetting>& models) {
    try {
      (void)make_models(request_of(models), context, input);
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string();
  };
  EXPECT_NE(hint_of({{"k-map", "2"}}).find("--population"), std::string::npos);
  EXPECT_NE(hint_of({{"delta", "0,0.5"}}).find("--population"), std::string::npos);
  EXPECT_NE(hint_of({{"guard", "wish:0.5"}}).find("--hierarchy illness="), std::string::npos);
  EXPECT_NE(hint_of({{"t", "0.5"}, {"distance", "ordered"}}).find("--hierarchy illness="),
            std::string::npos);
  EXPECT_NE(hint_of({{"em", "1:2"}}).find("numbers"), std::string::npos);
  EXPECT_NE(hint_of({{"l", "2@ilness"}}).find("illness"), std::string::npos);
}

}  // namespace
}  // namespace pratique::tables::model_request_test
