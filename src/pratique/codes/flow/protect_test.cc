#include "pratique/codes/flow/protect.h"

#include <nlohmann/json.hpp>

#include "pratique/codes/flow/testing/codes_flow_fixture.h"
#include "pratique/kind/release_file.h"

namespace pratique::codes::flow::protect_test {
namespace {

// Over a and b released as A: each of A's three subsets is as likely, so two in three records with
// A have a, and one in three both. Four records of A, of which three have a, two b, and one both.
TEST_F(CodesProtectFlow, OwnQueriesAreAnswered) {
  ProtectRequest request = asked("apriori");
  request.file = file("few.dat", "a\na\na b\nb\n");
  request.codes.hierarchy = file("few.csv", "a;A;*\nb;A;*\nc;C;*\n");
  request.parameters.k = 4;
  request.parameters.m = 1;
  request.queries = file("queries.txt", "a\nb\na b\n");
  const double expected[] = {4 * 2.0 / 3, 4 * 2.0 / 3, 4 * 1.0 / 3};
  const double actual[] = {3, 2, 1};
  double error = 0;
  for (int q = 0; q < 3; ++q) error += std::abs(actual[q] - expected[q]) / actual[q] / 3;
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out), (std::vector<std::string>{"A", "A", "A", "A"}));
  EXPECT_NEAR(result.at("metrics").at("are").get<double>(), error, 1e-12);
  // One of two: 1/2 each, and never both.
  EXPECT_NEAR(result.at("metrics").at("are_one_code").get<double>(), (1.0 / 3 + 0.0 / 2 + 1.0) / 3,
              1e-12);
  expect_recorded(manifest_of(out), "codes", {request.file},
                  {request.codes.hierarchy, request.queries}, 5);
  request.queries = file("queries.txt", "a b\nz\n");
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("'z' is not a code"),
            std::string::npos);
}

// The code of one patient in ten keeps all others at the root, until it may be removed.
TEST_F(CodesProtectFlow, AFewRemovedCodesSaveTheOthers) {
  ProtectRequest request = asked("apriori");
  request.file = file("odd.dat", "a\na\na\na\na\nb\nb\nb\nb\nz\n");
  request.codes.hierarchy = file("flat.csv", "a;*\nb;*\nz;*\n");
  request.parameters.k = 3;
  EXPECT_EQ(error_of([&] { return protect(request, run()); }).code(), ErrorCode::check_failed);
  request.parameters.suppression = 0.1;
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"a", "a", "a", "a", "a", "b", "b", "b", "b"}));
  EXPECT_EQ(result.at("metrics").at("suppressed_occurrences"), 1);
  EXPECT_EQ(result.at("metrics").at("suppressed_patients"), 1);
  EXPECT_EQ(result.at("metrics").at("ncp"), 0.1);
  EXPECT_EQ(manifest_of(out).at("parameters").at("suppression"), 0.1);
  EXPECT_TRUE(verifies(out));
  request.method = "suppress";
  EXPECT_NE(refusal([&] { return protect(request, run()); }).find("--suppression"),
            std::string::npos);
}

TEST_F(CodesProtectFlow, TheTutorialsReleaseIsAttackedVerifiedAndWritten) {
  const auto result = result_of(asked("apriori"));
  EXPECT_EQ(sorted_lines_of(out),
            (std::vector<std::string>{"abc", "abc defgh", "abc defgh", "abc defgh", "abc defgh",
                                      "abc defgh", "abc defgh", "abc defgh", "defgh", "defgh"}));
  EXPECT_TRUE(verifies(out));
  EXPECT_EQ(result.at("model"), "km");
  EXPECT_EQ(result.at("method"), "apriori");
  EXPECT_EQ(result.at("patients_in"), 10);
  EXPECT_EQ(result.at("patients_out"), 10);
  EXPECT_EQ(result.at("models").at("km"), (Json{{"required", 5}, {"achieved", 7}}));
  EXPECT_EQ(result.at("verified"), true);
  EXPECT_EQ(result.at("out"), out);
  EXPECT_EQ(result.at("seed"), 5);
  EXPECT_GE(result.at("seconds"), 0);
  EXPECT_LT(result.at("seconds"), 60);

  const auto& metrics = result.at("metrics");
  EXPECT_EQ(metrics.at("groups"), 2);
  EXPECT_EQ(metrics.at("suppressed_items"), 0);
  EXPECT_EQ(metrics.at("suppressed_occurrences"), 0);
  EXPECT_EQ(metrics.at("suppressed_patients"), 0);
  EXPECT_EQ(metrics.at("gwas_supported"), 0);
  // Of 41 codes in records, 15 became one of 3 of 8 leaves, 26 one of 5.
  EXPECT_NEAR(metrics.at("ncp").get<double>(), (15 * 3.0 / 8 + 26 * 5.0 / 8) / 41, 1e-12);
  EXPECT_FALSE(metrics.contains("utility_kept"));

  const auto as_it_was = [](const std::string& item, const std::string& code) {
    return item == code;
  };
  const auto by_tree = [](const std::string& item, const std::string& code) {
    return item.find(code) != std::string::npos;
  };
  const auto before = records_of(sets);
  const auto after = records_of(out);
  EXPECT_EQ(result.at("before"),
            (Json{{"m_codes_known", exposed(before, before, as_it_was, 3, 5)},
                  {"all_codes_known", exposed(before, before, as_it_was, 99, 5)},
                  {"whole_set_known", whole_sets_exposed(before, before, as_it_was, 5)}}));
  EXPECT_EQ(result.at("after"),
            (Json{{"m_codes_known", exposed(before, after, by_tree, 3, 5)},
                  {"all_codes_known", exposed(before, after, by_tree, 99, 5)},
                  {"whole_set_known", whole_sets_exposed(before, after, by_tree, 5)}}));
}

TEST_F(CodesProtectFlow, TheManifestSaysHowTheReleaseWasMade) {
  config = file("settings.yaml", "k: 5\n");
  auto request = asked("apriori");
  const auto result = result_of(request);
  const auto manifest = manifest_of(out);
  expect_recorded(manifest, "codes", {sets}, {tree, config}, 5);
  EXPECT_FALSE(manifest.at("options").contains("seed"));
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command"}));
  const auto& parameters = manifest.at("parameters");
  EXPECT_EQ(parameters.at("model"), "km");
  EXPECT_EQ(parameters.at("method"), "apriori");
  EXPECT_EQ(parameters.at("k"), 5);
  EXPECT_EQ(parameters.at("m"), 3);
  EXPECT_EQ(parameters.at("hierarchy"), tree);
  EXPECT_EQ(parameters.at("format"), "sets");
  const auto& claim = manifest.at("claims").at(0);
  EXPECT_EQ(claim.at("model"), "km-anonymity");
  EXPECT_FALSE(claim.contains("patient"));
  EXPECT_EQ(claim.at("labels"),
            (Json{{"abc", {"a", "b", "c"}}, {"defgh", {"d", "e", "f", "g", "h"}}}));
  EXPECT_FALSE(manifest.at("results").contains("before"));
  const Manifest complete = release::ReleaseFile::read(request.out).manifest();
  EXPECT_EQ(complete.results->at("before"), result.at("before"));
  EXPECT_EQ(manifest.at("outputs").at(0).at("rows"), 10);
}

TEST_F(CodesProtectFlow, ASeedThatWasDrawnIsRecordedAndRepeatsTheRelease) {
  auto request = asked("local");
  request.seed.reset();
  const auto first = result_of(request);
  const auto seed = first.at("seed").get<std::uint64_t>();
  const auto bytes = read_file(out);
  const auto manifest = manifest_of(out);
  expect_recorded(manifest, "codes", {sets}, {tree}, seed);
  EXPECT_EQ(manifest.at("options").at("seed"), seed);
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command", "--seed", std::to_string(seed)}));
  EXPECT_NE(result_of(request).at("seed"), seed);
  request.seed = seed;
  (void)result_of(request);
  EXPECT_EQ(read_file(out), bytes);
}

TEST_F(CodesProtectFlow, CodesThatAreTooRareGo) {
  auto request = asked("suppress");
  request.codes.hierarchy.clear();
  request.file = file("rare.dat", "a x\na\na b\nb\nc\n");
  request.parameters.k = 2;
  request.parameters.m = 1;
  const auto result = result_of(request);
  EXPECT_EQ(sorted_lines_of(out), (std::vector<std::string>{"a", "a", "a b", "b"}));
  EXPECT_EQ(result.at("patients_in"), 5);
  EXPECT_EQ(result.at("patients_out"), 4);
  EXPECT_EQ(result.at("metrics").at("suppressed_items"), 2);
  EXPECT_EQ(result.at("metrics").at("suppressed_occurrences"), 2);
  EXPECT_EQ(result.at("metrics").at("suppressed_patients"), 1);
  EXPECT_NEAR(result.at("metrics").at("ncp").get<double>(), 2.0 / 7, 1e-12);
  EXPECT_EQ(manifest_of(out).at("parameters").at("hierarchy"), "");
  const auto as_it_was = [](const std::string& item, const std::string& code) {
    return item == code;
  };
  const auto before = records_of(request.file);
  EXPECT_EQ(result.at("before"),
            (Json{{"m_codes_known", exposed(before, before, as_it_was, 1, 2)},
                  {"all_codes_known", exposed(before, before, as_it_was, 99, 2)},
                  {"whole_set_known", whole_sets_exposed(before, before, as_it_was, 2)}}));
  EXPECT_NE(result.at("before").at("m_codes_known"), result.at("before").at("all_codes_known"));
}

}  // namespace
}  // namespace pratique::codes::flow::protect_test
