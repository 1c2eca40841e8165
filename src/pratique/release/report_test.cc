#include "pratique/release/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/kind/testing/release_fixture.h"
#include "pratique/release/kinds.h"

namespace pratique::release::report_test {
namespace {

// A kind of which nothing can be checked: what is in a report whatever its kind.
constexpr std::array<Figure, 5> kFigures = {{{"classes", "classes"},
                                             {"k", "smallest class (k)"},
                                             {"unique", "records alone", Unit::people},
                                             {"unique_share", "share alone", Unit::share},
                                             {"singled_out", "records apart", Unit::people}}};
constexpr std::array<ModelWords, 4> kModels = {
    {{"k-anonymity", "k-anonymity", "K.", "L."},
     {"k-map", "k-map", "M.", "N."},
     {"complete-anonymity", "complete", "C.", "D.", {}, {}, "m"},
     {"policy-anonymity", "policy", "P.", "Q.", {}, {}, "m"}}};
constexpr Kind kSurvey = {
    .noun = "survey",
    .title = "answers",
    .adversary = "Somebody.",
    .file_kind = "",
    .figures = kFigures,
    .models = kModels,
    .describe =
        [](PageContext& context) {
          context.report.facts.push_back({"questions", "12"});
        },
    .qualify =
        [](PageContext& context) {
          if (context.manifest.results->contains("half"))
            context.report.verdict = "Half of it. " + context.report.verdict;
        },
    .contradict =
        [](const Evidence& evidence, std::vector<std::string>& words) {
          if (evidence.manifest.results->contains("unanswered") && evidence.claims_hold)
            words.emplace_back("everything was answered");
        }};
constexpr Kind kDiary = {.noun = "diary",
                         .title = "pages",
                         .adversary = "Somebody.",
                         .file_kind = "",
                         .models = kModels};

class ReportTest : public ReleaseFixture {
 protected:
  static void SetUpTestSuite() {
    static const bool added = (add_kind(kSurvey), add_kind(kDiary), true);
    (void)added;
  }

  static constexpr const char* kFile = "age,zip\n1,A\n1,A\n2,B\n2,B\n2,B\n";

  Json manifest = [this] {
    (void)file("r.csv", kFile);
    return manifest_of("r.csv", "survey", 5);
  }();

  ReleaseReport report(const ReportRequest& asked = {}) {
    write_manifest("r.csv", manifest);
    ReportRequest request = asked;
    request.releases = {path("r.csv")};
    const Report whole = make_report(engine(), request, Progress::silent());
    EXPECT_EQ(whole.releases.size(), 1U);
    EXPECT_EQ(whole.standing(), whole.releases.front().standing);
    return whole.releases.front();
  }
  std::vector<std::string> settings() {
    std::vector<std::string> all;
    for (const auto& requirement : report().requirements) all.push_back(requirement.setting);
    return all;
  }
};

TEST_F(ReportTest, AReleaseThatIsWhatItsManifestSaysIsVerified) {
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::holds);
  EXPECT_TRUE(described.verdict.starts_with("Verified:")) << described.verdict;
  EXPECT_EQ(described.release, path("r.csv"));
  EXPECT_EQ(described.sha256, sha256_file(path("r.csv")));
  EXPECT_EQ(described.manifest_sha256, sha256_file(path("r.csv.manifest.json")));
  EXPECT_EQ(described.kind, "survey");
  EXPECT_EQ(described.title, "answers");
  EXPECT_EQ(described.created, "2026-11-16T09:00:03Z");
  EXPECT_EQ(described.version, "0.2.0");
  EXPECT_EQ(described.k, 2U);
  EXPECT_TRUE(described.repeatable);
  EXPECT_TRUE(described.needs.empty());
  EXPECT_TRUE(described.notes.empty());
  ASSERT_EQ(described.requirements.size(), 1U);
  EXPECT_EQ(described.requirements[0].model, "k-anonymity");
  EXPECT_EQ(described.requirements[0].setting, "k = 2");
  EXPECT_EQ(described.requirements[0].standing, Standing::holds);
  EXPECT_EQ(described.requirements[0].finding.find("when it was made"), std::string::npos);
  EXPECT_FALSE(described.requirements[0].finding.empty());
}

TEST_F(ReportTest, ItsFilesAreListedWithTheirHashes) {
  const std::string input = file("in.csv", "age,zip\n");
  const std::string tree = file("tree.csv", "1;2\n");
  Json setting = input_of(tree);
  setting["role"] = "setting";
  manifest["inputs"] = Json::array({input_of(input), setting});
  const auto files = report().files;
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(files[0].role, "manifest");
  EXPECT_EQ(files[0].path, path("r.csv.manifest.json"));
  EXPECT_EQ(files[0].sha256, sha256_file(path("r.csv.manifest.json")));
  EXPECT_EQ(files[0].bytes, std::filesystem::file_size(path("r.csv.manifest.json")));
  EXPECT_EQ(files[1].role, "release");
  EXPECT_EQ(files[1].path, "r.csv");
  EXPECT_EQ(files[1].sha256, sha256_file(path("r.csv")));
  EXPECT_EQ(files[1].bytes, std::string_view(kFile).size());
  EXPECT_EQ(files[2].role, "input");
  EXPECT_EQ(files[2].sha256, sha256_file(input));
  EXPECT_EQ(files[2].bytes, 8U);
  EXPECT_EQ(files[3].role, "setting");
  EXPECT_EQ(files[3].path, tree);
}

TEST_F(ReportTest, WithoutTheFileNothingIsVerified) {
  write_manifest("r.csv", manifest);
  std::filesystem::remove(path("r.csv"));
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::unchecked);
  EXPECT_TRUE(described.verdict.starts_with("Not verified again: the released file is not here"));
  ASSERT_EQ(described.requirements.size(), 1U);
  EXPECT_EQ(described.requirements[0].standing, Standing::unchecked);
  EXPECT_EQ(described.requirements[0].finding, "when it was made: the smallest class was of 2");
}

TEST_F(ReportTest, AnotherFileFails) {
  (void)file("r.csv", "age,zip\n1,A\n1,A\n2,B\n2,B\n3,B\n3,B\n");
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::fails);
  EXPECT_TRUE(described.verdict.starts_with("This is not the file that the manifest describes"));
}

TEST_F(ReportTest, WhatCannotBeVerifiedIsAnotherFileOrUnchecked) {
  manifest["claims"][0]["model"] = "k-map";
  manifest["claims"][0]["population"] = {{"path", path("gone.csv")}, {"sha256", "ab"}};
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::unchecked);
  EXPECT_TRUE(described.verdict.starts_with("Not verified again: ")) << described.verdict;
  (void)file("r.csv", "age,zip\n1,A\n1,A\n2,B\n2,B\n3,B\n3,B\n");
  EXPECT_EQ(report().standing, Standing::fails);
  EXPECT_TRUE(report().verdict.starts_with("This is not the file")) << report().verdict;
}

TEST_F(ReportTest, AnotherNumberOfRowsFails) {
  manifest["output"]["rows"] = 6;
  manifest["outputs"][0] = manifest["output"];
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::fails);
  EXPECT_EQ(described.verdict,
            "The number of rows in the released file differs from the manifest's.");
  EXPECT_EQ(described.requirements[0].standing, Standing::holds);  // that one does
}

TEST_F(ReportTest, AClaimThatDoesNotHoldFailsWithItsFigures) {
  manifest["claims"].push_back({{"model", "k-anonymity"},
                                {"quasi_identifiers", {"age"}},
                                {"k", 3},
                                {"standing", "derived"}});
  manifest["claims"].push_back({{"model", "k-anonymity"},
                                {"quasi_identifiers", {"zip"}},
                                {"k", 2},
                                {"standing", "derived"}});
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::fails);
  EXPECT_EQ(described.verdict, "1 of 3 claims do not hold for the released file.");
  ASSERT_EQ(described.requirements.size(), 3U);
  EXPECT_EQ(described.requirements[0].standing, Standing::holds);
  EXPECT_EQ(described.requirements[1].standing, Standing::fails);
  EXPECT_EQ(described.requirements[1].finding, "does not hold: 3 is required, 2 was found");
  EXPECT_EQ(described.requirements[2].standing, Standing::holds);
  EXPECT_EQ(described.k, 3U);
}

TEST_F(ReportTest, NoClaimIsNoPromise) {
  manifest["claims"] = Json::array();
  manifest["verification"] = Json::array();
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::fails);
  EXPECT_EQ(described.verdict, "The manifest claims nothing, so there is nothing to rely on.");
  EXPECT_EQ(described.k, 5U);  // below which people are few
}

TEST_F(ReportTest, SettingsAreWrittenAsNumbers) {
  manifest["claims"] = Json::array(
      {{{"model", "t-closeness"}, {"t", 0.25}, {"records", 7}, {"sensitive", "d"}},
       {{"model", "km-anonymity"}, {"k", 5}, {"m", 2}},
       {{"model", "complete-anonymity"}, {"k", 5}, {"m", 2}},
       {{"model", "policy-anonymity"}, {"k", 5}, {"m", 2}},
       {{"model", "k-unlinkability"}, {"k", 3}, {"view", "external"}},
       {{"model", "rho-uncertainty"}, {"rho", 0.5}, {"sensitive", {"1", "2"}}, {"view", nullptr}}});
  for (auto& claim : manifest["claims"]) claim["standing"] = "derived";
  EXPECT_EQ(settings(), (std::vector<std::string>{"t = 0.25, of d", "k = 5, m = 2", "k = 5",
                                                  "k = 5", "k = 3, external view", "rho = 0.5"}));
}

TEST_F(ReportTest, AttacksAreComparedWhereBothSidesHaveTheFigure) {
  manifest["results"] = {
      {"before",
       {{"classes", 5},
        {"unique_share", 0.5},
        {"only", 1},
        {"text", "a"},
        {"deep", {{"k", 1}, {"x", 2}}},
        {"mixed", {{"k", 1}}}}},
      {"after",
       {{"classes", 2}, {"unique_share", 0}, {"text", "b"}, {"deep", {{"k", 2}}}, {"mixed", 3}}},
      {"metrics", {{"loss", 0.25}, {"words", "no number"}, {"distance", {{"age", 0.5}}}}}};
  const auto described = report();
  ASSERT_EQ(described.attacks.size(), 3U);
  EXPECT_EQ(described.attacks[0].key, "classes");
  EXPECT_EQ(described.attacks[0].what, "classes");
  EXPECT_EQ(described.attacks[0].before, 5);
  EXPECT_EQ(described.attacks[0].after, 2);
  EXPECT_FALSE(described.attacks[0].share);
  EXPECT_EQ(described.attacks[1].key, "unique_share");
  EXPECT_TRUE(described.attacks[1].share);
  EXPECT_EQ(described.attacks[2].key, "deep.k");
  EXPECT_EQ(described.attacks[2].what, "deep: smallest class (k)");
  EXPECT_EQ(described.attacks[2].before, 1);
  EXPECT_EQ(described.attacks[2].after, 2);
  ASSERT_EQ(described.metrics.size(), 2U);
  EXPECT_EQ(described.metrics[0].key, "loss");
  EXPECT_EQ(described.metrics[0].value, 0.25);
  EXPECT_EQ(described.metrics[1].key, "distance.age");
  EXPECT_EQ(described.metrics[1].name, "distance: age");
  EXPECT_EQ(described.metrics[1].value, 0.5);
}

TEST_F(ReportTest, FewerPeopleThanKAreToldByNoNumber) {
  manifest["claims"][0]["k"] = 4;
  const auto attacks = [&](int before, int after) {
    manifest["results"] = {
        {"before", {{"unique", before}, {"unique_share", 0.3}, {"classes", before}}},
        {"after", {{"unique", after}, {"unique_share", 0.1}, {"classes", after}}}};
    auto described = report().attacks;
    EXPECT_EQ(described.size(), 3U);
    EXPECT_EQ(described[2].before, before);  // classes are not people
    EXPECT_EQ(described[2].after, after);
    return described;
  };
  const auto hidden = attacks(3, 1);
  for (std::size_t a = 0; a < 2; ++a) {
    EXPECT_TRUE(std::isnan(hidden[a].before)) << hidden[a].key;
    EXPECT_TRUE(std::isnan(hidden[a].after)) << hidden[a].key;
  }
  const auto shown = attacks(4, 0);
  EXPECT_EQ(shown[0].before, 4);
  EXPECT_EQ(shown[0].after, 0);
  EXPECT_EQ(shown[1].before, 0.3);
  EXPECT_EQ(shown[1].after, 0.1);
  const auto before_alone = attacks(2, 9);
  EXPECT_TRUE(std::isnan(before_alone[0].before));
  EXPECT_TRUE(std::isnan(before_alone[1].before));
  EXPECT_EQ(before_alone[0].after, 9);
  EXPECT_EQ(before_alone[1].after, 0.1);
}

TEST_F(ReportTest, WhoStandsAloneByColumnsOfNoModelIsSaidInTheVerdict) {
  const auto said_of = [&](int after, int k) {
    manifest["claims"][0]["k"] = k;
    manifest["results"] = {{"before", {{"singled_out", 9}, {"classes", 9}}},
                           {"after", {{"singled_out", after}, {"classes", 7}}}};
    const std::string verdict = report().verdict;
    const auto place = verdict.find(" By columns held to no model, ");
    return place == std::string::npos ? "" : verdict.substr(place + 30);
  };
  EXPECT_EQ(said_of(0, 2), "");
  EXPECT_EQ(said_of(1234, 2), "1,234 of the released records stand alone.");
  EXPECT_EQ(said_of(4, 4), "4 of the released records stand alone.");
  EXPECT_EQ(said_of(3, 4), "1 to 3 of the released records stand alone.");
  EXPECT_EQ(said_of(1, 2), "1 of the released records stands alone.");
  EXPECT_EQ(said_of(1, 1), "1 of the released records stands alone.");
  manifest["results"]["after"].erase("singled_out");  // no column is held to no model
  EXPECT_EQ(report().verdict.find("held to no model"), std::string::npos);
}

TEST_F(ReportTest, WhatLooksLikeAnIdentifierAndLeftIsSaidFirst) {
  const std::string verdict = report().verdict;
  manifest["parameters"] = {{"allowed", {"nr"}}};
  EXPECT_EQ(report().verdict, "Left as it is although it may tell who somebody is: nr. " + verdict);
  manifest["parameters"] = {{"allowed", {"nr", "mail"}}};
  EXPECT_EQ(report().verdict,
            "Left as they are although they may tell who somebody is: nr, mail. " + verdict);
  manifest["parameters"] = {{"allowed", Json::array()}};
  EXPECT_EQ(report().verdict, verdict);
}

TEST_F(ReportTest, ChanceKeysAndClocksStandInTheWayOfTheSameBytes) {
  const auto repeatable = [&](const char* operation) {
    manifest["results"] = {{"randomised", Json::array({{{"operator", operation}}})}};
    return report().repeatable;
  };
  EXPECT_TRUE(repeatable("round:10"));
  EXPECT_FALSE(repeatable("round:10:random"));
  EXPECT_FALSE(repeatable("noise:10"));
  manifest["results"] = Json::object();
  manifest["parameters"] = {{"key_fingerprint", "ab12"}, {"time_limit", 5}};
  const auto needs = report().needs;
  ASSERT_EQ(needs.size(), 2U);
  EXPECT_EQ(needs[0], "the secret key of fingerprint ab12");
  EXPECT_NE(needs[1].find("time limit"), std::string::npos);
  manifest["parameters"] = {{"key_fingerprint", nullptr}};
  EXPECT_TRUE(report().needs.empty());
}

TEST_F(ReportTest, AnInputThatIsGoneOrAnotherIsNamed) {
  const std::string here = file("here.csv", "a\n1\n");
  const std::string changed = file("changed.csv", "a\n1\n");
  manifest["inputs"] = Json::array({input_of(here), input_of(changed)});
  EXPECT_TRUE(report().notes.empty());
  (void)file("changed.csv", "a\n2\n");
  const auto notes = report().notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("changed.csv"), std::string::npos);
}

TEST_F(ReportTest, AManifestThatContradictsItselfFails) {
  manifest["parameters"] = {{"k", 3}};
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::fails);
  EXPECT_TRUE(described.verdict.starts_with("The manifest contradicts itself"))
      << described.verdict;
  manifest["output"]["rows"] = 6;
  manifest["outputs"][0] = manifest["output"];
  const auto both = report();
  EXPECT_TRUE(both.verdict.starts_with("The number of rows")) << both.verdict;
  EXPECT_NE(both.verdict.find("contradicts itself"), std::string::npos);
}

TEST_F(ReportTest, AKindAddsItsPageToItsOwnReleases) {
  const auto described = report();
  ASSERT_EQ(described.facts.size(), 1U);
  EXPECT_EQ(described.facts[0].name, "questions");
  manifest["verb"] = "fred";  // of another kind: what that says is not read as one's own
  EXPECT_TRUE(report().facts.empty());
}

TEST_F(ReportTest, AKindHoldsItsManifestAgainstTheVerifier) {
  manifest["results"] = {{"unanswered", 3}};
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::fails);
  EXPECT_NE(described.verdict.find("everything was answered"), std::string::npos);
  manifest["claims"][0]["k"] = 3;  // which the file is not
  EXPECT_EQ(report().verdict, "1 of 1 claims do not hold for the released file.");
  manifest["claims"][0]["k"] = 2;
  manifest["verb"] = "fred";  // what another kind says is not held against it
  EXPECT_EQ(report().standing, Standing::fails);
  EXPECT_EQ(report().verdict.find("everything was answered"), std::string::npos);
}

TEST_F(ReportTest, AKindMayHaveNothingToAdd) {
  manifest["kind"] = "diary";
  const auto described = report();
  EXPECT_EQ(described.standing, Standing::holds);
  EXPECT_EQ(described.title, "pages");
  EXPECT_TRUE(described.facts.empty());
}

TEST_F(ReportTest, AKindThatNobodyKnowsIsRefused) {
  manifest["kind"] = "zzz";
  write_manifest("r.csv", manifest);
  const Error error = error_of(
      [&] { return make_report(engine(), {.releases = {path("r.csv")}}, Progress::silent()); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_EQ(error.message(), "this version knows no such kind of release");
  EXPECT_EQ(error.place(), path("r.csv.manifest.json"));
}

TEST_F(ReportTest, AKindThatDoesNotClaimThisFails) {
  for (const char* kind : {"trails", "codes"}) {
    manifest["kind"] = kind;
    const auto described = report();
    EXPECT_EQ(described.standing, Standing::fails);
    EXPECT_NE(
        described.verdict.find(std::string("releases of ") + kind + " do not claim k-anonymity"),
        std::string::npos)
        << described.verdict;
  }
  manifest["kind"] = "survey";
  manifest["verb"] = "fred";
  EXPECT_EQ(report().standing, Standing::fails);
}

TEST_F(ReportTest, NoCommandIsShownWhereNoneWasRecorded) {
  manifest["command"] = {"survey", "protect", "--k", "1000"};
  EXPECT_EQ(report().command, "");
  write_manifest("r.csv", manifest);
  const std::string text = to_markdown(
      to_document(make_report(engine(), {.releases = {path("r.csv")}}, Progress::silent())));
  EXPECT_NE(text.find("no command is recorded"), std::string::npos);
  EXPECT_EQ(text.find("the same bytes"), std::string::npos);
  EXPECT_EQ(text.find("1000"), std::string::npos);
}

TEST_F(ReportTest, WhatItsKindCannotUseIsSaid) {
  ReportRequest request;
  request.ru_map = ExploredMap{};
  EXPECT_EQ(report(request).notes.size(), 1U);
  EXPECT_NE(report(request).notes[0].find("map of risk"), std::string::npos);
  request.ru_map.reset();
  request.adversaries = {engine().open(file("l.csv", "name\nA\n"), {}, Progress::silent())};
  EXPECT_EQ(report(request).notes.size(), 1U);
  EXPECT_NE(report(request).notes[0].find("list of people"), std::string::npos);
  // Tables take both.
  manifest["kind"] = "tables";
  request.ru_map = ExploredMap{};
  for (const auto& note : report(request).notes) {
    EXPECT_EQ(note.find("there is none of"), std::string::npos) << note;
    EXPECT_EQ(note.find("is not used"), std::string::npos) << note;
  }
}

TEST_F(ReportTest, ItsKindHasTheLastWordOfTheVerdict) {
  EXPECT_TRUE(report().verdict.starts_with("Verified:"));
  manifest["results"]["half"] = true;
  EXPECT_TRUE(report().verdict.starts_with("Half of it. Verified:")) << report().verdict;
}

TEST_F(ReportTest, TheDecisionIsCleaned) {
  write_manifest("r.csv", manifest);
  const Report whole =
      make_report(engine(), {.releases = {path("r.csv")}, .decision = {"a\x1b[1m", "b", "c"}},
                  Progress::silent());
  EXPECT_EQ(whole.decision.recipient, "a\xEF\xBF\xBD[1m");
  EXPECT_EQ(whole.decision.purpose, "b");
  EXPECT_EQ(whole.decision.approved_by, "c");
  EXPECT_EQ(whole.created.size(), 20U);
}

TEST_F(ReportTest, ADeepWrongShapeIsTheManifestsFault) {
  manifest["claims"][0]["sensitive"] = 7;  // no text where a text is looked for is passed over
  EXPECT_EQ(report().requirements[0].setting, "k = 2, sensitive = 7");
  manifest["verification"] = Json::array({"text"});
  write_manifest("r.csv", manifest);
  const Error error = error_of(
      [&] { return make_report(engine(), {.releases = {path("r.csv")}}, Progress::silent()); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_EQ(error.place(), path("r.csv.manifest.json"));
}

TEST(ReportStanding, OneThatFailsFailsAllAndOneUncheckedLeavesAllOpen) {
  const auto standing = [](const std::vector<Standing>& each) {
    Report report;
    for (const auto of_release : each) {
      report.releases.emplace_back();
      report.releases.back().standing = of_release;
    }
    return report.standing();
  };
  constexpr auto kHolds = Standing::holds;
  constexpr auto kFails = Standing::fails;
  constexpr auto kOpen = Standing::unchecked;
  EXPECT_EQ(standing({kHolds, kHolds}), kHolds);
  EXPECT_EQ(standing({kHolds, kOpen}), kOpen);
  EXPECT_EQ(standing({kOpen, kFails, kHolds}), kFails);
}

class RuMapTest : public ReleaseFixture {};

TEST_F(RuMapTest, WhatExploreWroteIsReadAndCleaned) {
  Chart chart{.title = "t\x01", .x_name = "x\x01", .y_name = "y\x01", .series = {}};
  chart.series.push_back({.name = "s\x01", .points = {{.x = 1, .y = 2, .label = "l\x01"}}});
  Json json = {{"chart", to_json(chart)}, {"private", "ab"}, {"input", "cd"}};
  json["settings"] = {{"l", "2"}};
  const ExploredMap explored = read_ru_map(file("map.json", json.dump()));
  EXPECT_EQ(*explored.settings, json["settings"]);
  const RuMap& map = explored.map;
  EXPECT_EQ(map.private_name, "ab");
  EXPECT_EQ(map.input, "cd");
  for (const auto& text : {map.chart.title, map.chart.x_name, map.chart.y_name,
                           map.chart.series.at(0).name, map.chart.series[0].points.at(0).label}) {
    EXPECT_EQ(text.substr(1), "\xEF\xBF\xBD");
  }
  EXPECT_EQ(map.chart.series[0].points[0].y, 2);
  json["input"] = 7;
  EXPECT_EQ(read_ru_map(file("map.json", json.dump())).map.input, "");
}

TEST_F(RuMapTest, AnythingElseIsRefused) {
  for (const char* text : {"[]", "{}", "{\"points\": []}"}) {
    const std::string map = file("map.json", text);
    const Error error = error_of([&] { return read_ru_map(map); });
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_EQ(error.place(), map);
    EXPECT_NE(error.hint().find("ru-map.json"), std::string::npos);
  }
}

}  // namespace
}  // namespace pratique::release::report_test
