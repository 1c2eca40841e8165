#include "pratique/tables/flow/reconstruct.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/kind/testing/table_flow_fixture.h"

namespace pratique::tables::flow::reconstruct_test {
namespace {

class ReconstructFlow : public TableFlowFixture {
 protected:
  // A release whose manifest claims this.
  std::string released(const std::string& text, const Json& claims) {
    Manifest manifest;
    manifest.kind = "tables";
    manifest.verb = "protect";
    manifest.outputs = {{"r.csv", std::string(64, '0'), text.size(), "csv"}};
    manifest.claims = claims;
    manifest.verification = Json::array();
    (void)file("r.csv.manifest.json", manifest.to_text());
    return file("r.csv", text);
  }
  static Json randomised(const std::string& column, double gamma,
                         const std::vector<std::string>& values) {
    return {{"model", "rho1-to-rho2"},
            {"standing", "attested"},
            {"sensitive", column},
            {"gamma", gamma},
            {"values", values}};
  }
};

// Seven of ten leave as flu. With gamma 9 over two values, each stays with 0.9 and comes from the
// other with 0.1: (0.7 - 0.1) / 0.8 of them had flu.
TEST_F(ReconstructFlow, SharesByHand) {
  std::string text = "d\n";
  for (int i = 0; i < 10; ++i) text += i < 7 ? "flu\n" : "cold\n";
  const std::string release =
      released(text, Json::array({{{"model", "k-anonymity"}, {"standing", "derived"}, {"k", 2}},
                                  randomised("d", 9, {"flu", "cold"})}));
  const Outcome outcome = reconstruct(release, run);
  const Json result = *outcome.result;
  EXPECT_EQ(result["release"], release);
  ASSERT_EQ(result["columns"].size(), 1U);
  const Json column = result["columns"][0];
  EXPECT_EQ(column["column"], "d");
  EXPECT_EQ(column["gamma"], 9);
  EXPECT_EQ(column["records"], 10);
  ASSERT_EQ(column["values"].size(), 2U);
  const Json flu = column["values"][0];
  EXPECT_EQ(flu["value"], "flu");
  EXPECT_NEAR(flu["released"].get<double>(), 0.7, 1e-12);
  EXPECT_NEAR(flu["unbiased"].get<double>(), 0.75, 1e-12);
  EXPECT_NEAR(flu["estimated"].get<double>(), 0.75, 1e-6);  // within 0 and 1 both are the same
  // The share's deviation over 0.8, twice 1.96 wide, but not beyond 1.
  const double error = std::sqrt(0.7 * 0.3 / 10) / 0.8;
  EXPECT_NEAR(flu["low"].get<double>(), 0.75 - 1.959964 * error, 1e-9);
  EXPECT_EQ(flu["high"], 1);
  const Json cold = column["values"][1];
  EXPECT_NEAR(cold["unbiased"].get<double>(), 0.25, 1e-12);
  EXPECT_EQ(cold["low"], 0);
  EXPECT_NEAR(cold["high"].get<double>(), 0.25 + 1.959964 * error, 1e-9);
  EXPECT_EQ(*outcome.for_a_person, (Json{{"release", release}, {"d", column["values"]}}));
}

TEST_F(ReconstructFlow, AValueThatNobodyShowsIsStillEstimated) {
  // Four values: x = 1/12, so the unbiased share of the missing one is (0 - 1/12) / (8/12).
  const std::string release =
      released("d\na\na\na\nb\nb\nc\n", Json::array({randomised("d", 9, {"a", "b", "c", "none"})}));
  const Json values = (*reconstruct(release, run).result)["columns"][0]["values"];
  EXPECT_EQ(values[3]["released"], 0);
  EXPECT_NEAR(values[3]["unbiased"].get<double>(), -0.125, 1e-12);
  EXPECT_GE(values[3]["estimated"], 0);
  EXPECT_NEAR(values[0]["unbiased"].get<double>(), (0.5 - 1 / 12.0) * 1.5, 1e-12);
  double sum = 0;
  for (const auto& value : values) sum += value["estimated"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-6);
}

TEST_F(ReconstructFlow, EveryRandomisedColumnOnce) {
  const std::string release =
      released("d,e\na,x\nb,y\n",
               Json::array({randomised("d", 9, {"a", "b"}), randomised("d", 9, {"a", "b"}),
                            randomised("e", 3, {"x", "y"})}));
  const Json columns = (*reconstruct(release, run).result)["columns"];
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0]["column"], "d");
  EXPECT_EQ(columns[1]["column"], "e");
}

TEST_F(ReconstructFlow, WhatCannotBeReconstructedIsRefused) {
  const Json claims = Json::array({randomised("d", 9, {"a", "b"})});
  Error error = error_of([&] { return reconstruct(released("d\na\nz\n", claims), run); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_EQ(error.message(), "the column has a value that its operator cannot give");
  EXPECT_EQ(message_of([&] { return reconstruct(released("d\n", claims), run); }),
            "the release has no records");
  error = error_of([&] { return reconstruct(released("d\na\n", Json::array()), run); });
  EXPECT_EQ(error.message(), "no column of " + path("r.csv") + " was randomised");
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_THROW((void)reconstruct(file("bare.csv", "d\na\n"), run), Error);
}

}  // namespace
}  // namespace pratique::tables::flow::reconstruct_test
