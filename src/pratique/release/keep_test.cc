#include "pratique/release/keep.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/kind/testing/release_fixture.h"

namespace pratique::release::keep_test {
namespace {

namespace fs = std::filesystem;

class KeepTest : public ReleaseFixture {
 protected:
  static constexpr const char* kRows = "age,zip\n1,A\n1,A\n";
  static constexpr const char* kSecrets = "group,flu\n1,yes\n";

  void SetUp() override {
    fs::create_directories(path("candidates/ab"));
    (void)file("candidates/ab/r.csv", kRows);
    (void)file("candidates/ab/r.csv.secrets.csv", kSecrets);
    Json manifest = manifest_of("candidates/ab/r.csv", "tables", 2);
    // As a run in the data folder records it.
    manifest["outputs"].push_back(
        manifest_of("candidates/ab/r.csv.secrets.csv", "tables", 1)["output"]);
    manifest["command"] = {"tables", "protect", "p.csv", "--out=candidates/ab/r.csv"};
    manifest["options"] = {{"k", 2}, {"out", "candidates/ab/r.csv"}};
    write_manifest("candidates/ab/r.csv", manifest);
  }
  [[nodiscard]] Error refusal(const std::string& name) const {
    try {
      (void)keep(path("candidates/ab/r.csv"), path(name));
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "it was kept";
    return Error::input("");
  }
};

TEST_F(KeepTest, TheSameBytesUnderAnotherName) {
  const auto kept = keep(path("candidates/ab/r.csv"), path("autumn.csv"));
  EXPECT_EQ(read_file(path("autumn.csv")), kRows);
  EXPECT_EQ(read_file(path("autumn.csv.secrets.csv")), kSecrets);
  EXPECT_EQ(kept.sha256, sha256_hex(kRows));
  EXPECT_EQ(kept.files,
            (std::vector<std::string>{path("autumn.csv"), path("autumn.csv.secrets.csv"),
                                      path("autumn.csv.manifest.json")}));
  const Manifest manifest = Manifest::read(path("autumn.csv.manifest.json"));
  EXPECT_EQ(manifest.outputs[0].path, path("autumn.csv"));
  EXPECT_EQ(manifest.outputs[1].path, path("autumn.csv.secrets.csv"));
  EXPECT_EQ(manifest.command.back(), "--out=" + path("autumn.csv"));
  EXPECT_EQ(*manifest.options, Json({{"k", 2}, {"out", path("autumn.csv")}}));
  // The candidate is still there.
  EXPECT_EQ(read_file(path("candidates/ab/r.csv")), kRows);
}

TEST_F(KeepTest, NothingIsEverReplaced) {
  for (const char* taken : {"a.csv", "a.csv.secrets.csv", "a.csv.manifest.json"}) {
    (void)file(taken, "mine");
    EXPECT_EQ(refusal("a.csv").message(),
              "a file with this name exists, and a release never replaces another");
    EXPECT_EQ(read_file(path(taken)), "mine");
    fs::remove(path(taken));
    for (const char* other : {"a.csv", "a.csv.secrets.csv", "a.csv.manifest.json"})
      EXPECT_FALSE(fs::exists(path(other))) << other;
  }
  fs::create_symlink("nowhere", path("a.csv"));
  EXPECT_EQ(refusal("a.csv").message(),
            "a file with this name exists, and a release never replaces another");
}

TEST_F(KeepTest, AFileThatWasChangedIsNotKept) {
  (void)file("candidates/ab/r.csv.secrets.csv", "group,flu\n1,no\n");
  EXPECT_EQ(refusal("a.csv").code(), ErrorCode::check_failed);
  // Nor is the first, which was not changed.
  EXPECT_FALSE(fs::exists(path("a.csv")));
}

TEST_F(KeepTest, TheNameFitsTheFormat) {
  EXPECT_EQ(refusal("a.parquet").message(),
            "the candidate is a file .csv, and its name does not end so");
}

TEST_F(KeepTest, WithoutAManifestNobodyKnowsWhatItIs) {
  fs::remove(path("candidates/ab/r.csv.manifest.json"));
  EXPECT_EQ(refusal("a.csv").message(),
            "no manifest lies beside this file, so nothing says how it was made");
}

}  // namespace
}  // namespace pratique::release::keep_test
