#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/verify/claims.h"

namespace pratique::verify::policy_claims_test {
namespace {

using Lists = std::vector<std::vector<std::string>>;

class PolicyClaimTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});

  ClaimResult check(const std::string& release, int k, const Lists& privacy,
                    const Lists& utility = {}) {
    const std::string path = folder.path() + "/release.dat";
    std::ofstream(path) << release;
    const Source source = engine->open_sets(path, Progress::silent());
    const Json claim = {
        {"model", "policy-anonymity"}, {"k", k}, {"privacy", privacy}, {"utility", utility}};
    return verify_claim(*engine, source, claim, Progress::silent());
  }
};

// The release of the tutorial's UGACLIP example.
constexpr const char* kTutorial =
    "(296.00|296.01) 296.02\n295.00 295.01 295.02\n(296.00|296.01) 296.02\n";

TEST_F(PolicyClaimTest, TheTutorialsReleaseHolds) {
  const Lists privacy = {{"296.00", "296.01", "296.02"}};
  const auto verdict = check(kTutorial, 2, privacy, {{"296.00", "296.01"}});
  EXPECT_TRUE(verdict.holds) << verdict.explanation;
  EXPECT_EQ(verdict.achieved, 2);
  EXPECT_FALSE(check(kTutorial, 3, privacy).holds);
}

TEST_F(PolicyClaimTest, ASetThatCrossesAUtilityConstraintIsNamed) {
  const Lists privacy = {{"296.02"}};
  for (const Lists& utility : {Lists{{"296.00"}}, Lists{{"296.01", "296.02"}},
                               Lists{{"296.00", "296.01"}, {"296.01", "296.02"}}}) {
    const auto verdict = check(kTutorial, 2, privacy, utility);
    EXPECT_FALSE(verdict.holds);
    EXPECT_NE(verdict.explanation.find("(296.00|296.01)"), std::string::npos);
  }
  EXPECT_TRUE(check(kTutorial, 2, privacy, {{"296.00", "296.01", "296.02"}, {"295.00"}}).holds);
}

// {a, b, c} is in no record once c is suppressed, yet whoever knows it still knows {a, b}.
TEST_F(PolicyClaimTest, TheRestOfAConstraintCountsWhenACodeIsGone) {
  const auto verdict = check("a b\na x\nb x\n", 2, {{"a", "b", "c"}});
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_NE(verdict.explanation.find("a, b"), std::string::npos) << verdict.explanation;
  EXPECT_TRUE(check("a x\nb x\n", 2, {{"a", "b"}}).holds);   // together in none
  EXPECT_TRUE(check("a x\nb x\n", 2, {{"c", "d"}}).holds);   // neither is there
  EXPECT_FALSE(check("a x\nb x\n", 2, {{"a", "d"}}).holds);  // a alone, one patient
}

// Two wide sets match every constraint, and hide nobody whose codes stand beside them.
TEST_F(PolicyClaimTest, AWideSetBesideItsCodesHidesNobody) {
  const auto verdict = check("a b\n(a|b)\n(a|b)\n", 3, {{"a", "b"}});
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.explanation, "the code a is in several items");
}

TEST_F(PolicyClaimTest, OneBreachInALargeFileIsFound) {
  std::string release;
  Lists privacy;
  for (int i = 0; i < 500; ++i) {
    const std::string pair = "c" + std::to_string(i) + " d" + std::to_string(i % 50);
    for (int copy = 0; copy < 5; ++copy) release += pair + " (x|y)\n";
    privacy.push_back({"c" + std::to_string(i), "d" + std::to_string(i % 50), "y"});
  }
  EXPECT_TRUE(check(release, 5, privacy).holds);
  privacy.push_back({"c7", "d8"});
  EXPECT_TRUE(check(release, 5, privacy).holds);
  const auto verdict = check(release + "c7 d8\n", 5, privacy);
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.achieved, 1);
  EXPECT_NE(verdict.explanation.find("c7, d8"), std::string::npos) << verdict.explanation;
}

TEST_F(PolicyClaimTest, AClaimThatSaysNothingIsRefused) {
  EXPECT_THROW((void)check(kTutorial, 2, {}), Error);
  EXPECT_THROW((void)check(kTutorial, 2, {{}}), Error);
  EXPECT_THROW((void)check(kTutorial, 2, {{"296.02"}, {}}), Error);
  EXPECT_THROW((void)check(kTutorial, 2, {{"296.02"}}, {{"295.00"}, {}}), Error);
}

// Wherever it stands in the file.
TEST_F(PolicyClaimTest, ALabelWithoutCodesIsRefused) {
  for (const char* label : {"x", "y", "z"}) {
    const std::string path = folder.path() + "/release.dat";
    std::ofstream(path) << "x y z\nx y z\n";
    const Source source = engine->open_sets(path, Progress::silent());
    Json claim = {{"model", "policy-anonymity"},
                  {"k", 2},
                  {"privacy", {{"a"}}},
                  {"utility", Json::array()},
                  {"labels", {{"x", {"a"}}, {"y", {"b"}}, {"z", {"c"}}}}};
    EXPECT_TRUE(verify_claim(*engine, source, claim, Progress::silent()).holds);
    claim["labels"][label] = Json::array();
    EXPECT_THROW((void)verify_claim(*engine, source, claim, Progress::silent()), Error) << label;
  }
}

}  // namespace
}  // namespace pratique::verify::policy_claims_test
