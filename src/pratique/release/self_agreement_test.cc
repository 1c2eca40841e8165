#include "pratique/release/internal/self_agreement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pratique::release::self_agreement_test {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.seed = 7;
  manifest.options = Json{{"k", 5}, {"m", 2}, {"seed", 7}};
  manifest.parameters = Json{{"k", 5}, {"m", 2}, {"quasi_identifiers", {"age", "zip"}}};
  manifest.claims =
      Json::array({{{"model", "k-anonymity"}, {"k", 5}, {"quasi_identifiers", {"zip", "age"}}}});
  return manifest;
}

using Words = std::vector<std::string>;

TEST(SelfAgreement, WhatAgreesIsNotMentioned) {
  EXPECT_EQ(self_contradictions(example()), Words{});
}

TEST(SelfAgreement, OptionsAskForWhatTheParametersSay) {
  Manifest manifest = example();
  manifest.options = Json{{"k", 6}, {"m", 3}, {"seed", 8}};
  EXPECT_EQ(self_contradictions(manifest), (Words{"the recorded options ask for another k",
                                                  "the recorded options ask for another m",
                                                  "the recorded options have another seed"}));
  // What is not there, or no number, is not compared.
  manifest.options = Json{{"k", {"6"}}, {"seed", nullptr}};
  EXPECT_EQ(self_contradictions(manifest), Words{});
  manifest.options = Json{{"k", 6}};
  manifest.parameters = Json{{"k", "five"}};
  EXPECT_EQ(self_contradictions(manifest), Words{});
}

TEST(SelfAgreement, ClaimsAreAboutTheColumnsOfTheRelease) {
  Manifest manifest = example();
  manifest.claims = Json::array({{{"model", "alpha"}, {"quasi_identifiers", {"age"}}},
                                 {{"model", "alpha"}, {"quasi_identifiers", {"zip"}}},
                                 {{"model", "rho1-to-rho2"}}});
  EXPECT_EQ(self_contradictions(manifest),
            Words{"the claim of alpha is not about the quasi-identifiers of the release"});
  manifest.parameters = Json::object();
  EXPECT_EQ(self_contradictions(manifest), Words{});
}

TEST(SelfAgreement, ClaimsAreAboutSensitiveColumnsOfTheRelease) {
  Manifest manifest = example();
  manifest.parameters = Json{{"quasi_identifiers", {"age"}}, {"sensitive", {"diagnosis"}}};
  Json claim = {{"model", "alpha"}, {"quasi_identifiers", {"age"}}, {"sensitive", "diagnosis"}};
  manifest.claims = Json::array({claim});
  EXPECT_EQ(self_contradictions(manifest), Words{});
  claim["sensitive"] = "diag";
  manifest.claims = Json::array({claim});
  EXPECT_EQ(self_contradictions(manifest),
            Words{"the claim of alpha is not about a sensitive column of the release"});
}

TEST(SelfAgreement, ClaimsHaveTheKAndMThatWereAskedFor) {
  Manifest manifest = example();
  manifest.claims = Json::array({{{"model", "km-anonymity"}, {"k", 4}, {"m", 1}}});
  EXPECT_EQ(self_contradictions(manifest),
            (Words{"the claim of km-anonymity has a different k than requested",
                   "the claim of km-anonymity has a different m than requested"}));
  manifest.parameters = Json{{"k", {"4"}}};
  EXPECT_EQ(self_contradictions(manifest), Words{});
}

TEST(SelfAgreement, NoiseIsClaimedAsItWasAskedFor) {
  Manifest manifest;
  manifest.options = Json{{"epsilon", 1}, {"insecure-seed", nullptr}};
  manifest.parameters = Json{{"epsilon", 1}, {"delta", 1e-6}, {"max_rows", 2}, {"private", true}};
  const Json claim = {
      {"model", "differential-privacy"}, {"epsilon", 1}, {"delta", 1e-6}, {"max_rows", 2}};
  manifest.claims = Json::array({claim});
  EXPECT_EQ(self_contradictions(manifest), Words{});
  for (const std::string key : {"epsilon", "delta", "max_rows"}) {
    Json changed = claim;
    changed[key] = changed[key].get<double>() / 2;
    manifest.claims = Json::array({changed});
    EXPECT_EQ(
        self_contradictions(manifest),
        Words{"the claim of differential-privacy has a different " + key + " than requested"});
    changed.erase(key);
    manifest.claims = Json::array({changed});
    EXPECT_EQ(self_contradictions(manifest).size(), 1U) << key;
  }
  manifest.claims = Json::array({claim});
  const Words seeded{"noise that follows from a seed is claimed to be private"};
  manifest.options = Json{{"epsilon", 1}, {"insecure-seed", 3}};
  EXPECT_EQ(self_contradictions(manifest), seeded);
  manifest.options = Json{{"epsilon", 1}};
  manifest.parameters = Json{{"epsilon", 1}, {"delta", 1e-6}, {"max_rows", 2}, {"private", false}};
  EXPECT_EQ(self_contradictions(manifest), seeded);
  manifest.options = Json{{"epsilon", 4}};
  manifest.parameters = Json{{"epsilon", 1}, {"delta", 1e-6}, {"max_rows", 2}};
  EXPECT_EQ(self_contradictions(manifest), Words{"the recorded options ask for another epsilon"});
}

}  // namespace
}  // namespace pratique::release::self_agreement_test
