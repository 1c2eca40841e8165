#include "pratique/manifest/private_manifest.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/core/file.h"

namespace pratique::private_manifest_test {
namespace {

namespace fs = std::filesystem;

// What Python's hmac and hashlib make of these bytes.
constexpr const char* kKey = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
constexpr const char* kName = "ba423b6c7b14f66d70336ebbecb4a416";
constexpr const char* kHash = "d514b1c5bc6d0fd923133db199f661ffabeb3d00bab919b503f4f35703ee22c4";
constexpr const char* kCommitment =
    "792288d8ed99b09ac7f058304420ac710107c61488a9ad22b1bee042903e2ac0";

PrivateManifest example() {
  PrivateManifest kept;
  kept.key = kKey;
  kept.inputs = {{.path = "ages.csv", .sha256 = kHash, .bytes = 7}};
  kept.results = Json{{"rows_in", 9},
                      {"after", {{"unique", 0}, {"secret", 1}}},
                      {"randomised", Json::array({{{"column", "age"}, {"changed", 4}}})}};
  kept.figures = {{"rows_in", Unit::number, "records read"}};
  return kept;
}

Manifest told() {
  Manifest manifest;
  manifest.inputs = {{.path = "ages.csv", .commitment = kCommitment}};
  manifest.results =
      Json{{"after", {{"unique", 3}}}, {"randomised", Json::array({{{"column", "age"}}})}};
  return manifest;
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

TEST(PrivateManifest, NameAndCommitmentAreHmacs) {
  const auto kept = example();
  EXPECT_EQ(kept.name(), kName);
  EXPECT_EQ(kept.commitment(kept.inputs[0]), kCommitment);
  auto other = kept.inputs[0];
  other.bytes = 8;
  EXPECT_NE(kept.commitment(other), kCommitment);
}

TEST(PrivateManifest, EveryReleaseHasAKeyOfItsOwn) {
  std::set<std::string> keys;
  for (int i = 0; i < 20; ++i) keys.insert(PrivateManifest::draw().key);
  EXPECT_EQ(keys.size(), 20U);
  for (const auto& key : keys) EXPECT_EQ(key.size(), 64U);
}

TEST(PrivateManifest, FillsInWhatTheManifestLeavesOut) {
  Manifest manifest = told();
  ASSERT_TRUE(example().complete(manifest));
  EXPECT_EQ(manifest.inputs[0].sha256, kHash);
  EXPECT_EQ(manifest.inputs[0].bytes, 7U);
  EXPECT_EQ((*manifest.results)["rows_in"], 9);
  // What the manifest tells is what is held against the files.
  EXPECT_EQ((*manifest.results)["after"], (Json{{"unique", 3}, {"secret", 1}}));
  EXPECT_EQ((*manifest.results)["randomised"][0], (Json{{"column", "age"}, {"changed", 4}}));
  ASSERT_EQ(manifest.figures.size(), 1U);
  EXPECT_EQ(manifest.figures[0].key, "rows_in");
}

TEST(PrivateManifest, DoesNotFillInAnotherManifest) {
  for (const auto& spoil : std::vector<std::function<void(Manifest&)>>{
           [](Manifest& m) { m.inputs[0].commitment[0] = '8'; },
           [](Manifest& m) { m.inputs[0].path = "other.csv"; },
           [](Manifest& m) { m.inputs.clear(); },
           [](Manifest& m) { m.inputs.push_back(m.inputs[0]); }}) {
    Manifest manifest = told();
    spoil(manifest);
    EXPECT_FALSE(example().complete(manifest));
    EXPECT_FALSE(manifest.results->contains("rows_in"));
    for (const auto& input : manifest.inputs) EXPECT_EQ(input.sha256, "");
  }
}

TEST(PrivateManifest, IsForItsOwnerAloneAndIsFoundByItsName) {
  const PrivateFolder folder;
  const std::string place = folder.path() + "/a/b";
  const std::string path = example().write({"", place, folder.path() + "/never"});
  EXPECT_EQ(path, place + "/" + kName + ".json");
  EXPECT_EQ(mode_of(path), 0600U);
  EXPECT_EQ(mode_of(place), 0700U);
  EXPECT_FALSE(fs::exists(folder.path() + "/never"));
  const auto kept = PrivateManifest::find(kName, {"", folder.path(), place});
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->to_text(), example().to_text());
  EXPECT_EQ(kept->key, kKey);
  EXPECT_FALSE(PrivateManifest::find(kName, {folder.path()}));
}

TEST(PrivateManifest, GoesToTheNextFolderWhereTheFirstCannotBeUsed) {
  const PrivateFolder folder;
  std::ofstream(folder.path() + "/file") << "x";
  fs::create_directory(folder.path() + "/real");
  fs::create_directory_symlink(folder.path() + "/real", folder.path() + "/link");
  for (const auto* in_the_way : {"/file", "/file/inner", "/link"}) {
    const std::string next = folder.path() + "/next";
    EXPECT_EQ(example().write({folder.path() + in_the_way, next}), next + "/" + kName + ".json");
    fs::remove_all(next);
    try {
      (void)example().write({folder.path() + in_the_way, ""});
      FAIL() << in_the_way;
    } catch (const Error& error) {
      EXPECT_NE(error.hint().find("--private"), std::string::npos);
    }
  }
  EXPECT_TRUE(fs::is_empty(folder.path() + "/real"));
  EXPECT_THROW((void)example().write({""}), Error);
}

TEST(PrivateManifest, ANameLeadsNowhereElse) {
  const PrivateFolder folder;
  fs::create_directory(folder.path() + "/in");
  (void)example().write({folder.path()});
  for (const std::string& name :
       {std::string("../") + kName, std::string(), std::string(kName).substr(1),
        std::string(kName) + "0", std::string("BA423B6C7B14F66D70336EBBECB4A416")}) {
    EXPECT_FALSE(PrivateManifest::find(name, {folder.path() + "/in", folder.path()})) << name;
  }
  // Under another one's name it is nobody's.
  const std::string other = "0" + std::string(kName).substr(1);
  fs::rename(folder.path() + "/" + kName + ".json", folder.path() + "/" + other + ".json");
  EXPECT_FALSE(PrivateManifest::find(other, {folder.path()}));
}

TEST(PrivateManifest, WhatIsNoneIsRefused) {
  const Json good = parse_json(example().to_text(), "x");
  EXPECT_NO_THROW((void)PrivateManifest::parse(to_text(good), "x"));
  for (const char* key : {"format", "key", "inputs", "results", "figures"}) {
    Json broken = good;
    broken.erase(key);
    EXPECT_THROW((void)PrivateManifest::parse(to_text(broken), "x"), Error) << key;
    broken[key] = nullptr;
    EXPECT_THROW((void)PrivateManifest::parse(to_text(broken), "x"), Error) << key;
  }
  for (const Json& changed :
       {Json{{"format", 2}}, Json{{"key", "12"}}, Json{{"inputs", {{{"path", "a"}}}}}}) {
    Json broken = good;
    broken.update(changed);
    EXPECT_THROW((void)PrivateManifest::parse(to_text(broken), "x"), Error) << changed;
  }
}

TEST(PrivateManifest, LiesHiddenBesideTheInputOrWithTheUser) {
  EXPECT_EQ(private_folder_beside("/data/in.csv"), "/data/.pratique/private");
  EXPECT_EQ(private_folder_beside("in.csv"), "./.pratique/private");
  const auto restored = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::optional<std::string>() : std::optional<std::string>(value);
  };
  const auto home = restored("HOME");
  const auto state = restored("XDG_STATE_HOME");
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XDG_STATE_HOME");
  EXPECT_EQ(private_folder_of_user(), "/home/somebody/.local/state/pratique/private");
  setenv("XDG_STATE_HOME", "/state", 1);
  EXPECT_EQ(private_folder_of_user(), "/state/pratique/private");
  setenv("XDG_STATE_HOME", "relative", 1);  // to be ignored, says the standard
  unsetenv("HOME");
  EXPECT_EQ(private_folder_of_user(), "");
  if (home) setenv("HOME", home->c_str(), 1);
  if (state) {
    setenv("XDG_STATE_HOME", state->c_str(), 1);
  } else {
    unsetenv("XDG_STATE_HOME");
  }
}

}  // namespace
}  // namespace pratique::private_manifest_test
