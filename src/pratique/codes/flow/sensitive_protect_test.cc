#include <nlohmann/json.hpp>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/flow/testing/codes_flow_fixture.h"

namespace pratique::codes::flow::sensitive_protect_test {
namespace {

class CodesModelsProtectFlow : public CodesProtectFlow {
 protected:
  // Of the two with a, one has s; so of the two with b. Who has both has s.
  ProtectRequest request{.file = file("in.dat", "a b s\na\nb\nc\nc\n"),
                         .model = "coherence",
                         .method = "suppress",
                         .out = out,
                         .seed = 1,
                         .model_files = {{"sensitive", file("sensitive.txt", "s\n")}}};
  void SetUp() override { request.parameters.k = 2; }
};

TEST_F(CodesModelsProtectFlow, WhoKnowsPCodesInfersWhatMoreThanOneInHHave) {
  request.parameters.p = 1;
  const auto one_known = result_of(request);
  EXPECT_EQ(one_known.at("before").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 0}}));
  EXPECT_EQ(one_known.at("metrics").at("suppressed_items"), 0);
  request.parameters.p = 2;
  const auto two_known = result_of(request);
  EXPECT_EQ(two_known.at("before").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 1}}));
  EXPECT_EQ(two_known.at("after").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 0}}));
  request.parameters.p = 1;
  request.parameters.h = 4;  // one of two is more than one of four
  EXPECT_EQ(result_of(request).at("before").at("sensitive_inferred"),
            (Json{{"targets", 1}, {"inferred", 1}}));
  const auto manifest = manifest_of(out);
  EXPECT_EQ(manifest.at("parameters").at("h"), 4);
  EXPECT_EQ(manifest.at("parameters").at("p"), 1);
  expect_recorded(manifest, "codes", {request.file}, {request.model_files["sensitive"]}, 1);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesModelsProtectFlow, UncertaintyHoldsAgainstWhoKnowsEverything) {
  request.model = "uncertainty";
  request.method = "";
  request.codes.hierarchy = file("tree.csv", "a;ab;*\nb;ab;*\nc;c-;*\ns;s-;*\n");
  request.parameters = {.rho = 0.9};
  const auto result = result_of(request);
  EXPECT_EQ(result.at("before").at("sensitive_inferred"), (Json{{"targets", 1}, {"inferred", 1}}));
  EXPECT_EQ(result.at("after").at("sensitive_inferred"), (Json{{"targets", 1}, {"inferred", 0}}));
  EXPECT_FALSE(result.at("before").contains("rules_known"));
  EXPECT_EQ(manifest_of(out).at("parameters").at("rho"), 0.9);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesModelsProtectFlow, RulesOfTheTutorial) {
  request.model_files.clear();
  request.model = "rules";
  request.method = "bottom-up";
  request.file = file("rules.dat", "a b c g\na d e h i\nb c g j\nf g h\na b c d e j\nd f i\n");
  request.model_files["rules"] = file("rules.txt", "c d -> h i\n");
  request.parameters.k = 5;
  request.parameters.c = 0.2;
  const auto result = result_of(request);
  // One patient has c and d, and not h and i.
  EXPECT_EQ(result.at("before").at("rules_known"),
            (Json{{"targets", 1}, {"matched_under_k", 1}, {"inferred", 0}}));
  EXPECT_EQ(result.at("after").at("rules_known"),
            (Json{{"targets", 1}, {"matched_under_k", 0}, {"inferred", 0}}));
  EXPECT_FALSE(result.at("before").contains("sensitive_inferred"));
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"(c|d) a b e j", "(c|d) a b g", "(c|d) a e h i",
                                      "(c|d) b g j", "(c|d) f i", "f g h"}));
  expect_recorded(manifest_of(out), "codes", {request.file}, {request.model_files["rules"]}, 1);
  EXPECT_TRUE(verifies(out));
}

TEST_F(CodesModelsProtectFlow, ARuleThatIsInferredIsCounted) {
  request.model_files.clear();
  request.model = "rules";
  request.method = "bottom-up";
  request.model_files["rules"] = file("rules.txt", "a -> s\n");
  request.parameters.c = 0.25;
  // One of two with a has s; a merges with what makes it one of four at most.
  const auto result = result_of(request);
  EXPECT_EQ(result.at("before").at("rules_known"),
            (Json{{"targets", 1}, {"matched_under_k", 0}, {"inferred", 1}}));
  EXPECT_EQ(result.at("after").at("rules_known").at("inferred"), 0);
}

}  // namespace
}  // namespace pratique::codes::flow::sensitive_protect_test
