#include "pratique/kind/sequence.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/kind/testing/release_fixture.h"

namespace pratique::release::sequence_test {
namespace {

TEST(SequenceRevealed, TheBreachIsTheLargestThatCounts) {
  SequenceRevealed revealed;
  EXPECT_EQ(revealed.breach(), 0);
  revealed.under_k = 0.5;
  EXPECT_EQ(revealed.breach(), 0);
  revealed.k_counts = true;
  EXPECT_EQ(revealed.breach(), 0.5);
  revealed.rows_linked = 0.25;
  EXPECT_EQ(revealed.breach(), 0.25);
  revealed.attributes = {{.sensitive = "a", .disclosed_alone = 0.9, .disclosed = 0.4},
                         {.sensitive = "b", .disclosed = 0.8, .counts = false},
                         {.sensitive = "c", .disclosed = 0.3}};
  EXPECT_EQ(revealed.breach(), 0.4);
}

TEST(SequenceRevealed, WhatWasLeftOutIsNotComplete) {
  SequenceRevealed revealed;
  EXPECT_FALSE(revealed.complete());
  revealed.attacked = true;
  EXPECT_TRUE(revealed.complete());
  leave_out(revealed, "ab", "why");
  EXPECT_FALSE(revealed.complete());
  const Json json = to_json(revealed);
  EXPECT_EQ(json["not_attacked"], Json::parse(R"([{"release": "ab", "why": "why"}])"));
  EXPECT_EQ(json["attacked"], true);
}

TEST(SequenceRevealed, IsWrittenWithItsFigures) {
  SequenceRevealed revealed;
  revealed.why_not = "because";
  EXPECT_EQ(to_json(revealed),
            Json::parse(R"({"attacked": false, "why_not": "because", "not_attacked": [],
                             "singled_out": 0.0, "breach": 0.0})"));
  revealed.attacked = true;
  revealed.people = 7;
  revealed.releases = 2;
  revealed.attributes = {{"a", 2, 0.1, 0.2, 0.3, 1.5}};
  const Json json = to_json(revealed);
  EXPECT_EQ(json["people"], 7);
  EXPECT_EQ(json["releases"], 2);
  EXPECT_EQ(json["breach"], 0.2);
  EXPECT_EQ(json["rows_linked"], 0);  // by nothing
  EXPECT_EQ(json["attributes"][0]["vulnerable"], 0.3);
  revealed.rows_link = true;
  EXPECT_EQ(to_json(revealed)["rows_linked"], 1);
  revealed.attributes[0].differenced_people = 2;
  EXPECT_EQ(to_json(revealed)["attributes"][0]["differenced_people"], 2);
  EXPECT_EQ(to_json(revealed)["differenced"], 2.0 / 7);
  EXPECT_EQ(to_json(revealed)["breach"], 2.0 / 7);
  revealed.attributes[0].differenced_people = 9;  // of whom two left
  EXPECT_EQ(revealed.breach(), 1);
}

class SequenceFilesTest : public ReleaseFixture {
 protected:
  SequenceRequest request;
  std::string original = file("in.csv", "age,zip\n1,A\n");

  void SetUp() override {
    (void)file("r.csv", "age,zip\n1,A\n1,A\n");
    Json manifest = manifest_of("r.csv", "tables", 2);
    manifest["inputs"] = Json::array({input_of(original)});
    write_manifest("r.csv", manifest);
    request.added = ReleaseFile::read(path("r.csv"));
  }
  Source people(bool sets = false) {
    return open_people(engine(), request, "patients", "codes", sets, Progress::silent());
  }
};

TEST_F(SequenceFilesTest, PeopleAreTheOriginalOrThoseGiven) {
  EXPECT_EQ(people().name, original);
  request.people = file("people.csv", "a,b\n1,2\n");
  EXPECT_EQ(people().columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(people(true).columns.empty());
  request.people.reset();
  (void)file("in.csv", "age,zip\n2,A\n");
  const Error error = error_of([&] { return people(); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_TRUE(error.message().starts_with("the patients of this release")) << error.message();
  EXPECT_NE(error.hint().find("a file with their codes"), std::string::npos) << error.hint();
}

TEST_F(SequenceFilesTest, AReleaseIsTheFileThatItsManifestDescribes) {
  EXPECT_EQ(open_release(engine(), request.added, Progress::silent()).columns.size(), 2U);
  (void)file("r.csv", "age,zip\n1,A\n");
  const Error error =
      error_of([&] { return open_release(engine(), request.added, Progress::silent()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_EQ(error.place(), path("r.csv"));
}

}  // namespace
}  // namespace pratique::release::sequence_test
