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

TEST(SelfAgreement, WhatWasAskedForIsClaimed) {
  Manifest manifest;
  manifest.options = Json::object();
  manifest.parameters =
      Json{{"models", {{"k", {"5"}}, {"l", {"3@diagnosis"}}, {"t", {"0.5@income", "odd"}}}}};
  manifest.claims = Json::array({{{"model", "a"}, {"k", 5}},
                                 {{"model", "b"}, {"l", 3}, {"sensitive", "diagnosis"}},
                                 {{"model", "c"}, {"t", 0.5}, {"sensitive", "income"}}});
  EXPECT_EQ(self_contradictions(manifest), Words{});
  Manifest about_another = manifest;
  Json others = *manifest.claims;
  others[1]["sensitive"] = "job";
  about_another.claims = others;
  EXPECT_EQ(self_contradictions(about_another),
            Words{"l = 3 was requested, but no claim covers it"});
  for (const char* key : {"k", "l", "t"}) {
    Manifest changed = manifest;
    Json claims = *manifest.claims;
    for (auto& claim : claims) {
      if (claim.contains(key)) claim[key] = 0.25;
    }
    changed.claims = claims;
    const auto contradictions = self_contradictions(changed);
    ASSERT_EQ(contradictions.size(), 1U) << key;
    EXPECT_TRUE(contradictions[0].starts_with(key)) << contradictions[0];
    EXPECT_TRUE(contradictions[0].ends_with("was requested, but no claim covers it"))
        << contradictions[0];
    for (auto& claim : claims) {
      if (claim.contains(key)) claim[key] = "5";
    }
    changed.claims = claims;
    EXPECT_EQ(self_contradictions(changed).size(), 1U) << key;
  }
}

}  // namespace
}  // namespace pratique::release::self_agreement_test
