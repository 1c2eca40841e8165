#include "pratique/release/internal/kind_agreement.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

namespace pratique::release::kind_agreement_test {
namespace {

using Words = std::vector<std::string>;

bool is_flat(const std::string& value) { return value == "flat"; }

constexpr std::array<ModelWords, 2> kModels = {
    {{"k-anonymity", "", "", ""}, {"alpha", "", "", ""}}};
constexpr std::array<FileOption, 2> kFileOptions = {{{"hierarchy", is_flat}, {"lists"}}};
constexpr Kind kPolls = {.noun = "polls",
                         .verb = "ask",
                         .title = "",
                         .adversary = "",
                         .file_kind = "",
                         .models = kModels,
                         .file_options = kFileOptions};

Manifest example() {
  Manifest manifest;
  manifest.kind = "polls";
  manifest.verb = "ask";
  manifest.inputs = {{"in.csv", "", 0}, {"tree.csv", "", 0, "setting"}};
  manifest.options = Json{{"FILE", "in.csv"}, {"k", 5}, {"out", "out.csv"}};
  manifest.claims = Json::array({{{"model", "k-anonymity"}}, {{"model", "alpha"}}});
  return manifest;
}

Words contradictions_of(const Manifest& manifest) {
  Words all = kind_misfits(kPolls, manifest);
  const Words files = unrecorded_files(kPolls, manifest);
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

// Whether an option with this value agrees with inputs of these paths.
bool agrees(const char* option, const Json& value, const Words& inputs) {
  Manifest manifest = example();
  manifest.inputs.clear();
  for (const auto& path : inputs) manifest.inputs.push_back({path, "", 0});
  manifest.options = Json{{option, value}};
  const Words words = contradictions_of(manifest);
  if (words.empty()) return true;
  EXPECT_EQ(words, Words{"the option " + std::string(option) +
                         " names a file that is not among the inputs"});
  return false;
}

TEST(KindAgreement, WhatAgreesIsNotMentioned) {
  EXPECT_EQ(contradictions_of(example()), Words{});
  Manifest nothing = example();
  nothing.options = Json::object();
  nothing.claims = Json::array();
  EXPECT_EQ(contradictions_of(nothing), Words{});
}

TEST(KindAgreement, TheVerbIsThatOfTheKind) {
  Manifest manifest = example();
  manifest.verb = "protect";
  EXPECT_EQ(contradictions_of(manifest),
            Words{"releases of polls are made by the verb ask, and by no other"});
}

TEST(KindAgreement, OnlyModelsOfTheKindAreClaimed) {
  Manifest manifest = example();
  manifest.claims = Json::array({{{"model", "k-map"}}, {{"model", "alpha"}}, {{"model", "k-map"}}});
  EXPECT_EQ(contradictions_of(manifest), Words{"releases of polls do not claim k-map"});
}

TEST(KindAgreement, EveryFileThatTheOptionsNameIsAnInput) {
  for (const char* option : {"FILE", "config", "lists"}) {
    EXPECT_TRUE(agrees(option, "in.csv", {"other.csv", "in.csv"})) << option;
    EXPECT_TRUE(agrees(option, "", {})) << option;
    EXPECT_TRUE(agrees(option, nullptr, {})) << option;
    EXPECT_FALSE(agrees(option, "in.csv", {})) << option;
    EXPECT_FALSE(agrees(option, "in.csv", {"in.csv2", "2in.csv", "there/in.csv"})) << option;
    EXPECT_FALSE(agrees(option, {"in.csv", "more.csv"}, {"in.csv"})) << option;
    EXPECT_TRUE(agrees(option, {"in.csv", "more.csv"}, {"in.csv", "more.csv"})) << option;
  }
  EXPECT_TRUE(agrees("out", "out.csv", {}));
}

TEST(KindAgreement, InputsAreNamedInSeveralWays) {
  EXPECT_TRUE(agrees("FILE", "-", {"standard input"}));
  EXPECT_FALSE(agrees("FILE", "-", {"in.csv"}));
  EXPECT_TRUE(agrees("FILE", "h.duckdb", {"h.duckdb:patients"}));
  EXPECT_TRUE(agrees("FILE", "h.duckdb:patients", {"h.duckdb:patients"}));
  EXPECT_FALSE(agrees("FILE", "h.duckdb:doctors", {"h.duckdb:patients"}));
  for (const char* folder : {"lists", "lists/", "./lists", "lists/*.csv", "*/a.csv", "lists/a*"})
    EXPECT_TRUE(agrees("lists", folder, {"lists/a.csv"})) << folder;
  for (const char* folder : {"list", "lists/b", "a.csv", "lists/*.tsv", "more/*.csv"})
    EXPECT_FALSE(agrees("lists", folder, {"lists/a.csv"})) << folder;
  EXPECT_TRUE(agrees("lists", ".", {"./a.csv"}));
  EXPECT_TRUE(agrees("lists", "a*.csv", {"./a1.csv"}));
  EXPECT_FALSE(agrees("lists", ".", {"/elsewhere/a.csv"}));
}

TEST(KindAgreement, WhatIsBuiltInIsNoFile) {
  EXPECT_TRUE(agrees("hierarchy", "flat", {}));
  EXPECT_TRUE(agrees("hierarchy", {"age=flat", "sex=tree.csv"}, {"tree.csv"}));
  EXPECT_FALSE(agrees("hierarchy", {"age=flat", "sex=other.csv"}, {"tree.csv"}));
  EXPECT_TRUE(agrees("hierarchy", "a=b.csv", {"a=b.csv"}));
  EXPECT_FALSE(agrees("lists", "flat", {}));
}

}  // namespace
}  // namespace pratique::release::kind_agreement_test
