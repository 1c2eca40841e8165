#include "pratique/kind/publish.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
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
  EXPECT_EQ(manifest["inputs"][0]["sha256"], sha256_file(input));
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

}  // namespace
}  // namespace pratique::release::publish_test
