#include "pratique/tables/flow/protect.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/crypto/hash.h"
#include "pratique/crypto/secret_key.h"
#include "pratique/tables/testing/people_for_flow_test.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::tables::flow::protect_test {
namespace {

using Names = std::vector<std::string>;
using Cells = std::vector<std::vector<std::string>>;

class ProtectFlow : public PeopleFlow {
 protected:
  Json protect_with(const ProtectRequest& request) { return *protect(request, run).result; }
  [[nodiscard]] bool verifies() {
    return verify::verify_release(run.engine, path("out.csv"), progress).holds();
  }
};

TEST_F(ProtectFlow, WhatLeavesIsWhatTheLevelsSay) {
  const Outcome outcome = protect(asked(), run);
  EXPECT_TRUE(outcome.passed);
  const CellsOfFile released = cells("out.csv");
  EXPECT_EQ(released.columns, (Names{"age", "sex", "ward", "diagnosis"}));
  EXPECT_EQ(released.sorted(), (Cells{{"20..29", "*", "1", "flu"},
                                      {"20..29", "*", "1", "flu"},
                                      {"20..29", "*", "2", "cold"},
                                      {"30..39", "*", "1", "flu"},
                                      {"30..39", "*", "2", "cold"},
                                      {"30..39", "*", "2", "flu"}}));
  const Json result = *outcome.result;
  EXPECT_EQ(result["method"], "levels");
  EXPECT_EQ(result["levels"], (Json{{"age", 1}, {"sex", 1}}));
  EXPECT_EQ(result["rows_in"], 6);
  EXPECT_EQ(result["rows_out"], 6);
  EXPECT_EQ(result["suppressed"], 0);
  EXPECT_EQ(result["classes"], 2);
  EXPECT_EQ(result["unchanged"], (Json{"ward", "diagnosis"}));
  EXPECT_EQ(result["models"], (Json{{"k", {{"required", 3.0}, {"achieved", 3.0}}}}));
  EXPECT_EQ(result["out"], path("out.csv"));
  EXPECT_EQ(result["seed"], 7);
  EXPECT_FALSE(result.contains("note"));
  EXPECT_FALSE(result.contains("lower_bound"));
  EXPECT_FALSE(result.contains("randomised"));
  EXPECT_EQ(result["metrics_compare_with"], "the table as it was read");
  EXPECT_TRUE(verifies());
}

TEST_F(ProtectFlow, TheKindOfEveryModelIsRecordedByColumn) {
  (void)protect_with(asked());
  EXPECT_FALSE(manifest_of("out.csv")["parameters"].contains("diversity"));
  EXPECT_FALSE(manifest_of("out.csv")["parameters"].contains("distance"));
  // Classes of two and one: of l = 2 values, the most frequent is less than three times the rest.
  ProtectRequest request = asked();
  request.columns.said.sensitive = {"diagnosis", "ward"};
  request.columns.said.insensitive.clear();
  request.models["l"] = {"2"};
  request.models["diversity"] = {"recursive:3@ward"};
  request.models["t"] = {"0.2"};
  request.models["distance"] = {"ordered@ward"};
  (void)protect_with(request);
  const Json parameters = manifest_of("out.csv")["parameters"];
  EXPECT_EQ(parameters["diversity"], (Json{{"diagnosis", "distinct"}, {"ward", "recursive:3"}}));
  EXPECT_EQ(parameters["distance"], (Json{{"diagnosis", "equal"}, {"ward", "ordered"}}));
}

TEST_F(ProtectFlow, FiguresBeforeAndAfterByHand) {
  const Json result = protect_with(asked());
  // Six people alone in their classes, so their diagnosis is known.
  EXPECT_EQ(result["before"]["records"], 6);
  EXPECT_EQ(result["before"]["classes"], 6);
  EXPECT_EQ(result["before"]["k"], 1);
  EXPECT_EQ(result["before"]["unique"], 6);
  EXPECT_EQ(result["before"]["sensitive_disclosed"], 6);
  // Each decade has both diagnoses.
  EXPECT_EQ(result["after"]["classes"], 2);
  EXPECT_EQ(result["after"]["k"], 3);
  EXPECT_EQ(result["after"]["unique"], 0);
  EXPECT_EQ(result["after"]["sensitive_disclosed"], 0);
  EXPECT_FALSE(result["before"].contains("population"));
  EXPECT_FALSE(result["after"].contains("population"));
  // LM: three of six ages, (3 - 1) / (6 - 1), and both sexes, 1. DM: 3^2 twice. C_AVG: 3 / k.
  EXPECT_NEAR(result["metrics"]["lm"], (0.4 + 1) / 2, 1e-12);
  EXPECT_EQ(result["metrics"]["dm"], 18);
  EXPECT_EQ(result["metrics"]["c_avg"], 1);
  EXPECT_FALSE(result["metrics"].contains("cm"));
  const double seconds = result["seconds"];
  const double search = result["search_seconds"];
  EXPECT_GE(search, 0);
  EXPECT_LE(search, seconds);
  EXPECT_LT(seconds, 300);
}

TEST_F(ProtectFlow, AColumnThatNobodyDecidedAboutDoesNotLeave) {
  ProtectRequest request = asked();
  request.columns.said.identifiers.clear();
  request.columns.said.insensitive.clear();
  const Error error = error_of([&] { return protect(request, run); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_NE(error.message().find("nobody decided about 2 of its columns"), std::string::npos);
  EXPECT_NE(error.message().find("name: identifier"), std::string::npos) << error.message();
  EXPECT_NE(error.message().find("ward: "), std::string::npos);
  EXPECT_EQ(error.message().find("Ann"), std::string::npos);
  EXPECT_NE(error.hint().find("--id name"), std::string::npos) << error.hint();
  EXPECT_NE(error.hint().find("--roles suggested"), std::string::npos);
  EXPECT_TRUE(nothing_at("out.csv"));
  // What was advised may be taken.
  request.columns.said.insensitive = {"ward"};
  request.roles = "suggested";
  protect_with(request);
  EXPECT_EQ(read_file(path("out.csv")).find("Ann"), std::string::npos);
  EXPECT_EQ(manifest_of("out.csv")["parameters"]["identifiers"], Json{"name"});
}

TEST_F(ProtectFlow, ANameLeavesOnlyWhereItIsAllowedTo) {
  ProtectRequest request = asked();
  request.columns.said.identifiers.clear();
  request.columns.said.insensitive = {"name", "ward"};
  EXPECT_NE(message_of([&] { return protect(request, run); }).find("name: "), std::string::npos);
  EXPECT_TRUE(nothing_at("out.csv"));
  request.allowed = {"name"};
  const Json result = protect_with(request);
  EXPECT_EQ(result["allowed"], Json{"name"});
  EXPECT_EQ(manifest_of("out.csv")["parameters"]["allowed"], Json{"name"});
  EXPECT_EQ(
      verify::to_json(verify::verify_release(run.engine, path("out.csv"), progress)).begin().key(),
      "allowed");
  request.allowed = {"nobody"};
  EXPECT_EQ(error_of([&] { return protect(request, run); }).code(), ErrorCode::bad_input);
}

// Wards 1 and 2 have three people each; with the diagnosis as harmless too, one is alone.
TEST_F(ProtectFlow, WhoStandsAloneByColumnsHeldToNoModelIsCounted) {
  ProtectRequest request = asked();
  request.models["l"] = {"2"};
  EXPECT_EQ(protect_with(request)["after"]["singled_out"], 0);
  EXPECT_EQ(protect_with(request)["after"]["singled_out_by"], Json{"ward"});
  EXPECT_FALSE(protect_with(request).contains("warnings"));
  // A secret that no model holds is no better: ward 1 has flu three times, ward 2 cold twice.
  request.models.erase("l");
  const Json unheld = protect_with(request);
  EXPECT_EQ(unheld["before"]["singled_out"], 1);
  EXPECT_EQ(unheld["after"]["singled_out"], 1);
  EXPECT_EQ(unheld["after"]["singled_out_by"], (Json{"ward", "diagnosis"}));
  ASSERT_EQ(unheld["warnings"].size(), 1U);
  EXPECT_NE(unheld["warnings"][0].get<std::string>().find("Add --l 2@diagnosis,"),
            std::string::npos);
  request.models["l"] = {"1"};  // holds of every table
  EXPECT_EQ(protect_with(request)["after"]["singled_out"], 1);
  request.models.erase("l");
  request.columns.said.sensitive.clear();
  request.columns.said.insensitive = {"ward", "diagnosis"};
  const Json result = protect_with(request);
  // ward 1: flu three times; ward 2: cold twice, flu once.
  EXPECT_EQ(result["before"]["singled_out"], 1);
  EXPECT_EQ(result["after"]["singled_out"], 1);
  EXPECT_NEAR(result["after"]["singled_out_share"], 1.0 / 6, 1e-12);
  request = asked();
  request.columns.said.insensitive.clear();
  request.columns.said.identifiers = {"name", "ward"};
  request.models["l"] = {"2"};
  EXPECT_FALSE(protect_with(request)["after"].contains("singled_out"));
}

TEST_F(ProtectFlow, MeansAreHeldAgainstTheLabelThatWasNamed) {
  ProtectRequest request = asked();
  request.label = "ward";
  // In each class two of three share their ward: one of three is not of the most frequent.
  EXPECT_NEAR(protect_with(request)["metrics"]["cm"], 1.0 / 3, 1e-12);
}

TEST_F(ProtectFlow, ClassesThatAreTooSmallAreLeftOut) {
  ProtectRequest request = asked();
  request.levels = {"age=1"};
  request.models["k"] = {"2"};
  request.suppression = 0.17;  // of six: one
  const Json result = protect_with(request);
  EXPECT_EQ(result["suppressed"], 1);
  EXPECT_EQ(result["rows_out"], 5);
  EXPECT_EQ(result["levels"], (Json{{"age", 1}, {"sex", 0}}));
  EXPECT_EQ(cells("out.csv").count_by({"age", "sex"}),
            (std::map<Names, int>{{{"20..29", "M"}, 2}, {{"30..39", "F"}, 3}}));
  EXPECT_EQ(result["after"]["records"], 5);
  EXPECT_EQ(result["models"]["k"]["achieved"], 2);
}

TEST_F(ProtectFlow, NothingIsWrittenWhereNoReleaseSatisfiesTheModels) {
  ProtectRequest request = asked();
  request.levels = {"age=1"};
  request.suppression = 0.16;  // of six: none
  EXPECT_EQ(error_of([&] { return protect(request, run); }).code(), ErrorCode::check_failed);
  EXPECT_TRUE(nothing_at("out.csv"));
  request = asked();
  request.models["k"] = {"7"};
  EXPECT_EQ(error_of([&] { return protect(request, run); }).code(), ErrorCode::check_failed);
  EXPECT_TRUE(nothing_at("out.csv"));
  // Everybody stands alone, and leaving all of them out is no release.
  request = asked();
  request.levels.clear();
  request.suppression = 1;
  EXPECT_EQ(error_of([&] { return protect(request, run); }).code(), ErrorCode::check_failed);
  EXPECT_TRUE(nothing_at("out.csv"));
}

TEST_F(ProtectFlow, EveryMethodKeepsItsPromise) {
  for (const std::string method : {"optimal", "local", "mondrian", "cluster-up", "cluster-down",
                                   "microaggregate", "suppress-cells"}) {
    SCOPED_TRACE(method);
    ProtectRequest request = asked();
    request.method = method;
    request.levels.clear();
    request.models["k"] = {"2"};
    const Json result = protect_with(request);
    const CellsOfFile released = cells("out.csv");
    EXPECT_EQ(released.rows.size(), result["rows_out"]);
    EXPECT_GE(released.smallest_class({"age", "sex"}), 2);
    EXPECT_EQ(result["after"]["k"], released.smallest_class({"age", "sex"}));
    EXPECT_EQ(read_file(path("out.csv")).find("Ann"), std::string::npos);
    EXPECT_TRUE(verifies());
    const Json parameters = manifest_of("out.csv")["parameters"];
    EXPECT_EQ(parameters["method"], method);
    EXPECT_EQ(parameters.value("centre", "none"), method == "microaggregate" ? "mean" : "none");
    const bool global = method == "optimal" || method == "suppress-cells";
    EXPECT_EQ(parameters.value("recoding", "none"), global              ? "none"
                                                    : method == "local" ? "labels"
                                                                        : "free");
  }
}

TEST_F(ProtectFlow, TheBestLevelsThereAre) {
  ProtectRequest request = asked();
  request.method = "optimal";
  request.levels.clear();
  request.models["k"] = {"3"};
  // Decades split by sex are 1, 2 and 3, and any lower age is alone: sex must go, or age. Sex gone
  // costs (0.4 + 1) / 2 and age gone (1 + 0) / 2, where sexes are 4 and 2: too few men.
  EXPECT_EQ(protect_with(request)["levels"], (Json{{"age", 1}, {"sex", 1}}));
  request.models["k"] = {"2"};
  request.out = path("two.csv");
  // Now age gone, at 0.5, is cheaper than decades without sex, at 0.7.
  EXPECT_EQ(protect_with(request)["levels"], (Json{{"age", 2}, {"sex", 0}}));
  EXPECT_EQ(manifest_of("two.csv")["parameters"].value("time_limit", -1.0), -1);
  request.time_limit = 60;
  request.out = path("timed.csv");
  EXPECT_EQ(protect_with(request)["levels"], (Json{{"age", 2}, {"sex", 0}}));
  EXPECT_EQ(manifest_of("timed.csv")["parameters"]["time_limit"], 60);
}

TEST_F(ProtectFlow, ASearchThatIsCutShortSaysHowGoodItMayHaveBecome) {
  // Eight columns of six random-looking values: more nodes than no time allows.
  std::string text = "a,b,c,d,e,f,g,h\n";
  for (int i = 0; i < 40; ++i) {
    for (int column = 0; column < 8; ++column) {
      text += std::to_string(100 + (i * (7 + 2 * column) + i * i * column) % 97);
      text += column < 7 ? "," : "\n";
    }
  }
  ProtectRequest request;
  request.file = file("wide.csv", text);
  request.out = path("out.csv");
  request.columns.said.quasi_identifiers = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (const auto& name : request.columns.said.quasi_identifiers) {
    request.columns.hierarchies.push_back(name + "=interval:5,10,20,40,80");
  }
  request.models["k"] = {"2"};
  request.time_limit = 1e-9;
  const Json result = protect_with(request);
  EXPECT_TRUE(result.contains("note"));
  EXPECT_LE(result["lower_bound"].get<double>(), result["metrics"]["lm"].get<double>() + 1e-9);
  EXPECT_TRUE(verifies());
}

TEST_F(ProtectFlow, TheManifestSaysHowItWasMade) {
  ProtectRequest request = asked();
  request.columns.config = file("roles.yaml", "hierarchies: {sex: flat}\n");
  request.queries = file("queries.txt", "age=20..29\n");
  request.suppression = 0.25;
  run.command = {"tables", "protect", "people.csv"};
  run.options = Json{{"k", 3}, {"seed", 7}};
  (void)protect_with(request);
  const Json manifest = manifest_of("out.csv");
  EXPECT_EQ(manifest["kind"], "tables");
  EXPECT_EQ(manifest["verb"], "protect");
  EXPECT_EQ(manifest["command"], (Json{"tables", "protect", "people.csv"}));
  EXPECT_EQ(manifest["options"], (Json{{"k", 3}, {"seed", 7}}));
  EXPECT_EQ(manifest["seed"], 7);
  ASSERT_EQ(manifest["inputs"].size(), 3U);
  EXPECT_EQ(manifest["inputs"][0]["path"], people);
  EXPECT_FALSE(manifest["inputs"][0].contains("sha256"));
  EXPECT_EQ(manifest["inputs"][1]["path"], request.columns.config);
  EXPECT_EQ(manifest["inputs"][1]["role"], "setting");
  EXPECT_EQ(manifest["inputs"][2]["path"], request.queries);
  EXPECT_EQ(manifest["output"]["sha256"], sha256_file(path("out.csv")));
  EXPECT_EQ(manifest["parameters"], Json::parse(R"({
      "method": "levels", "metric": "lm", "suppression": 0.25, "quasi_identifiers": ["age", "sex"],
      "sensitive": ["diagnosis"], "identifiers": ["name"], "insensitive": ["ward"], "allowed": [],
      "identifier_treatment": "drop",
      "hierarchies": {"age": "interval:10", "sex": "flat"}, "models": {"k": ["3"]}})"));
  EXPECT_EQ(manifest["results"]["classes"], 2);
  EXPECT_EQ(manifest["claims"][0]["k"], 3);
}

TEST_F(ProtectFlow, ADrawnSeedIsRecordedSoThatTheRunCanBeRepeated) {
  ProtectRequest request = asked();
  request.seed.reset();
  run.command = {"tables", "protect"};
  run.options = Json{{"seed", nullptr}};
  const Json result = protect_with(request);
  const std::uint64_t seed = result["seed"];
  const Json manifest = manifest_of("out.csv");
  EXPECT_EQ(manifest["seed"], seed);
  EXPECT_EQ(manifest["options"]["seed"], seed);
  EXPECT_EQ(manifest["command"].back(), std::to_string(seed));
  request.seed = seed;
  request.out = path("again.csv");
  (void)protect_with(request);
  EXPECT_EQ(read_file(path("out.csv")), read_file(path("again.csv")));
}

TEST_F(ProtectFlow, TheInputsAreNeverOverwritten) {
  ProtectRequest request = asked();
  request.columns.hierarchies.push_back("sex=" + file("sex.csv", "F;*\nM;*\n"));
  request.queries = file("queries.txt", "age=20..29\n");
  const auto unchanged = read_file(people);
  for (const std::string name : {"people.csv", "sex.csv", "queries.txt"}) {
    request.out = path(name);
    EXPECT_EQ(message_of([&] { return protect(request, run); }),
              "the output is the same file as an input");
  }
  EXPECT_EQ(read_file(people), unchanged);
  EXPECT_EQ(read_file(path("queries.txt")), "age=20..29\n");
}

TEST_F(ProtectFlow, AnInputThatWouldBeOverwrittenIsRefusedBeforeAnyKeyIsMade) {
  ProtectRequest request = asked();
  request.identifiers = "pseudonym";
  request.key = path("secret.key");
  request.out = people;
  EXPECT_THROW((void)protect(request, run), Error);
  EXPECT_FALSE(exists("secret.key"));
}

TEST_F(ProtectFlow, TheKeyIsNeitherTheReleaseNorItsManifest) {
  ProtectRequest request = asked();
  request.identifiers = "pseudonym";
  std::filesystem::create_directory_symlink(".", path("here"));
  for (const auto& [key, out] : std::vector<std::pair<std::string, std::string>>{
           {"both", "both"}, {"here/both", "both"}, {"both.manifest.json", "both"}}) {
    request.key = path(key);
    request.out = path(out);
    EXPECT_EQ(message_of([&] { return protect(request, run); }),
              "the key and the release, or its manifest, are the same file");
    EXPECT_FALSE(exists(key));
    EXPECT_FALSE(exists(out));
  }
  // A key of an earlier run.
  const std::string fingerprint = SecretKey::load_or_create(path("secret.key")).fingerprint();
  request.identifiers = "drop";
  request.key.clear();
  request.out = path("secret.key");
  EXPECT_EQ(message_of([&] { return protect(request, run); }), "this would overwrite a secret key");
  EXPECT_EQ(SecretKey::load_or_create(path("secret.key")).fingerprint(), fingerprint);
}

TEST_F(ProtectFlow, PseudonymsAreHexadecimalAndOfTheKey) {
  ProtectRequest request = asked();
  request.identifiers = "pseudonym";
  request.key = path("secret.key");
  const Json result = protect_with(request);
  EXPECT_EQ(mode_of("secret.key"), 0600U);
  const auto first = cells("out.csv");
  EXPECT_EQ(first.columns, (Names{"name", "age", "sex", "ward", "diagnosis"}));
  const auto names = first.count_by({"name"});
  EXPECT_EQ(names.size(), 6U);
  for (const auto& [name, count] : names) {
    EXPECT_EQ(name[0].size(), 32U);
    EXPECT_EQ(name[0].find_first_not_of("0123456789abcdef"), std::string::npos);
  }
  // An identifier was changed, whatever it looks like.
  EXPECT_EQ(result["unchanged"], (Json{"ward", "diagnosis"}));
  const Json parameters = manifest_of("out.csv")["parameters"];
  EXPECT_EQ(parameters["identifier_treatment"], "pseudonym");
  EXPECT_FALSE(parameters["key_fingerprint"].get<std::string>().empty());
  request.out = path("again.csv");
  (void)protect_with(request);
  EXPECT_EQ(cells("again.csv").count_by({"name"}), names);
  request.key = path("other.key");
  request.out = path("other.csv");
  (void)protect_with(request);
  EXPECT_NE(cells("other.csv").count_by({"name"}), names);
}

TEST_F(ProtectFlow, SurrogatesAreNumbers) {
  ProtectRequest request = asked();
  request.identifiers = "surrogate";
  request.key = path("secret.key");
  (void)protect_with(request);
  EXPECT_EQ(cells("out.csv").count_by({"name"}),
            (std::map<Names, int>{
                {{"1"}, 1}, {{"2"}, 1}, {{"3"}, 1}, {{"4"}, 1}, {{"5"}, 1}, {{"6"}, 1}}));
}

TEST_F(ProtectFlow, ReplacedIdentifiersNeedAKeyAndDroppedOnesNone) {
  ProtectRequest request = asked();
  request.identifiers = "pseudonym";
  EXPECT_EQ(message_of([&] { return protect(request, run); }),
            "pseudonyms and surrogates need a key");
  request.identifiers = "drop";
  request.key = path("secret.key");
  EXPECT_THROW((void)protect(request, run), Error);
  EXPECT_TRUE(nothing_at("out.csv"));
  EXPECT_FALSE(exists("secret.key"));
}

TEST_F(ProtectFlow, GuardingNodesDoNotLeave) {
  ProtectRequest request;
  request.file = file("g.csv", "age,d,guard\n30,a,\n30,b,a\n30,c,\n30,a,\n30,b,a\n30,c,\n");
  request.out = path("out.csv");
  request.columns.said.quasi_identifiers = {"age"};
  request.columns.said.sensitive = {"d"};
  request.columns.hierarchies = {"d=" + file("tree.csv", "a;*\nb;*\nc;*\n")};
  request.models["k"] = {"2"};
  request.models["guard"] = {"guard:0.5@d"};
  const Json result = protect_with(request);
  EXPECT_EQ(cells("out.csv").columns, (Names{"age", "d"}));
  EXPECT_EQ(result["unchanged"], Json{"d"});
  EXPECT_TRUE(verifies());
}

TEST_F(ProtectFlow, APopulationIsCountedBeforeAndAfter) {
  ProtectRequest request = asked();
  request.models = {{"k-map", {"4"}}};
  // The six, and two more in their twenties of whom one has Ann's age and sex.
  request.models["population"] = {file("all.csv",
                                       "age,sex\n21,F\n23,M\n27,M\n34,F\n36,F\n38,F\n21,F\n29,M\n"
                                       "31,F\n")};
  const Json result = protect_with(request);
  // Everybody but Ann fits one person: the risks are 1/2 + 5.
  EXPECT_EQ(result["before"]["population"]["unique"], 5);
  EXPECT_EQ(result["before"]["population"]["fewest_people"], 1);
  EXPECT_NEAR(result["before"]["population"]["linkage_risk_mean"], 5.5 / 6, 1e-12);
  // Five people are in their twenties and four in their thirties.
  EXPECT_EQ(result["after"]["population"]["fewest_people"], 4);
  EXPECT_NEAR(result["after"]["population"]["linkage_risk_mean"], (3 / 5.0 + 3 / 4.0) / 6, 1e-12);
  EXPECT_EQ(result["models"]["k-map"]["achieved"], 4);
  // Nobody asked for a k: the mean size of two classes of three.
  EXPECT_EQ(result["metrics"]["c_avg"], 3);
  // People who only might be there are neither records nor released.
  EXPECT_EQ(result["rows_in"], 6);
  EXPECT_EQ(cells("out.csv").rows.size(), 6U);
  const Json manifest = manifest_of("out.csv");
  ASSERT_EQ(manifest["inputs"].size(), 2U);
  EXPECT_EQ(manifest["inputs"][1]["path"], path("all.csv"));
  request.out = path("all.csv");
  EXPECT_THROW((void)protect(request, run), Error);
}

TEST_F(ProtectFlow, APresenceHasTwoBounds) {
  ProtectRequest request = asked();
  request.models = {{"delta", {"0.25,0.75"}}};
  request.models["population"] = {
      file("all.csv", "age,sex\n21,F\n23,M\n27,M\n34,F\n36,F\n38,F\n29,M\n31,F\n")};
  const Json result = protect_with(request);
  EXPECT_EQ(result["models"]["delta"]["minimum"], 0.25);
  EXPECT_EQ(result["models"]["delta"]["required"], 0.75);
  EXPECT_NEAR(result["models"]["delta"]["achieved"], 0.75, 1e-12);
}

TEST_F(ProtectFlow, ColumnsChangedByChanceAreSaidToBe) {
  ProtectRequest request = asked();
  request.perturb = {"diagnosis=pram:0.5"};
  const Json result = protect_with(request);
  ASSERT_EQ(result["randomised"].size(), 1U);
  EXPECT_EQ(result["randomised"][0]["column"], "diagnosis");
  EXPECT_EQ(result["randomised"][0]["operator"], "pram:0.5");
  EXPECT_FALSE(result["randomised"][0].contains("squared_error"));
  EXPECT_EQ(result["unchanged"], Json{"ward"});
  EXPECT_EQ(result["metrics_compare_with"], "the table after randomisation");
}

TEST_F(ProtectFlow, RoundedNumbersTellTheirError) {
  ProtectRequest request = asked();
  request.columns.said.quasi_identifiers = {"sex"};
  request.levels = {"sex=1"};
  request.columns.hierarchies.clear();
  request.perturb = {"age=round:10"};
  const Json result = protect_with(request);
  EXPECT_EQ(cells("out.csv").count_by({"age"}),
            (std::map<Names, int>{{{"20"}, 2}, {{"30"}, 2}, {{"40"}, 2}}));
  const Json change = result["randomised"][0];
  EXPECT_EQ(change["changed"], 1);
  // Differences 1, 3, 3, 4, 4, 2: squares 1 + 9 + 9 + 16 + 16 + 4.
  double mean = 0;
  double squares = 0;
  const std::vector<double> ages = {21, 23, 27, 34, 36, 38};
  for (const double age : ages) mean += age / 6;
  for (const double age : ages) squares += (age - mean) * (age - mean);
  // The variance is over n or over n - 1: within a sixth of it.
  EXPECT_NEAR(change["squared_error"].get<double>(), 55 / squares, 55 / squares / 5.5);
  // What is compared with is the table that was perturbed: nobody was alone in sex.
  EXPECT_EQ(result["before"]["classes"], 2);
}

TEST_F(ProtectFlow, BeliefsAreBoundedAndClaimed) {
  ProtectRequest request = asked();
  request.models["rho"] = {"0.1:0.5"};
  const Json result = protect_with(request);
  const Json bound = result["models"]["rho1-to-rho2@diagnosis"];
  EXPECT_EQ(bound["required"], 0.5);
  EXPECT_NEAR(bound["achieved"].get<double>(), 0.5, 1e-6);
  EXPECT_TRUE(verifies());
  EXPECT_EQ(manifest_of("out.csv")["claims"].size(), 2U);
}

TEST_F(ProtectFlow, ATableWithoutRecordsIsRefused) {
  ProtectRequest request = asked();
  request.file = file("nobody.csv", "name,age,sex,ward,diagnosis\n");
  EXPECT_THROW((void)protect(request, run), Error);
  EXPECT_TRUE(nothing_at("out.csv"));
}

TEST_F(ProtectFlow, OptionsThatChangeNothingAreRefused) {
  ProtectRequest request = asked();
  request.relaxed = true;
  EXPECT_EQ(message_of([&] { return protect(request, run); }),
            "--relaxed has no effect with --method levels");
  EXPECT_TRUE(nothing_at("out.csv"));
}

}  // namespace
}  // namespace pratique::tables::flow::protect_test
