#include "pratique/verify/release_verifier.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"

namespace pratique::verify::release_verifier_test {
namespace {

class ReleaseVerifier : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  std::string path = folder.path() + "/release.csv";

  static Json k_claim(int k) {
    return {{"model", "k-anonymity"}, {"quasi_identifiers", {"age"}}, {"k", k}};
  }
  static Json l_claim(int l) {
    return {{"model", "distinct-l-diversity"},
            {"quasi_identifiers", {"age"}},
            {"sensitive", "s"},
            {"l", l}};
  }
  // Writes a release of four rows, and gives the manifest that belongs to it.
  Json write_release(const std::string& text = "age;s\n1;a\n1;b\n2;a\n2;b\n") {
    write_file_atomically(path, text);
    return {{"output", {{"sha256", sha256_file(path)}, {"rows", 4}, {"delimiter", ";"}}},
            {"claims", Json::array({k_claim(2), l_claim(2)})}};
  }
  Verification verify(const Json& manifest) {
    write_file_atomically(path + ".manifest.json", to_text(manifest));
    return verify_release(*engine, path, Progress::silent());
  }
};

TEST_F(ReleaseVerifier, AReleaseThatIsWhatItsManifestSays) {
  const Verification verification = verify(write_release());
  EXPECT_TRUE(verification.holds());
  EXPECT_TRUE(verification.hash_matches);
  EXPECT_TRUE(verification.rows_match);
  EXPECT_EQ(verification.rows, 4U);
  EXPECT_EQ(verification.release, path);
  ASSERT_EQ(verification.claims.size(), 2U);
  EXPECT_EQ(verification.claims[1].model, "distinct-l-diversity");
}

TEST_F(ReleaseVerifier, EachThingThatIsNotAsItWasFails) {
  const Json good = write_release();
  Json other = good;
  other["output"]["sha256"] = sha256_hex("");
  EXPECT_FALSE(verify(other).hash_matches);
  EXPECT_FALSE(verify(other).holds());
  for (const Json& rows : {Json(3), Json(5), Json(4.0), Json("4"), Json()}) {
    other = good;
    other["output"]["rows"] = rows;
    EXPECT_FALSE(verify(other).rows_match) << rows;
    EXPECT_FALSE(verify(other).holds());
  }
  other = good;
  other["output"].erase("rows");
  EXPECT_FALSE(verify(other).holds());
  // One of two claims does not hold; neither the first nor the last hides it.
  other["output"] = good["output"];
  other["claims"] = Json::array({k_claim(3), l_claim(2)});
  EXPECT_FALSE(verify(other).holds());
  other["claims"] = Json::array({k_claim(2), l_claim(3)});
  EXPECT_FALSE(verify(other).holds());
  // No claim, no proof.
  other["claims"] = Json::array();
  EXPECT_TRUE(verify(other).hash_matches);
  EXPECT_FALSE(verify(other).holds());
}

TEST_F(ReleaseVerifier, AClaimThatStandsThereTwiceIsAnsweredTwice) {
  Json manifest = write_release();
  manifest["claims"] = Json::array({k_claim(3), l_claim(2), k_claim(3), l_claim(2)});
  const Verification verification = verify(manifest);
  ASSERT_EQ(verification.claims.size(), 4U);
  for (const std::size_t i : {0U, 2U}) {
    EXPECT_EQ(verification.claims[i].model, "k-anonymity");
    EXPECT_FALSE(verification.claims[i].holds);
    EXPECT_TRUE(verification.claims[i + 1].holds);
  }
}

TEST_F(ReleaseVerifier, WhatIsNoManifest) {
  const Json good = write_release();
  const auto refused = [&](const Json& manifest) {
    try {
      (void)verify(manifest);
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), path + ".manifest.json");
      EXPECT_FALSE(error.hint().empty());
      return error.code() == ErrorCode::bad_input;
    }
  };
  EXPECT_FALSE(refused(good));
  EXPECT_TRUE(refused(Json::array()));
  for (const char* key : {"output", "claims"}) {
    Json less = good;
    less.erase(key);
    EXPECT_TRUE(refused(less)) << key;
    less[key] = "text";
    EXPECT_TRUE(refused(less)) << key;
  }
  Json other = write_release();
  other["output"]["sha256"] = 3;
  EXPECT_TRUE(refused(other));
  other["output"].erase("sha256");
  EXPECT_TRUE(refused(other));
  std::remove((path + ".manifest.json").c_str());
  EXPECT_THROW((void)verify_release(*engine, path, Progress::silent()), Error);
  write_file_atomically(path + ".manifest.json", to_text(good));
  std::remove(path.c_str());
  EXPECT_THROW((void)verify_release(*engine, path, Progress::silent()), Error);
}

TEST_F(ReleaseVerifier, FormatsAreKnownOrRefused) {
  const auto message = [&](const Json& manifest) -> std::string {
    try {
      (void)verify(manifest);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_EQ(error.place(), path + ".manifest.json");
      return error.message();
    }
    return {};
  };
  Json first = write_release();
  first["format"] = 1;
  EXPECT_TRUE(verify(first).holds());
  Json second = first;
  second["format"] = 2;
  for (auto& claim : second["claims"]) claim["standing"] = "derived";
  EXPECT_EQ(message(second), "the manifest has no outputs");
  second["outputs"] = Json::array();
  EXPECT_EQ(message(second), "the manifest has no outputs");
  second["outputs"] = Json::array({second["output"]});
  EXPECT_TRUE(verify(second).holds());
  Json third = second;  // has commitments to its inputs, which the verifier does not look at
  third["format"] = 3;
  EXPECT_TRUE(verify(third).holds());
  for (const Json& format :
       {Json(0U), Json(4U), Json(99U), Json(), Json("2"), Json(2.0), Json(-1), Json::array()}) {
    Json other = second;
    other["format"] = format;
    EXPECT_EQ(message(other), "the manifest has a format that this version does not know")
        << format;
  }
  Json unsaid = second;
  unsaid["claims"][1].erase("standing");
  EXPECT_EQ(message(unsaid), "the manifest has a claim without its standing");
}

TEST_F(ReleaseVerifier, TheOutputIsTheFirstOfTheOutputs) {
  Json manifest = write_release();
  const Json right = manifest["output"];
  Json wrong = right;
  wrong["sha256"] = std::string(64, '0');
  for (const Json& outputs :
       {Json::array({wrong}), Json::array({wrong, right}), Json::array({3})}) {
    manifest["outputs"] = outputs;
    EXPECT_THROW((void)verify(manifest), Error) << outputs;
  }
  manifest["output"] = wrong;
  manifest["outputs"] = Json::array({wrong});
  EXPECT_FALSE(verify(manifest).hash_matches);
}

TEST_F(ReleaseVerifier, AKeyTwiceIsNoManifest) {
  std::string text = write_release().dump();
  text.back() = ',';
  write_file_atomically(path + ".manifest.json", text + R"("claims": []})");
  EXPECT_THROW((void)verify_release(*engine, path, Progress::silent()), Error);
}

// A delimiter of the manifest is taken at its word, and detected where there is none.
TEST_F(ReleaseVerifier, TheDelimiterIsThatOfTheManifest) {
  Json manifest = write_release("age;s,t\n1;a,b\n1;b,c\n2;a,b\n2;b,c\n");
  manifest["claims"] = Json::array({k_claim(2)});
  EXPECT_TRUE(verify(manifest).holds());
  manifest["output"]["delimiter"] = ",";
  EXPECT_THROW((void)verify(manifest), Error);  // there is no column age
  manifest = write_release();
  for (const Json& delimiter : {Json(), Json(3), Json(""), Json("||")}) {
    manifest["output"]["delimiter"] = delimiter;
    EXPECT_TRUE(verify(manifest).holds()) << delimiter;
  }
}

TEST_F(ReleaseVerifier, SetsAreReadAsSets) {
  write_file_atomically(path, "a b\na b\n");
  const Json manifest = {
      {"output", {{"sha256", sha256_file(path)}, {"rows", 2}, {"format", "sets"}}},
      {"claims", Json::array({{{"model", "complete-anonymity"}, {"k", 2}}})}};
  EXPECT_TRUE(verify(manifest).holds());
}

TEST(VerificationJson, SaysWhatWasFound) {
  Verification verification;
  verification.release = "r.csv";
  verification.rows = 3;
  verification.hash_matches = true;
  verification.claims = {{.model = "alpha",
                          .attribute = "s",
                          .required = 0.5,
                          .achieved = 0.25,
                          .holds = true,
                          .explanation = "words"},
                         {.model = "k-anonymity",
                          .attribute = "",
                          .required = 2,
                          .achieved = std::numeric_limits<double>::infinity(),
                          .holds = true,
                          .explanation = ""}};
  const Json json = to_json(verification);
  EXPECT_EQ(json["release"], "r.csv");
  EXPECT_EQ(json["rows"], 3);
  EXPECT_EQ(json["hash_matches"], true);
  EXPECT_EQ(json["rows_match"], false);
  EXPECT_EQ(json["holds"], false);
  EXPECT_EQ(json["claims"][0]["attribute"], "s");
  EXPECT_EQ(json["claims"][0]["achieved"], 0.25);
  EXPECT_EQ(json["claims"][0]["explanation"], "words");
  EXPECT_FALSE(json["claims"][1].contains("attribute"));
  EXPECT_TRUE(json["claims"][1]["achieved"].is_null());
  verification.rows_match = true;
  EXPECT_EQ(to_json(verification)["holds"], true);
}

}  // namespace
}  // namespace pratique::verify::release_verifier_test
