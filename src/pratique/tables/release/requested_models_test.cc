#include "pratique/tables/release/requested_models.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/tables/model/model_kind.h"

namespace pratique::release::requested_models_test {
namespace {

using Words = std::vector<std::string>;

Words contradictions_of(const Json& models, const Json& claims,
                        const std::string& method = "optimal") {
  Manifest manifest;
  manifest.parameters =
      Json{{"method", method}, {"models", models}, {"sensitive", {"ill", "cost"}}};
  manifest.claims = claims;
  Words found;
  compare_requested_models(manifest, found);
  return found;
}

struct Example {
  const char* key;
  Json models;
  Json claim;
};

// Each model alone, and its claim.
std::vector<Example> examples() {
  return {
      {"k", {{"k", {"5"}}}, {{"model", "k-anonymity"}, {"k", 5}}},
      {"k-map", {{"k-map", {"6"}}}, {{"model", "k-map"}, {"k", 6}}},
      {"delta",
       {{"delta", {"0.1,0.5"}}},
       {{"model", "delta-presence"}, {"delta_min", 0.1}, {"delta_max", 0.5}}},
      {"l",
       {{"l", {"3@ill"}}},
       {{"model", "distinct-l-diversity"}, {"l", 3}, {"sensitive", "ill"}}},
      {"l",
       {{"l", {"3@ill"}}, {"diversity", {"entropy"}}},
       {{"model", "entropy-l-diversity"}, {"l", 3}, {"sensitive", "ill"}}},
      {"l",
       {{"l", {"3@ill"}}, {"diversity", {"recursive:2@ill", "entropy"}}},
       {{"model", "recursive-l-diversity"}, {"l", 3}, {"c", 2}, {"sensitive", "ill"}}},
      {"alpha",
       {{"alpha", {"0.5@ill"}}},
       {{"model", "alpha"}, {"alpha", 0.5}, {"sensitive", "ill"}}},
      {"t",
       {{"t", {"0.2@cost"}}, {"distance", {"ordered@cost"}}},
       {{"model", "t-closeness"}, {"t", 0.2}, {"distance", "ordered"}, {"sensitive", "cost"}}},
      {"em",
       {{"em", {"10:4@cost"}}},
       {{"model", "em-anonymity"}, {"e", 10}, {"m", 4}, {"sensitive", "cost"}}},
      {"range",
       {{"range", {"100@cost"}}},
       {{"model", "range-diversity"}, {"e", 100}, {"sensitive", "cost"}}},
      {"guard",
       {{"guard", {"wish:0.3@ill"}}},
       {{"model", "personalised-privacy"}, {"guard", "wish"}, {"p", 0.3}, {"sensitive", "ill"}}},
      {"rho",
       {{"rho", {"0.1:0.5@ill"}}},
       {{"model", "rho1-to-rho2"}, {"rho1", 0.1}, {"rho2", 0.5}, {"sensitive", "ill"}}},
      {"growth",
       {{"growth", {"0.3@ill"}}},
       {{"model", "delta-growth"}, {"delta", 0.3}, {"sensitive", "ill"}}},
      {"value-risk",
       {{"value-risk", {"0.1:HIV: type 1@ill"}}},
       {{"model", "value-risk"}, {"share", 0.1}, {"value", "HIV: type 1"}, {"sensitive", "ill"}}},
  };
}

TEST(RequestedModels, WhatIsClaimedAsItWasAskedForIsNotMentioned) {
  for (const auto& example : examples())
    EXPECT_EQ(contradictions_of(example.models, Json::array({example.claim})), Words{})
        << example.models;
}

TEST(RequestedModels, WhateverOfAClaimIsChangedOrCutIsNoticed) {
  for (const auto& example : examples()) {
    const auto said = contradictions_of(example.models, Json::array());
    ASSERT_EQ(said.size(), 1U) << example.models;
    EXPECT_NE(said[0].find(example.key), std::string::npos) << said[0];
    EXPECT_EQ(said[0].find("HIV"), std::string::npos) << said[0];
    for (const auto& [key, value] : example.claim.items()) {
      Json changed = example.claim;
      if (value.is_number()) {
        changed[key] = value.get<double>() * 0.5;
      } else {
        changed[key] = value.get<std::string>() + "x";
      }
      EXPECT_EQ(contradictions_of(example.models, Json::array({changed})), said) << changed;
      changed.erase(key);
      EXPECT_EQ(contradictions_of(example.models, Json::array({changed})), said) << changed;
    }
  }
}

// A setting that changes nothing by itself is about another: --diversity, --distance, --population.
TEST(RequestedModels, EveryModelThatCanBeAskedForIsCompared) {
  std::set<std::string> compared = {"diversity", "distance", "population"};
  for (const auto& example : examples()) compared.insert(example.key);
  for (const auto& key : tables::model_keys()) EXPECT_TRUE(compared.contains(key)) << key;
}

TEST(RequestedModels, AWordWithoutAColumnIsAboutAllThatHaveNone) {
  const Json models = {{"l", {"2", "3@cost"}}};
  const Json of_ill = {{"model", "distinct-l-diversity"}, {"l", 2}, {"sensitive", "ill"}};
  const Json of_cost = {{"model", "distinct-l-diversity"}, {"l", 3}, {"sensitive", "cost"}};
  EXPECT_EQ(contradictions_of(models, Json::array({of_ill, of_cost})), Words{});
  EXPECT_EQ(contradictions_of(models, Json::array({of_ill})).size(), 1U);
  EXPECT_EQ(contradictions_of(models, Json::array({of_cost})).size(), 1U);
  EXPECT_EQ(contradictions_of({{"l", {"2@ill"}}},
                              Json::array({{{"model", "anatomy"}, {"l", 2}, {"sensitive", "ill"}}}),
                              "anatomy"),
            Words{});
}

}  // namespace
}  // namespace pratique::release::requested_models_test
