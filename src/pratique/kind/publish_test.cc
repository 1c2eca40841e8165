#include "pratique/kind/publish.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/kind/release_file.h"
#include "pratique/manifest/manifest.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::release::publish_test {
namespace {

namespace fs = std::filesystem;

class PublishTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::unique_ptr<Engine> engine = Engine::duckdb({.threads = 1});
  std::vector<std::string> ages{"20..29", "30..39"};
  std::vector<Code> codes{0, 1, 0, 1};
  std::vector<std::uint64_t> counts{1, 1, 1, 1};
  Content content{.columns = {{"age", &codes, &ages}}, .groups = {0, 1, 2, 3}, .counts = &counts};
  std::string input = folder.path() + "/in.csv";
  std::string out = folder.path() + "/out.csv";
  Source source;

  void SetUp() override {
    std::ofstream(input) << "age\n21\n31\n22\n32\n";
    source = engine->open(input, {}, Progress::silent());
  }

  static Json k_claim(int k) {
    return Json::array({{{"model", "k-anonymity"}, {"quasi_identifiers", {"age"}}, {"k", k}}});
  }

  void publish_with(int k, const std::string& path) {
    (void)publish(*engine, content, path,
                  {.kind = "tables",
                   .verb = "protect",
                   .command = {"tables", "protect"},
                   .seed = 7,
                   .inputs = {source},
                   .options = Json{{"k", k}}},
                  Json::object(), k_claim(k), Json::object(), Progress::silent());
  }
};

TEST_F(PublishTest, AReleaseVerifiesAndItsManifestTellsItsOrigin) {
  publish_with(2, out);
  const auto verification = verify::verify_release(*engine, out, Progress::silent());
  EXPECT_TRUE(verification.holds());
  EXPECT_EQ(verification.rows, 4U);
  const Json manifest = read_json_file(Manifest::path_of(out));
  EXPECT_EQ(manifest["seed"], 7);
  EXPECT_EQ(manifest["inputs"][0]["path"], input);
  EXPECT_EQ(manifest["inputs"][0].size(), 2U);  // and a commitment
  EXPECT_EQ(manifest["output"]["sha256"], sha256_file(out));
}

TEST_F(PublishTest, AReleaseThatBreaksItsClaimIsNotWritten) {
  EXPECT_THROW(publish_with(3, out), Error);
  EXPECT_FALSE(fs::exists(out));
  EXPECT_FALSE(fs::exists(Manifest::path_of(out)));
  // The input and the folder's lock are all there is.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

TEST_F(PublishTest, TheInputIsNeverOverwritten) {
  EXPECT_THROW(publish_with(2, input), Error);
  fs::create_symlink(input, out);
  EXPECT_THROW(publish_with(2, out), Error);
  EXPECT_EQ(read_file(input), "age\n21\n31\n22\n32\n");
}

TEST_F(PublishTest, AChangedReleaseFails) {
  publish_with(2, out);
  // The class sizes stay, so only the hash can tell.
  std::string text = read_file(out);
  text.replace(text.find("20..29"), 6, "20..28");
  text.replace(text.find("20..29"), 6, "20..28");
  write_file_atomically(out, text);
  const auto changed = verify::verify_release(*engine, out, Progress::silent());
  EXPECT_FALSE(changed.hash_matches);
  EXPECT_TRUE(changed.claims.at(0).holds);
  EXPECT_FALSE(changed.holds());
}

TEST_F(PublishTest, AForgedManifestStillMustBeTrue) {
  publish_with(2, out);
  Json manifest = read_json_file(Manifest::path_of(out));
  manifest["claims"] = k_claim(3);
  manifest["claims"][0]["standing"] = "derived";
  write_file_atomically(Manifest::path_of(out), to_text(manifest));
  EXPECT_FALSE(verify::verify_release(*engine, out, Progress::silent()).holds());
  manifest["claims"] = Json::array();
  write_file_atomically(Manifest::path_of(out), to_text(manifest));
  EXPECT_FALSE(verify::verify_release(*engine, out, Progress::silent()).holds());
}

// A table and a note beside it.
class TableAndNote final : public Artefact {
 public:
  TableAndNote(const Content& content, std::string note)
      : table_(content, 7, ';'), note_(std::move(note)) {}
  [[nodiscard]] std::vector<ArtefactFile> files(const std::string& path) const override {
    auto files = table_.files(path);
    files.push_back({.ending = ".note", .format = "text"});
    return files;
  }
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override {
    if (file == 0) {
      table_.write(engine, file, path, progress);
    } else {
      std::ofstream(path) << note_;
    }
  }
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override {
    EXPECT_EQ(read_file(paths.at(1)), note_);
    return table_.reopen(engine, paths, progress);
  }

 private:
  TableArtefact table_;
  std::string note_;
};

TEST_F(PublishTest, AReleaseOfTwoFilesLeavesAndIsVerifiedWhole) {
  const TableAndNote both(content, "read me");
  const Origin origin{.kind = "tables", .verb = "protect", .command = {}, .inputs = {source}};
  const auto publish_at = [&](const std::string& path, int k) {
    (void)publish(*engine, both, path, origin, Json::object(), k_claim(k), Json::object(),
                  Progress::silent());
  };
  EXPECT_THROW(publish_at(out, 3), Error);
  EXPECT_FALSE(fs::exists(out) || fs::exists(out + ".note"));

  publish_at(out, 2);
  EXPECT_EQ(read_file(out + ".note"), "read me");
  const Manifest manifest = Manifest::read(Manifest::path_of(out));
  ASSERT_EQ(manifest.outputs.size(), 2U);
  EXPECT_EQ(manifest.outputs[0].sha256, sha256_file(out));
  EXPECT_EQ(manifest.outputs[0].delimiter, ';');
  EXPECT_EQ(manifest.outputs[1].path, out + ".note");
  EXPECT_EQ(manifest.outputs[1].sha256, sha256_file(out + ".note"));
  EXPECT_EQ(manifest.outputs[1].bytes, 7U);
  EXPECT_EQ(manifest.outputs[1].rows, std::nullopt);
  EXPECT_TRUE(verify::verify_release(*engine, out, Progress::silent()).holds());

  // The whole may be carried elsewhere; each file must come along as it was.
  const std::string there = folder.path() + "/there.csv";
  for (const char* ending : {"", ".note", ".manifest.json"}) fs::copy(out + ending, there + ending);
  EXPECT_TRUE(verify::verify_release(*engine, there, Progress::silent()).holds());
  write_file_atomically(there + ".note", "read you");
  EXPECT_FALSE(verify::verify_release(*engine, there, Progress::silent()).holds());
  fs::remove(there + ".note");
  EXPECT_FALSE(verify::verify_release(*engine, there, Progress::silent()).holds());
}

TEST_F(PublishTest, NoFileOfAReleaseTakesAnInputsPlace) {
  const std::string beside = folder.path() + "/in";
  fs::copy(input, beside + ".note");
  const Origin origin{.kind = "tables",
                      .verb = "protect",
                      .command = {},
                      .inputs = {engine->open(beside + ".note", {}, Progress::silent())}};
  EXPECT_THROW((void)publish(*engine, TableAndNote(content, "x"), beside, origin, Json::object(),
                             k_claim(2), Json::object(), Progress::silent()),
               Error);
  EXPECT_EQ(read_file(beside + ".note"), read_file(input));
  EXPECT_FALSE(fs::exists(beside));
}

TEST_F(PublishTest, ParquetTravelsTheSameWay) {
  const std::string parquet = folder.path() + "/out.parquet";
  publish_with(2, parquet);
  EXPECT_TRUE(verify::verify_release(*engine, parquet, Progress::silent()).holds());
}

TEST_F(PublishTest, TheManifestSaysWhatWasReadAndWhatWasWritten) {
  const std::string settings = folder.path() + "/settings.toml";
  write_file_atomically(settings, "k = 2\n");
  std::ofstream(input) << "age;s\n21;a\n31;b\n";
  source = engine->open(input, {.delimiter = ';'}, Progress::silent());
  const auto published = publish(*engine, content, out,
                                 {.kind = "tables",
                                  .verb = "protect",
                                  .command = {"tables", "protect", input},
                                  .seed = 9,
                                  .inputs = {source},
                                  .other_files = {settings},
                                  .options = Json{{"k", 2}}},
                                 {{"p", 1}}, k_claim(2), {{"r", 2}}, Progress::silent());
  const auto& verdicts = published.claims;
  EXPECT_EQ(ReleaseFile::read(out).manifest().private_name + ".json",
            fs::path(published.private_manifest).filename());
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_TRUE(verdicts[0].holds);
  EXPECT_EQ(verdicts[0].achieved, 2);
  const Manifest manifest = Manifest::read(Manifest::path_of(out));
  EXPECT_EQ(manifest.kind, "tables");
  EXPECT_EQ(manifest.verb, "protect");
  EXPECT_EQ(manifest.command.size(), 3U);
  EXPECT_EQ(manifest.seed, 9U);
  ASSERT_EQ(manifest.inputs.size(), 2U);
  EXPECT_EQ(manifest.inputs[0].role, "");
  EXPECT_EQ(manifest.inputs[1].path, settings);
  for (const auto& told : manifest.inputs) {
    EXPECT_EQ(told.bytes, 0U);
    EXPECT_EQ(told.sha256, "");
    EXPECT_EQ(told.commitment.size(), 64U);
  }
  EXPECT_EQ(manifest.inputs[1].role, "setting");
  EXPECT_EQ(manifest.output().path, out);
  EXPECT_EQ(manifest.output().bytes, file_size(out));
  EXPECT_EQ(manifest.output().rows, 4U);
  EXPECT_EQ(manifest.output().format, "csv");
  EXPECT_EQ(manifest.output().delimiter, ';');  // that of the first input
  EXPECT_EQ((*manifest.options)["k"], 2);
  EXPECT_EQ((*manifest.parameters)["p"], 1);
  EXPECT_FALSE(manifest.results->contains("r"));
  const Manifest complete = ReleaseFile::read(out).manifest();
  EXPECT_EQ(complete.inputs[0].bytes, file_size(input));
  EXPECT_EQ(complete.inputs[0].sha256, sha256_file(input));
  EXPECT_EQ(complete.inputs[1].sha256, sha256_file(settings));
  EXPECT_EQ((*complete.results)["r"], 2);
  EXPECT_EQ((*manifest.claims)[0]["k"], 2);
  EXPECT_EQ((*manifest.claims)[0]["standing"], "derived");
  EXPECT_EQ((*manifest.verification)[0]["model"], "k-anonymity");
  EXPECT_EQ((*manifest.verification)[0]["explanation"], verdicts[0].explanation);
}

TEST_F(PublishTest, HowEachFileWasReadIsRecorded) {
  const std::string latin = folder.path() + "/latin.csv";
  std::ofstream(latin) << "age;town\n21;K\xf6ln\n31;Bonn\n";
  const std::string parquet = folder.path() + "/in.parquet";
  publish_with(2, parquet);
  (void)publish(*engine, content, out,
                {.kind = "tables",
                 .verb = "protect",
                 .command = {},
                 .inputs = {source, engine->open(latin, {}, Progress::silent()),
                            engine->open(parquet, {}, Progress::silent())}},
                {{"p", 1}}, k_claim(2), Json::object(), Progress::silent());
  EXPECT_FALSE(Manifest::read(Manifest::path_of(out)).parameters->contains("encoding"));
  const Json parameters = *ReleaseFile::read(out).manifest().parameters;
  EXPECT_EQ(parameters["p"], 1);
  EXPECT_EQ(parameters["delimiter"], (Json{{input, ","}, {latin, ";"}}));
  EXPECT_EQ(parameters["encoding"], (Json{{input, "utf-8"}, {latin, "latin-1"}}));
}

TEST_F(PublishTest, FiguresAreNamedAsTheirKindDeclares) {
  constexpr Figure declared[] = {{"unique", "alone", Unit::people}};
  (void)publish(
      *engine, content, out,
      {.kind = "tables", .verb = "protect", .command = {}, .inputs = {source}, .figures = declared},
      Json::object(), k_claim(2), {{"before", {{"unique", 3}, {"other", 1}}}}, Progress::silent());
  EXPECT_TRUE(Manifest::read(Manifest::path_of(out)).figures.empty());  // none of them leaves
  EXPECT_EQ(ReleaseFile::read(out).manifest().figures,
            (std::vector<ResultFigure>{{"before.unique", Unit::people, "alone"}}));
}

TEST_F(PublishTest, OnlyResultsThatAreToBeToldLeave) {
  constexpr std::string_view told[] = {"after", "randomised.operator", "method", "none"};
  (void)publish(
      *engine, content, out,
      {.kind = "tables", .verb = "protect", .command = {}, .inputs = {source}, .told = told},
      Json::object(), k_claim(2),
      Json::parse(R"({"method": "levels", "methods": 3, "rows_in": 4, "before": {"k": 1},
                                "after": {"k": 2, "deep": [1, {"x": 2}]},
                                "randomised": [{"operator": "noise", "changed": 7}, {"changed": 8}]})"),
      Progress::silent());
  EXPECT_EQ(*Manifest::read(Manifest::path_of(out)).results,
            Json::parse(R"({"method": "levels", "after": {"k": 2, "deep": [1, {"x": 2}]},
                            "randomised": [{"operator": "noise"}, {}]})"));
}

TEST_F(PublishTest, WhatTheManifestDoesNotTellGoesWhereItIsAskedButNotBesideTheRelease) {
  Origin origin{.kind = "tables", .verb = "protect", .command = {}, .inputs = {source}};
  const auto publish_from = [&](const std::string& to) {
    (void)publish(*engine, content, to, origin, Json::object(), k_claim(2), {{"rows_in", 4}},
                  Progress::silent());
  };
  origin.private_folder = folder.path();
  EXPECT_THROW(publish_from(out), Error);
  EXPECT_FALSE(fs::exists(out));
  origin.private_folder = folder.path() + "/kept";
  publish_from(out);
  EXPECT_FALSE(fs::exists(folder.path() + "/.pratique"));
  EXPECT_FALSE(ReleaseFile::read(out).complete());
  EXPECT_TRUE(ReleaseFile::read(out, folder.path() + "/kept").complete());
  EXPECT_FALSE(ReleaseFile::read_as_released(out).complete());
  origin.private_folder.clear();
  publish_from(out);
  EXPECT_TRUE(fs::exists(folder.path() + "/.pratique/private"));
  EXPECT_TRUE(ReleaseFile::read(out).complete());
}

TEST_F(PublishTest, FormatsAreNamed) {
  publish_with(2, folder.path() + "/out.parquet");
  const Manifest parquet = Manifest::read(Manifest::path_of(folder.path() + "/out.parquet"));
  EXPECT_EQ(parquet.output().format, "parquet");
  EXPECT_FALSE(parquet.output().delimiter);
  // Without an input, a comma.
  const PrivateFolder elsewhere;
  (void)publish(*engine, content, out,
                {.kind = "tables",
                 .verb = "protect",
                 .command = {},
                 .inputs = {},
                 .private_folder = elsewhere.path() + "/private"},
                Json::object(), k_claim(2), Json::object(), Progress::silent());
  EXPECT_EQ(Manifest::read(Manifest::path_of(out)).output().delimiter, ',');
}

TEST_F(PublishTest, NoFileThatIsReadIsWrittenOver) {
  const auto refused = [](const std::string& path, const std::vector<Source>& inputs,
                          const std::vector<std::string>& others = {}) {
    try {
      refuse_overwriting_inputs(path, inputs, others);
      return false;
    } catch (const Error& error) {
      EXPECT_FALSE(error.hint().empty());
      return error.code() == ErrorCode::bad_input;
    }
  };
  EXPECT_FALSE(refused(out, {source}));
  EXPECT_TRUE(refused("-", {source}));
  EXPECT_TRUE(refused(input, {source}));
  EXPECT_FALSE(refused(input, {}));
  EXPECT_TRUE(refused(input, {}, {out, input}));
  // Its manifest would lie where an input is.
  const std::string beside = Manifest::path_of(out);
  write_file_atomically(beside, "x");
  EXPECT_TRUE(refused(out, {}, {beside}));
  EXPECT_FALSE(refused(out, {source}, {}));
  fs::create_hard_link(input, folder.path() + "/same.csv");
  EXPECT_TRUE(refused(folder.path() + "/same.csv", {source}));
}

TEST_F(PublishTest, WhereNothingCanBeWrittenTheNameIsTheUsers) {
  try {
    publish_with(2, folder.path() + "/none/out.csv");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().find("none/."), std::string::npos) << error.place();
  }
}

TEST_F(PublishTest, OneClaimThatFailsIsEnough) {
  Json claims = k_claim(2);
  claims.push_back(k_claim(3)[0]);
  try {
    (void)publish(*engine, content, out,
                  {.kind = "tables", .verb = "protect", .command = {}, .inputs = {}},
                  Json::object(), claims, Json::object(), Progress::silent());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::check_failed);
    EXPECT_EQ(error.place(), out);
    EXPECT_NE(error.message().find("k-anonymity"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(out));
}

}  // namespace
}  // namespace pratique::release::publish_test
