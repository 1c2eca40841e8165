#include "pratique/trails/flow/protect.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/crypto/random.h"
#include "pratique/kind/release_file.h"
#include "pratique/kind/testing/flow_fixture.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::trails::flow::protect_test {
namespace {

// Figure 7.2 of Malin's thesis.
class TrailsProtectFlow : public FlowFixture {
 protected:
  std::string people = file("people.csv", "location,element\nH1,Ali\nH1,Bob\nH1,Cy\nH2,Dan\n");
  std::string samples =
      file("samples.csv", "location,element\nH1,actg\nH1,ctga\nH1,tgac\nH2,gacg\n");
  ProtectRequest request{.sides = {.identified = people, .deidentified = samples},
                         .k = 3,
                         .seed = 1,
                         .out = path("out.csv")};

  Json reported() { return *protect(request, run()).result; }
  std::string said() {
    auto text = refusal([&] { return protect(request, run()); });
    EXPECT_TRUE(nothing_written(request.out)) << text;
    return text;
  }
  bool verifies() {
    return verify::verify_release(engine(), request.out, Progress::silent()).holds();
  }
  void use(const std::string& identified, const std::string& deidentified) {
    request.sides.identified = file("p.csv", "location,element\n" + identified);
    request.sides.deidentified = file("s.csv", "location,element\n" + deidentified);
  }
};

TEST_F(TrailsProtectFlow, SpellingsThatWereJoinedAreTold) {
  const auto plain = reported();
  EXPECT_EQ(plain.at("spellings_joined"), 0);
  EXPECT_FALSE(plain.contains("note"));
  use("H1,Ali\nH1,Bob\nH1,Cy\nH2,ALI\n", "H1,actg\nH1,ctga\nH1,tgac\n");
  const auto joined = reported();
  EXPECT_EQ(joined.at("spellings_joined"), 1);
  EXPECT_TRUE(joined.at("note").get<std::string>().starts_with("1 name of people was"));
  EXPECT_EQ(joined.at("samples_joined"), 0);
  use("H1,Ali\nH1,Bob\nH1,Cy\nH2,Dan\n", "H1,actg\nH1,ctga\nH1,tgac\nH1,TGAC\n");
  const auto spelt = reported();
  EXPECT_EQ(spelt.at("samples_joined"), 1);
  EXPECT_EQ(spelt.at("samples_in"), 3);
  EXPECT_EQ(spelt.at("note"), "1 name of samples was read as another spelling of one");
  EXPECT_TRUE(verifies());
}

// Another location's spelling would tell that the sample was there, too: what leaves is what its
// own location wrote.
TEST_F(TrailsProtectFlow, EachLocationDisclosesItsOwnSpelling) {
  use("A,Ali\nA,Bob\nB,Ali\nB,Cy\nB,Dan\nB,Eve\n", "A,acgt\nB,ACGT\nB,Acgt\nB,tttt\n");
  for (const char* method : {"greedy", "force"}) {
    request.method = method;
    (void)reported();
    EXPECT_TRUE(verifies());
    const auto lines = lines_of(request.out);
    EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()),
              (std::set<std::string>{"location,element", "B,ACGT", "B,tttt"}))
        << method;
  }
}

// The person of the sample is the only one at both: with two spellings it would leave both.
TEST_F(TrailsProtectFlow, ASampleInTwoSpellingsHasOneTrail) {
  use("H1,Ann\nH2,Ann\nH1,a\nH1,b\nH1,c\nH2,d\nH2,e\nH2,f\n",
      "H1,actg\nH2,ACTG\nH1,sa\nH1,sb\nH2,sd\nH2,se\n");
  for (const auto* method : {"greedy", "force", "best"}) {
    request.method = method;
    const auto result = reported();
    EXPECT_EQ(result.at("samples_in"), 5);
    std::size_t leaves = 0;
    for (const auto& line : lines_of(request.out))
      leaves += line == "H1,actg" || line == "H2,actg" || line == "H2,ACTG" ? 1 : 0;
    EXPECT_LE(leaves, 1U) << method;
    EXPECT_TRUE(verifies());
  }
}

TEST_F(TrailsProtectFlow, OnlySamplesThatMayBeThreePeoplesAreDisclosed) {
  for (const auto* method : {"greedy", "force", "best"}) {
    request.method = method;
    const auto result = reported();
    EXPECT_EQ(sorted_lines_of(request.out),
              (std::vector<std::string>{"H1,actg", "H1,ctga", "H1,tgac", "location,element"}));
    EXPECT_TRUE(verifies());
    EXPECT_EQ(result.at("method"), method);
    EXPECT_EQ(result.at("k"), 3);
    EXPECT_EQ(result.at("secure"), false);
    EXPECT_EQ(result.at("maximise"), "samples");
    EXPECT_EQ(result.at("people"), 4);
    EXPECT_EQ(result.at("samples_in"), 4);
    EXPECT_EQ(result.at("samples_out"), 3);
    EXPECT_EQ(result.at("locations_in"), 2);
    EXPECT_EQ(result.at("locations_out"), 1);
    EXPECT_EQ(result.at("records_in"), 4);
    EXPECT_EQ(result.at("records_out"), 3);
    EXPECT_EQ(result.at("k_verified"), 3);
    EXPECT_EQ(result.at("verified"), (Json{{"external", 3}}));
    // Before, gacg is Dan's for certain, and each of the others may be each of three people's.
    EXPECT_EQ(result.at("before"), (Json{{"reidentified", 1},
                                         {"reidentified_share", 0.25},
                                         {"k_reidentified", 1},
                                         {"k_reidentified_share", 0.25}}));
    EXPECT_EQ(result.at("after"), (Json{{"reidentified", 0},
                                        {"reidentified_share", 0.0},
                                        {"k_reidentified", 0},
                                        {"k_reidentified_share", 0.0}}));
    const auto& possible = result.at("possible_people");
    EXPECT_EQ(possible.at("at_least"), (Json{1, 3, 6, 12, 24, 48, 96, 192, 384}));
    EXPECT_EQ(possible.at("before"), (Json{1, 3, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(possible.at("after"), (Json{0, 3, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_GE(result.at("bound").at("samples"), 3);
    EXPECT_GE(result.at("bound").at("locations"), 1);
    // Every run discloses the same.
    EXPECT_EQ(result.at("runs").at("count"), std::string(method) == "best" ? 4 : 25);
    const auto& runs = result.at("runs");
    EXPECT_NEAR(runs.at("samples").at("mean").get<double>(), 3, 1e-9);
    EXPECT_NEAR(runs.at("samples").at("deviation").get<double>(), 0, 1e-9);
    EXPECT_NEAR(runs.at("locations").at("mean").get<double>(), 1, 1e-9);
    EXPECT_NEAR(runs.at("locations").at("deviation").get<double>(), 0, 1e-9);
    EXPECT_EQ(result.at("out"), request.out);
    EXPECT_EQ(result.at("seed"), 1);
    EXPECT_GE(result.at("seconds"), 0);
    EXPECT_LT(result.at("seconds"), 60);
  }
}

TEST_F(TrailsProtectFlow, TheManifestSaysHowTheReleaseWasMade) {
  config = file("settings.yaml", "k: 3\n");
  request.runs = 2;
  const auto result = reported();
  const auto manifest = manifest_of(request.out);
  expect_recorded(manifest, "trails", {samples, people}, {config}, 1);
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command"}));
  const auto& parameters = manifest.at("parameters");
  EXPECT_EQ(parameters.at("method"), "best");
  EXPECT_EQ(parameters.at("k"), 3);
  EXPECT_EQ(parameters.at("secure"), false);
  EXPECT_EQ(parameters.at("maximise"), "samples");
  EXPECT_EQ(parameters.at("runs"), 2);
  EXPECT_EQ(parameters.at("keep_copies"), false);
  // What depends on samples that may have stayed is told in private.
  for (const char* key : {"reserved", "delimiter", "assumption"})
    EXPECT_FALSE(parameters.contains(key)) << key;
  const Manifest complete = release::ReleaseFile::read(request.out).manifest();
  EXPECT_EQ(complete.parameters->at("reserved"), "none");  // both lists are as long everywhere
  EXPECT_EQ(complete.parameters->at("delimiter"), (Json{{samples, ","}, {people, ","}}));
  EXPECT_EQ(complete.parameters->at("assumption"), result.at("assumption"));
  const auto lists = [](const std::string& of) {
    return Json{{"path", of},
                {"location", "location"},
                {"element", {"element"}},
                {"files", Json::array({Json{{"path", of}}})}};
  };
  EXPECT_EQ(parameters.at("deidentified"), lists(samples));
  ASSERT_EQ(manifest.at("claims").size(), 1U);
  const auto& claim = manifest.at("claims").at(0);
  EXPECT_EQ(claim.at("model"), "k-unlinkability");
  EXPECT_EQ(claim.at("k"), 3);
  EXPECT_EQ(claim.at("view"), "external");
  Json known = lists(people);  // which the verifier is to read, too
  known["files"][0]["commitment"] = manifest.at("inputs").at(1).at("commitment");
  EXPECT_EQ(claim.at("identified"), known);
  EXPECT_EQ(complete.claims->at(0)["identified"]["files"][0]["sha256"], sha256_file(people));
  EXPECT_FALSE(claim.contains("submitted"));
  EXPECT_FALSE(manifest.at("results").contains("after"));
  EXPECT_EQ(complete.results->at("after"), result.at("after"));
  EXPECT_EQ(read_file(request.out).find("Ali"), std::string::npos);
}

TEST_F(TrailsProtectFlow, ASeedThatWasDrawnIsRecorded) {
  request.seed.reset();
  const auto seed = reported().at("seed").get<std::uint64_t>();
  const auto manifest = manifest_of(request.out);
  const auto bytes = read_file(request.out);
  expect_recorded(manifest, "trails", {samples, people}, {}, seed);
  EXPECT_EQ(manifest.at("options").at("seed"), seed);
  EXPECT_EQ(manifest.at("command"), (Json{"the", "command", "--seed", std::to_string(seed)}));
  request.seed = seed;
  (void)reported();
  EXPECT_EQ(read_file(request.out), bytes);
}

TEST_F(TrailsProtectFlow, ASecureReleaseHoldsInEveryView) {
  request.secure = true;
  const auto result = reported();
  EXPECT_EQ(result.at("secure"), true);
  std::set<std::string> views;
  for (const auto& [view, k] : result.at("verified").items()) {
    views.insert(view);
    EXPECT_GE(k, 3) << view;
    EXPECT_LE(result.at("k_verified"), k);
  }
  EXPECT_EQ(views, (std::set<std::string>{"external", "central", "contributor"}));
  const auto manifest = manifest_of(request.out);
  const auto& claims = manifest.at("claims");
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_FALSE(claims.at(0).contains("submitted"));
  for (const std::size_t c : {1U, 2U}) {
    EXPECT_EQ(claims.at(c).at("submitted").at("path"), samples);
    EXPECT_EQ(claims.at(c).at("identified").at("path"), people);
  }
  EXPECT_TRUE(verifies());
}

TEST_F(TrailsProtectFlow, ListsInFoldersAndSeveralColumns) {
  (void)file("people/A.csv", "who\nAnn\nBob\n");
  (void)file("people/B.csv", "who\nEve\n");
  request.sides = {.identified = path("people"),
                   .deidentified = file("dna.csv", "site;plate;dna\nA;1;x\nA;2;x\nB;1;y\n"),
                   .location = "site",
                   .identified_element = {"who"},
                   .deidentified_element = {"plate", "dna"}};
  request.k = 2;
  (void)reported();
  EXPECT_EQ(sorted_lines_of(request.out),
            (std::vector<std::string>{"A;1|x", "A;2|x", "site;plate|dna"}));
  EXPECT_TRUE(verifies());
  const auto manifest = manifest_of(request.out);
  expect_recorded(manifest, "trails", {path("dna.csv"), path("people/A.csv"), path("people/B.csv")},
                  {}, 1);
  EXPECT_FALSE(manifest.at("parameters").at("deidentified").contains("delimiter"));
  EXPECT_EQ(manifest.at("parameters").at("deidentified").at("element"), (Json{"plate", "dna"}));
  const auto& claim = manifest.at("claims").at(0);
  EXPECT_EQ(claim.at("element"), Json::array({"plate|dna"}));
  EXPECT_EQ(claim.at("identified").at("files").size(), 2U);
  EXPECT_FALSE(claim.at("identified").contains("delimiter"));
}

TEST_F(TrailsProtectFlow, CopiesAreKeptWhenAsked) {
  // Everybody was at both, and so may be everybody else.
  use("A,p\nB,p\nA,q\nB,q\nA,r\nB,r\n", "A,x\nB,x\nA,y\nB,y\nA,z\nB,z\n");
  EXPECT_EQ(reported().at("records_out"), 3);
  request.keep_copies = true;
  EXPECT_EQ(reported().at("records_out"), 6);
  EXPECT_EQ(manifest_of(request.out).at("parameters").at("keep_copies"), true);
  EXPECT_TRUE(verifies());
  std::filesystem::remove(request.out);
  std::filesystem::remove(Manifest::path_of(request.out));
  request.method = "greedy";
  EXPECT_NE(said().find("--keep-copies"), std::string::npos);
  request.method = "best";
  request.secure = true;
  EXPECT_NE(said().find("--keep-copies"), std::string::npos);
}

TEST_F(TrailsProtectFlow, WhereNothingCanBeDisclosedNothingIsWritten) {
  request.k = 4;
  const auto outcome = protect(request, run());
  EXPECT_FALSE(outcome.passed);
  EXPECT_TRUE(nothing_written(request.out));
  const auto& result = *outcome.result;
  EXPECT_EQ(result.at("samples_out"), 0);
  EXPECT_FALSE(result.contains("k_verified"));
  EXPECT_EQ(result.at("note"),
            "no location with samples names 4 people or more; nothing was written");
  EXPECT_EQ(result.at("after").at("reidentified_share"), 0);
  EXPECT_EQ(result.at("before").at("k_reidentified"), 4);
  EXPECT_EQ(result.at("possible_people").at("before"), (Json{4, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(result.at("possible_people").at("after"), (Json{0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(TrailsProtectFlow, TheNoteSaysWhyNothingIsDisclosed) {
  use("A,p\nA,q\n", "");
  EXPECT_FALSE(protect(request, run()).passed);
  EXPECT_EQ(reported().at("note"), "there are no samples to disclose; nothing was written");
  // B knows that y is Bob's, so x is Ann's.
  use("A,Ann\nA,Bob\nB,Bob\n", "A,x\nA,y\nB,y\n");
  request.k = 2;
  EXPECT_TRUE(protect(request, run()).passed);
  request.secure = true;
  request.out = path("secure.csv");
  EXPECT_FALSE(protect(request, run()).passed);
  EXPECT_NE(reported().at("note").get<std::string>().find("without --secure"), std::string::npos);
  EXPECT_TRUE(nothing_written(request.out));
}

// Publishing verifies every view with code of its own, and throws where one fails.
TEST_F(TrailsProtectFlow, SparseWorldsAreProtectedFromEveryView) {
  SeededRandom random(1);
  for (int world = 0; world < 2; ++world) {
    std::string lists;
    for (int person = 0; person < 150; ++person) {
      for (int location = 0; location < 60; ++location) {
        if (random.chance(0.04)) {
          lists += "L" + std::to_string(location) + ",e" + std::to_string(person) + "\n";
        }
      }
    }
    use(lists, lists);
    request.secure = true;
    for (const auto* maximise : {"samples", "locations"}) {
      request.maximise = maximise;
      request.out = path("w" + std::to_string(world) + maximise + ".csv");
      const auto outcome = protect(request, run());
      EXPECT_TRUE(outcome.passed);
      EXPECT_EQ(outcome.result->at("verified").size(), 3U);
      EXPECT_GE(outcome.result->at("k_verified"), 3);
    }
  }
}

TEST_F(TrailsProtectFlow, NoFileThatIsReadIsOverwritten) {
  config = file("settings.yaml", "k: 3\n");
  for (const auto& target : {people, samples, config}) {
    const auto before = read_file(target);
    request.out = target;
    EXPECT_NE(refusal([&] { return protect(request, run()); }).find("same file"),
              std::string::npos);
    EXPECT_EQ(read_file(target), before);
  }
}

TEST_F(TrailsProtectFlow, WhatCannotBeProtectedIsRefused) {
  auto& sides = request.sides;
  sides.identified = "-";
  EXPECT_NE(said().find("standard input"), std::string::npos);
  sides = {.identified = people, .deidentified = "-"};
  EXPECT_NE(said().find("standard input"), std::string::npos);
  sides = {.identified = people, .deidentified = samples, .element = {"elemnt"}};
  EXPECT_NE(said().find("Did you mean element?"), std::string::npos);
  sides.element = {"element"};
  // One person for two samples at A.
  use("A,p\nB,q\n", "A,x\nA,y\nB,z\n");
  EXPECT_NE(said().find("incomplete"), std::string::npos);
  // Nobody was at both.
  use("A,p\nB,q\nB,r\n", "B,ok\nA,SECRET\nB,SECRET\n");
  const auto text = said();
  EXPECT_NE(text.find("s.csv, row 2"), std::string::npos);
  EXPECT_EQ(text.find("SECRET"), std::string::npos);
}

TEST(TrailsProtectRequest, OptionsBecomeTheMethodsOwn) {
  ProtectRequest request{.k = 7, .secure = true, .keep_copies = true};
  auto method_request = request.request(9);
  EXPECT_EQ(method_request.k, 7U);
  EXPECT_EQ(method_request.seed, 9U);
  EXPECT_EQ(method_request.method, "best");
  EXPECT_EQ(method_request.objective, Objective::samples);
  EXPECT_EQ(method_request.run_count(), 4U);
  EXPECT_TRUE(method_request.secure);
  EXPECT_TRUE(method_request.keep_copies);
  request = {.method = "greedy", .maximise = "locations"};
  method_request = request.request(1);
  EXPECT_EQ(method_request.method, "greedy");
  EXPECT_EQ(method_request.objective, Objective::locations);
  EXPECT_EQ(method_request.run_count(), 25U);
  EXPECT_FALSE(method_request.secure);
  EXPECT_FALSE(method_request.keep_copies);
  request = {.method = "force", .runs = 3};
  EXPECT_EQ(request.request(1).method, "force");
  EXPECT_EQ(request.request(1).run_count(), 3U);
}

}  // namespace
}  // namespace pratique::trails::flow::protect_test
