#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/flow/testing/codes_flow_fixture.h"

namespace pratique::codes::flow::policy_protect_test {
namespace {

class CodesPolicyProtectFlow : public CodesProtectFlow {
 protected:
  ProtectRequest request{
      .file = file("policy.dat", "296.00 296.01 296.02\n295.00 295.01 295.02\n296.00 296.02\n"),
      .model = "policy",
      .out = out,
      .seed = 1,
      .model_files = {{"privacy", file("privacy.txt", "296.00 296.01 296.02\n")},
                      {"utility", file("utility.txt", "296.00 296.01\n")}}};
  void SetUp() override { request.parameters.k = 2; }
  double loss_with(const std::string& weights) {
    request.weights = file("weights.csv", "code,weight\n" + weights);
    return result_of(request).at("metrics").at("ul").get<double>();
  }
};

TEST_F(CodesPolicyProtectFlow, TheTutorialsRelease) {
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"(296.00|296.01) 296.02", "(296.00|296.01) 296.02",
                                      "295.00 295.01 295.02"}));
  EXPECT_EQ(result.at("metrics").at("utility_constraints"), 1);
  EXPECT_EQ(result.at("metrics").at("utility_kept"), 1);
  EXPECT_EQ(result.at("metrics").at("groups"), 1);
  // Bipolar disorder and schizophrenia.
  EXPECT_EQ(result.at("metrics").at("gwas_supported"), 2);
  EXPECT_EQ(result.at("before").at("constraints_known"),
            (Json{{"targets", 1}, {"matched_under_k", 1}, {"reidentified", 1}}));
  EXPECT_EQ(result.at("after").at("constraints_known"),
            (Json{{"targets", 1}, {"matched_under_k", 0}, {"reidentified", 0}}));
  // Of three patients, two have sets that nobody else's holds.
  EXPECT_EQ(result.at("before").at("all_codes_known"),
            (Json{{"targets", 3}, {"matched_under_k", 2}, {"reidentified", 2}}));
  EXPECT_EQ(result.at("after").at("all_codes_known"),
            (Json{{"targets", 3}, {"matched_under_k", 1}, {"reidentified", 1}}));
  EXPECT_EQ(result.at("models").at("policy"), (Json{{"required", 2}, {"achieved", 2}}));
  expect_recorded(manifest_of(out), "codes", {request.file},
                  {request.model_files["privacy"], request.model_files["utility"]}, 1);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesPolicyProtectFlow, PoliciesConcernTheModelPolicyAlone) {
  request.model = "km";
  request.method = "suppress";
  request.parameters.m = 1;
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("it goes with --model policy"),
            std::string::npos);
  request.model_files.clear();
  const auto result = result_of(request);
  EXPECT_TRUE(result.at("before").contains("m_codes_known"));
  EXPECT_FALSE(result.at("before").contains("constraints_known"));
  EXPECT_FALSE(manifest_of(out).at("claims").at(0).contains("privacy"));
}

TEST_F(CodesPolicyProtectFlow, LossIsWeighted) {
  // One item stands for two of six codes, in two of three records.
  const double one_each = 3.0 / 63 * 2 / 3;
  EXPECT_NEAR(result_of(request).at("metrics").at("ul").get<double>(), one_each, 1e-12);
  EXPECT_NEAR(loss_with("296.00,3\n296.01,1\n"), one_each * 2, 1e-12);
  EXPECT_NEAR(loss_with("296.00,0\nV58,7\n"), one_each / 2, 1e-12);
  // However it is written, and by its beginning; what is no code is refused.
  EXPECT_NEAR(loss_with("29600,0\n"), one_each / 2, 1e-12);
  EXPECT_NEAR(loss_with("296.0*,0\n"), 0, 1e-12);
  EXPECT_THROW((void)loss_with("296.00,0\nV99,7\n"), Error);
  EXPECT_NEAR(loss_with("295.00,9\n"), one_each, 1e-12);
  expect_recorded(manifest_of(out), "codes", {request.file},
                  {request.model_files["privacy"], request.model_files["utility"], request.weights},
                  1);
}

TEST_F(CodesPolicyProtectFlow, AWeightIsANumberOfAtLeastNothing) {
  for (const auto* weight : {"-0.1", "x", "", "1x", "inf", "nan"}) {
    const auto text =
        refusal([&] { return loss_with(fmt::format("295.00,1\n295.01,{}\n", weight)); });
    EXPECT_NE(text.find("weights.csv, row 2"), std::string::npos) << weight;
    EXPECT_TRUE(nothing_written(out));
  }
  request.weights = file("weights.csv", "code,value\n295.00,1\n");
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("weight"), std::string::npos);
}

}  // namespace
}  // namespace pratique::codes::flow::policy_protect_test
