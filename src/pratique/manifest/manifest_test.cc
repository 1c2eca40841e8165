#include "pratique/manifest/manifest.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/file.h"

namespace pratique::manifest_test {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.version = "0.2.0";
  manifest.created = "2026-11-17T02:00:00Z";
  manifest.kind = "tables";
  manifest.verb = "protect";
  manifest.command = {"tables", "protect", "in.csv", "--k", "5"};
  manifest.seed = 7;
  manifest.inputs = {{"in.csv", std::string(64, 'a'), 10},
                     {"h.csv", std::string(64, 'b'), 3, "setting"}};
  manifest.outputs = {{"out.csv", std::string(64, 'c'), 9, "csv", 4, ';'}};
  manifest.options = Json{{"k", 5}, {"method", "optimal"}, {"key", ""}, {"delimiter", ";"}};
  manifest.parameters = Json{{"quasi_identifiers", {"age"}}};
  manifest.claims = Json::array({{{"model", "k-anonymity"}, {"k", 5}, {"standing", "derived"}}});
  manifest.verification = Json::array({{{"model", "k-anonymity"}}});
  manifest.results = Json{{"rows_out", 4}};
  manifest.figures = {{"rows_out", Unit::number, "records released"}};
  return manifest;
}

Json as_json(const Manifest& manifest) { return parse_json(manifest.to_text(), "test"); }
Manifest from(const Json& json) { return Manifest::parse(to_text(json), "there.manifest.json"); }

// What publish wrote before there were formats.
Json old() {
  return {{"tool", "pratique"},
          {"version", "0.1.0"},
          {"created", "2026-11-16T09:00:03Z"},
          {"command", {"codes", "protect", "in.csv"}},
          {"seed", 3},
          {"inputs", {{{"path", "in.csv"}, {"sha256", std::string(64, '1')}, {"bytes", 5}}}},
          {"output",
           {{"path", "out.dat"},
            {"sha256", std::string(64, '2')},
            {"bytes", 6},
            {"rows", 2},
            {"format", "sets"}}},
          {"parameters", {{"k", 9}}},
          {"claims", {{{"model", "km-anonymity"}, {"k", 9}, {"m", 2}}}},
          {"verification", Json::array()},
          {"results", Json::object()}};
}

std::string message_of(const Json& json) {
  try {
    (void)from(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_input);
    EXPECT_EQ(error.place(), "there.manifest.json");
    return error.message();
  }
  return {};
}

TEST(Manifest, WhatIsWrittenIsReadAgain) {
  const Manifest back = from(as_json(example()));
  EXPECT_EQ(back.to_text(), example().to_text());
  EXPECT_EQ(back.format, 3);
  EXPECT_EQ(back.kind, "tables");
  EXPECT_EQ(back.verb, "protect");
  EXPECT_EQ(back.inputs.at(1).role, "setting");
  EXPECT_EQ(back.data_hashes(), std::vector<std::string>{std::string(64, 'a')});
  EXPECT_EQ(back.output().delimiter, ';');
  EXPECT_EQ(back.output().rows, 4U);
  EXPECT_EQ(back.option_text("method"), "optimal");
  EXPECT_EQ(back.option_text("key"), std::nullopt);    // given no value
  EXPECT_EQ(back.option_text("k"), std::nullopt);      // no text
  EXPECT_EQ(back.option_text("other"), std::nullopt);  // not recorded
}

TEST(Manifest, TheWordsThatRunItAgainAreThoseOfTheOptions) {
  using Words = std::vector<std::string>;
  Manifest manifest = example();
  manifest.command = {"tables", "protect", "another.csv"};
  manifest.options =
      Json{{"FILE", "in.csv"},      {"k", {"5", "3"}}, {"seed", nullptr}, {"suppression", 0.5},
           {"relaxed", true},       {"exact", false},  {"key", ""},       {"id", Json::array()},
           {"time-limit", nullptr}, {"last", "x"}};
  EXPECT_EQ(manifest.words(),
            (Words{"tables", "protect", "in.csv", "--k", "5", "--k", "3", "--seed", "7",
                   "--suppression", "0.5", "--relaxed", "--last", "x"}));
  manifest.options = Json{{"seed", 9}};
  EXPECT_EQ(manifest.words(), Words{});  // by a program: no command was run
  manifest.options = Json::object();
  EXPECT_EQ(manifest.words(), Words{});
  manifest.options = Json{{"k", 9}};
  EXPECT_EQ(manifest.words(), (Words{"tables", "protect", "--k", "9"}));
  EXPECT_EQ(from(old()).words(), (Words{"codes", "protect", "in.csv"}));
}

TEST(Manifest, OldReadersFindTheFirstOutputWhereItWas) {
  Manifest two = example();
  two.outputs.push_back({"more.bin", std::string(64, 'd'), 1, "file"});
  const Json json = as_json(two);
  EXPECT_EQ(json["output"], json["outputs"][0]);
  EXPECT_EQ(json["output"]["sha256"], std::string(64, 'c'));
  EXPECT_EQ(json["outputs"].size(), 2U);
  EXPECT_FALSE(json["outputs"][1].contains("rows"));
  EXPECT_EQ(from(json).outputs.at(1).path, "more.bin");
}

TEST(Manifest, AnOldOneIsStillRead) {
  const Manifest manifest = from(old());
  EXPECT_EQ(manifest.format, 1);
  EXPECT_EQ(manifest.kind, "codes");
  EXPECT_EQ(manifest.verb, "protect");
  EXPECT_EQ(manifest.seed, 3U);
  Json without_seed = old();
  without_seed.erase("seed");
  EXPECT_EQ(from(without_seed).seed, 0U);
  EXPECT_EQ(manifest.outputs.size(), 1U);
  EXPECT_EQ(manifest.output().format, "sets");
  EXPECT_EQ(manifest.output().delimiter, std::nullopt);
  EXPECT_TRUE(manifest.options->empty());
  EXPECT_EQ(manifest.k(), 9U);
  Json no_words = old();
  no_words["command"] = Json::array();
  EXPECT_EQ(from(no_words).kind, "");
}

TEST(Manifest, ALaterFormatIsRefusedWithItsNumber) {
  Json later = as_json(example());
  later["format"] = 4;
  EXPECT_NE(message_of(later).find("format 4"), std::string::npos);
  later["format"] = 0;
  EXPECT_NE(message_of(later).find("format is 0"), std::string::npos);
  for (const Json& wrong : {Json("2"), Json(-1), Json(1.5), Json(nullptr)}) {
    later["format"] = wrong;
    EXPECT_NE(message_of(later).find("format is not a whole number"), std::string::npos);
  }
}

TEST(Manifest, EveryKeyMustBeThereAndOfItsType) {
  const Json whole = as_json(example());
  for (const auto& [key, value] : whole.items()) {
    if (key == "format") continue;  // without it, it is an old one
    Json changed = as_json(example());
    changed[key] = true;
    EXPECT_NE(message_of(changed).find("not as pratique writes it: " + key + " is no"),
              std::string::npos)
        << key;
    if (key == "figures") continue;  // the first manifests of format 2 have none
    changed.erase(key);
    EXPECT_NE(message_of(changed).find(key + " is missing"), std::string::npos) << key;
  }
  for (const char* key : {"command", "inputs", "output", "parameters", "claims", "results"}) {
    Json changed = old();
    changed[key] = 7;
    EXPECT_NE(message_of(changed).find(std::string(key) + " is no"), std::string::npos) << key;
    changed.erase(key);
    EXPECT_NE(message_of(changed).find(std::string(key) + " is missing"), std::string::npos);
  }
}

TEST(Manifest, WhatIsInsideMustBeOfItsTypeToo) {
  const auto message = [](const char* pointer, const Json& value) {
    Json changed = as_json(example());
    changed[Json::json_pointer(pointer)] = value;
    return message_of(changed);
  };
  EXPECT_NE(message("/inputs/1/sha256", 5).find("inputs[1].sha256 is not text"), std::string::npos);
  EXPECT_NE(message("/inputs/0", "x").find("inputs[0] is not an object"), std::string::npos);
  EXPECT_NE(message("/command/2", 5).find("command holds"), std::string::npos);
  EXPECT_NE(message("/claims/0/model", 5).find("claims[0].model is not text"), std::string::npos);
  EXPECT_NE(message("/claims/0/standing", "sworn").find("claims[0].standing is not"),
            std::string::npos);
  EXPECT_NE(message("/outputs", Json::array()).find("outputs is empty"), std::string::npos);
  EXPECT_NE(message("/output/sha256", "0").find("output is not the first"), std::string::npos);
  EXPECT_NE(message_of(Json::array()).find("the whole is not an object"), std::string::npos);
}

TEST(Manifest, KIsTheLargestThatIsClaimed) {
  Manifest manifest = example();
  manifest.claims = Json::array(
      {{{"model", "a"}, {"k", 3U}}, {{"model", "b"}, {"k", 8U}}, {{"model", "c"}, {"k", -9}}});
  EXPECT_EQ(manifest.k(), 8U);
  EXPECT_EQ(manifest.promised_k(), 8U);
  manifest.claims = Json::array({{{"model", "a"}, {"l", 3}}});
  EXPECT_EQ(manifest.k(), 5U);
  EXPECT_EQ(manifest.promised_k(), std::nullopt);
}

TEST(Manifest, NoManifestBesideIsNone) {
  const PrivateFolder folder;
  const std::string release = folder.path() + "/out.csv";
  EXPECT_FALSE(Manifest::beside(release));
  write_file_atomically(Manifest::path_of(release), example().to_text());
  EXPECT_EQ(Manifest::beside(release)->seed, 7U);
  write_file_atomically(Manifest::path_of(release), "{");
  EXPECT_THROW((void)Manifest::beside(release), Error);
}

TEST(Manifest, StandingsHaveWords) {
  for (const auto standing :
       {ClaimStanding::derived, ClaimStanding::tested, ClaimStanding::attested})
    EXPECT_EQ(claim_standing(to_text(standing)), standing);
  EXPECT_EQ(to_text(ClaimStanding::tested), "tested");
  EXPECT_FALSE(claim_standing("holds"));
}

TEST(Manifest, FiguresAreReadWhereTheyAre) {
  Json json = as_json(example());
  EXPECT_EQ(json["figures"], Json::parse(R"([{"key": "rows_out", "unit": "number",
                                              "words": "records released"}])"));
  EXPECT_EQ(from(json).figures, example().figures);
  Json metres = json;
  metres["figures"][0]["unit"] = "metres";
  EXPECT_NE(message_of(metres).find("figures[0].unit"), std::string::npos);
  for (const char* key : {"key", "unit", "words"}) {
    Json incomplete = json;
    incomplete["figures"][0].erase(key);
    EXPECT_NE(message_of(incomplete).find(std::string("figures[0].") + key), std::string::npos);
  }
  json.erase("figures");  // as the first manifests of format 2
  EXPECT_TRUE(from(json).figures.empty());
}

}  // namespace
}  // namespace pratique::manifest_test
