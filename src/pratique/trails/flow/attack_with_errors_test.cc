#include "pratique/trails/flow/attack_with_errors.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/kind/testing/flow_fixture.h"
#include "pratique/trails/flow/attack.h"

namespace pratique::trails::flow::attack_with_errors_test {
namespace {

class TrailsErrorsFlow : public FlowFixture {
 protected:
  // Section 10.3.1 of Malin's thesis.
  std::string people = file("people.csv", "location,element\n1,Ali\n3,Ali\n2,Bob\n3,Bob\n");
  std::string samples = file("samples.csv", "location,element\n3,actg\n1,ctga\n2,ctga\n3,ctga\n");
  std::string out = path("links.csv");
  AttackRequest request{.sides = {.identified = people, .deidentified = samples},
                        .errors = {.errors = "0.02", .seed = 1}};

  Json reported() { return *attack(request, run()).result; }
  std::string said() {
    return refusal([&] { return attack(request, run()); });
  }
  void use(const std::string& identified, const std::string& deidentified) {
    request.sides.identified = file("p.csv", "location,element\n" + identified);
    request.sides.deidentified = file("s.csv", "location,element\n" + deidentified);
  }
};

TEST_F(TrailsErrorsFlow, OnePersonAndOneSampleAreOne) {
  use("A,Ann\nB,Ann\n", "A,x\nB,x\n");
  request.out = out;
  request.truth = file("truth.csv", "deidentified,identified\nx,Ann\n");
  const auto result = reported();
  EXPECT_EQ(result.at("algorithm"), "errors");
  EXPECT_EQ(result.at("identified"), 1);
  EXPECT_EQ(result.at("deidentified"), 1);
  EXPECT_EQ(result.at("locations"), 2);
  EXPECT_EQ(result.at("reidentified"), 1);
  EXPECT_EQ(result.at("share"), 1);
  EXPECT_EQ(result.at("certain"), 0.95);
  EXPECT_EQ(result.at("links"), 1);
  EXPECT_EQ(result.at("disagreement"), 0);
  EXPECT_EQ(result.at("seed"), 1);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_GE(result.at("seconds"), 0);
  EXPECT_LT(result.at("seconds"), 60);
  // The only link has all of the probability, but for what the chains cannot tell.
  const double posterior = result.at("expected_correct").get<double>();
  EXPECT_NEAR(posterior, 1, 0.01);
  EXPECT_EQ(result.at("truth"), (Json{{"pairs", 1},
                                      {"correct", 1},
                                      {"calibration", Json::array({Json{{"posterior_from", 0.9},
                                                                        {"links", 1},
                                                                        {"expected", posterior},
                                                                        {"correct", 1}}})}}));
  EXPECT_EQ(read_file(out),
            fmt::format("deidentified,identified,posterior\nx,Ann,{:.4f}\n", posterior));
  // Certain is what reaches the threshold.
  request.errors.certain = posterior;
  EXPECT_EQ(reported().at("reidentified"), 1);
  request.errors.certain = std::nextafter(posterior, 2);
  EXPECT_EQ(reported().at("reidentified"), 0);
}

TEST_F(TrailsErrorsFlow, TwoWhoAreAlikeMayBeEachOther) {
  use("A,Ann\nA,Bob\n", "A,x\nA,y\n");
  request.out = out;
  request.truth = file("truth.csv", "deidentified,identified\nx,Ann\ny,Bob\n");
  const auto result = reported();
  // Each is each other's with probability one half, within what the chains tell.
  EXPECT_EQ(result.at("links"), 4);
  EXPECT_EQ(result.at("reidentified"), 0);
  EXPECT_NEAR(result.at("expected_correct").get<double>(), 1, 0.1);
  std::uint64_t links = 0;
  std::uint64_t correct = 0;
  double expected = 0;
  double from = -1;
  for (const auto& tenth : result.at("truth").at("calibration")) {
    EXPECT_GT(tenth.at("posterior_from"), from);
    from = tenth.at("posterior_from").get<double>();
    links += tenth.at("links").get<std::uint64_t>();
    correct += tenth.at("correct").get<std::uint64_t>();
    expected += tenth.at("expected").get<double>();
    const double mean = tenth.at("expected").get<double>() / tenth.at("links").get<double>();
    EXPECT_GE(mean, from);
    EXPECT_LE(mean, from + 0.1);
  }
  EXPECT_EQ(links, 4U);
  EXPECT_EQ(correct, 2U);
  EXPECT_NEAR(expected, 2, 0.01);
  double total = 0;
  for (const auto& row : rows_of(out)) {
    EXPECT_NEAR(std::stod(row.at("posterior")), 0.5, 0.1);
    total += std::stod(row.at("posterior"));
  }
  EXPECT_NEAR(total, expected, 1e-3);  // four decimals are written
  // At a threshold that both reach, each sample counts once.
  request.errors.certain = 0.3;
  EXPECT_EQ(reported().at("reidentified"), 2);
  // Links under `least` are not listed.
  request.errors.least = 0.7;
  EXPECT_EQ(reported().at("links"), 0);
}

TEST_F(TrailsErrorsFlow, EachLocationHasItsRate) {
  request.sides.reserved = "none";
  request.errors.errors = file("rates.csv", "location,rate\n9,0\n1,0.4\n2,0.01\n3,0.01\n");
  request.errors.least = 0.5;
  request.out = out;
  // Only the first location errs, so Ali is actg and Bob is ctga.
  (void)reported();
  const auto links = sorted_lines_of(out);
  ASSERT_EQ(links.size(), 3U);
  EXPECT_TRUE(links[0].starts_with("actg,Ali,")) << links[0];
  EXPECT_TRUE(links[1].starts_with("ctga,Bob,")) << links[1];
  // Only the second location errs: Bob was at 3 and maybe 2, Ali at 1 and 3 and maybe 2.
  request.errors.errors = file("rates.csv", "location,rate\n1,0.01\n2,0.4\n3,0.01\n");
  (void)reported();
  EXPECT_TRUE(sorted_lines_of(out)[0].starts_with("actg,Bob,"));
}

TEST_F(TrailsErrorsFlow, RatesAreFromNothingToOneHalf) {
  for (const auto* fine : {"0.5", "0.001"}) {
    request.errors.errors = fine;
    EXPECT_EQ(reported().at("deidentified"), 2) << fine;
    request.errors.errors =
        file("rates.csv", fmt::format("location,rate\n1,{0}\n2,{0}\n3,{0}\n", fine));
    EXPECT_EQ(reported().at("deidentified"), 2) << fine;
  }
  for (const auto* wrong : {"0.51", "-0.1", "nan"}) {
    request.errors.errors = wrong;
    EXPECT_NE(said().find("--errors"), std::string::npos) << wrong;
  }
  for (const auto* wrong : {"0.51", "-0.1", "x", "0.1x", ""}) {
    request.errors.errors =
        file("rates.csv", fmt::format("location,rate\n1,0.1\n2,{}\n3,0\n", wrong));
    EXPECT_NE(said().find("rates.csv, row 2"), std::string::npos) << wrong;
  }
  request.errors.errors = file("rates.csv", "location,rate\n1,0.1\n2,0.1\n");
  EXPECT_NE(said().find("'3' has no error rate"), std::string::npos);
}

TEST_F(TrailsErrorsFlow, TheSideWithFewerSightingsMayBeIncomplete) {
  const auto assumption = [&] { return reported().at("assumption").get<std::string>(); };
  use("A,Ann\nB,Ann\n", "A,x\n");
  EXPECT_TRUE(assumption().starts_with("de-identified trails may be incomplete (detected"));
  use("A,Ann\n", "A,x\n");
  EXPECT_TRUE(assumption().starts_with("de-identified trails may be incomplete (detected"));
  use("A,Ann\n", "A,x\nB,x\n");
  EXPECT_TRUE(assumption().starts_with("identified trails may be incomplete (detected"));
  request.sides.reserved = "none";
  EXPECT_EQ(assumption(), "both sides are complete (as said)");
}

TEST_F(TrailsErrorsFlow, TheThresholdItselfIsStillAllowed) {
  // C is where one person and one sample were; the others are alike.
  use("A,Ann\nA,Bob\nC,Eve\nD,Eve\nE,Eve\nF,Eve\n", "A,x\nA,y\nC,z\nD,z\nE,z\nF,z\n");
  request.errors.errors = "0.01";
  request.errors.certain = 0.9;
  const auto passes = [&](std::optional<double> fail_above) {
    request.fail_above = fail_above;
    return attack(request, run()).passed;
  };
  const double share = 1.0 / 3;
  EXPECT_EQ(reported().at("reidentified"), 1);
  EXPECT_EQ(reported().at("share"), share);
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes(share));
  EXPECT_FALSE(passes(0.33));
}

TEST_F(TrailsErrorsFlow, ASeedThatWasDrawnIsToldAndRepeatsTheRun) {
  use("A,Ann\nA,Bob\nA,Eve\n", "A,x\nA,y\nA,z\n");
  request.errors.seed.reset();
  auto first = reported();
  EXPECT_FALSE(first.contains("out"));
  EXPECT_FALSE(first.contains("truth"));
  EXPECT_NE(reported().at("seed"), first.at("seed"));
  request.errors.seed = first.at("seed").get<std::uint64_t>();
  auto again = reported();
  first.erase("seconds");
  again.erase("seconds");
  EXPECT_EQ(again, first);
}

TEST_F(TrailsErrorsFlow, TheTruthCountsTheLikeliestLinks) {
  use("A,Ann\nB,Bob\nC,Eve\n", "A,x\nB,y\nC,z\n");
  request.errors.errors = "0.001";
  request.truth = file("truth.csv", "deidentified,identified\nx,Ann\ny,Eve\n");
  const auto truth = reported().at("truth");
  EXPECT_EQ(truth.at("pairs"), 2);
  EXPECT_EQ(truth.at("correct"), 1);
}

}  // namespace
}  // namespace pratique::trails::flow::attack_with_errors_test
