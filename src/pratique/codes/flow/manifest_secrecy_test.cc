// What leaves beside the release tells no more than the release: inputs that differ, and whose
// releases are equal, have equal manifests but for what is drawn anew for each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/kind/testing/flow_fixture.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::codes::flow::manifest_secrecy_test {
namespace {

class ManifestSecrecy : public FlowFixture {
 protected:
  ProtectRequest request{.out = path("out.csv"), .seed = 1};

  void SetUp() override {
    request.parameters.k = 2;
    request.parameters.m = 1;
  }

  struct Left {
    std::string release;
    Json manifest;
  };
  Left left_of(const std::string& rows) {
    request.file = file("in.csv", "patient,code\n" + rows);
    (void)protect(request, run());
    EXPECT_TRUE(verify::verify_release(engine(), request.out, Progress::silent()).holds());
    Left left{read_file(request.out), manifest_of(request.out)};
    for (const char* drawn : {"created", "private"}) left.manifest.erase(drawn);
    for (auto& input : left.manifest["inputs"]) input.erase("commitment");
    return left;
  }
  void expect_alike(const std::string& rows, const std::string& others) {
    const Left first = left_of(rows);
    const Left second = left_of(others);
    ASSERT_EQ(first.release, second.release);
    EXPECT_EQ(first.manifest, second.manifest);
  }
};

// Both are a patient's own code under the same node.
TEST_F(ManifestSecrecy, ALabelOfASystemDoesNotListTheCodesOfTheData) {
  request.codes.hierarchy = "icd9";
  const std::string others = "C,250.00\nD,250.00\n";
  expect_alike("A,401.0\nB,401.1\n" + others, "A,401.1\nB,401.9\n" + others);
  EXPECT_EQ(manifest_of(request.out)["claims"][0]["labels"], (Json{{"401", "icd9"}}));
  // A code that is called like the label.
  expect_alike("A,401\nB,401.1\n" + others, "A,401\nB,401.9\n" + others);
  EXPECT_EQ(manifest_of(request.out)["claims"][0]["labels"], (Json{{"401*", "icd9"}}));
}

TEST_F(ManifestSecrecy, ATreeOfTheUsersIsListedAsItIs) {
  request.codes.hierarchy = file("tree.csv", "a;ab;*\nb;ab;*\nx;ab;*\nc;cd;*\nd;cd;*\n");
  const std::string others = "C,c\nD,c\n";
  expect_alike("A,a\nB,b\n" + others, "A,a\nB,x\n" + others);
  EXPECT_EQ(manifest_of(request.out)["claims"][0]["labels"], (Json{{"ab", {"a", "b", "x"}}}));
}

TEST_F(ManifestSecrecy, ASuppressedCodeIsNotNamed) {
  request.method = "suppress";
  const std::string others = "A,250.00\nB,250.00\nC,250.00\n";
  expect_alike(others + "C,042\n", others + "C,401.9\n");
  // Nor a patient who does not leave.
  expect_alike(others + "D,042\n", others + "D,401.9\n");
}

// Of what begins with 295, the data has one code or the other, and it is suppressed everywhere.
TEST_F(ManifestSecrecy, AListOfSensitiveCodesIsToldAsItWasGiven) {
  request.model = "uncertainty";
  request.parameters = {};
  request.parameters.rho = 0.2;
  request.model_files["sensitive"] = file("sensitive.txt", "295*\n042\n");
  request.codes.hierarchy = "icd9";
  std::string others;
  for (const char* patient : {"A", "B", "C"})
    others += fmt::format("{0},250.00\n{0},401.9\n", patient);
  expect_alike(others + "C,295.10\n", others + "C,295.20\n");
  EXPECT_EQ(manifest_of(request.out)["claims"][0]["sensitive"], (Json{"042", "295*"}));
}

// Which codes of a utility policy the data has.
TEST_F(ManifestSecrecy, AUtilityPolicyIsToldAsFarAsTheReleaseShowsIt) {
  request.model = "policy";
  request.parameters = {};
  request.parameters.k = 2;
  request.model_files["privacy"] = file("privacy.txt", "250.00 401.9\n493.00\n493.01\n");
  request.model_files["utility"] = file("utility.txt", "493*\n250.00\n");
  const std::string others = "A,250.00\nB,250.00\nA,401.9\nB,401.9\n";
  request.file = file("in.csv", "patient,code\n" + others + "C,493.00\nD,493.01\n");
  (void)protect(request, run());
  const Json claim = manifest_of(request.out)["claims"][0];
  EXPECT_FALSE(claim["privacy"].contains("sha256"));
  EXPECT_EQ(claim["utility"], (Json{{"493.00", "493.01"}, {"250.00"}}));
}

// A name among those who do not leave.
TEST_F(ManifestSecrecy, WhatIsAllowedDoesNotHangOnWhoIsSuppressed) {
  request.method = "suppress";
  request.insensitive = {"ward"};
  request.rows_are_people = true;
  request.allowed = {"ward"};
  const auto rows = [](const char* ward) {
    return fmt::format("patient,code,ward\nA,a,1\nB,a,1\nC,x,{}\n", ward);
  };
  std::vector<Json> manifests;
  for (const char* ward : {"1", "111-22-3333"}) {
    request.file = file("wards.csv", rows(ward));
    (void)protect(request, run());
    Json manifest = manifest_of(request.out);
    for (const char* drawn : {"created", "private", "inputs"}) manifest.erase(drawn);
    manifests.push_back(std::move(manifest));
  }
  EXPECT_EQ(manifests[0], manifests[1]);
}

}  // namespace
}  // namespace pratique::codes::flow::manifest_secrecy_test
