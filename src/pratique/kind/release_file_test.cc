#include "pratique/kind/release_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/kind/testing/release_fixture.h"

namespace pratique::release::release_file_test {
namespace {

TEST(WithoutHome, WhoseHomeItIsIsNobodysBusiness) {
  EXPECT_EQ(without_home("/home/ada/a.csv"), "~/a.csv");
  EXPECT_EQ(without_home("/Users/ada/b/a.csv"), "~/b/a.csv");
  EXPECT_EQ(without_home("age=/home/ada/a.csv,zip=/home/ada/b.csv"), "age=~/a.csv,zip=~/b.csv");
  // No home: a folder of that name elsewhere, nobody's, or nothing in it.
  for (const char* other :
       {"/data/home/ada/a.csv", "/home/", "/home/ada", "/home//a.csv", "a.csv", ""}) {
    EXPECT_EQ(without_home(other), other);
  }
}

class ReleaseFileTest : public ReleaseFixture {
 protected:
  std::string in = file("in.csv", "age;zip\n1;A\n");
  Json manifest = [this] {
    (void)file("r.csv", "age,zip\n1,A\n1,A\n");
    Json json = manifest_of("r.csv", "tables", 2);
    json["inputs"] = Json::array({input_of(in)});
    return json;
  }();

  ReleaseFile release_file() {
    write_manifest("r.csv", manifest);
    return ReleaseFile::read(path("r.csv"));
  }
};

TEST_F(ReleaseFileTest, ItIsWhatItsManifestSays) {
  const auto release = release_file();
  EXPECT_EQ(release.path, path("r.csv"));
  EXPECT_EQ(release.sha256(), sha256_file(path("r.csv")));
  EXPECT_EQ(release.manifest_sha256(), sha256_file(path("r.csv.manifest.json")));
  EXPECT_EQ(release.kind(), "tables");
  EXPECT_EQ(release.k(), 2U);
}

TEST_F(ReleaseFileTest, WithoutAManifestItSaysWhatToName) {
  const Error error = error_of([&] { return ReleaseFile::read(path("r.csv")); });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_EQ(error.place(), path("r.csv.manifest.json"));
  EXPECT_EQ(ReleaseFile::malformed("a.csv").place(), "a.csv.manifest.json");
}

TEST_F(ReleaseFileTest, CommandsAreReadyForAShell) {
  manifest["options"] = {{"FILE", "in a.csv"},
                         {"k", "5"},
                         {"name", "it's"},
                         {"odd", "a;b"},
                         {"hierarchy", "age=/home/ada/my trees/a.csv"},
                         {"plain", "a_b-c./,:=@%+^9Z"}};
  EXPECT_EQ(release_file().command_line(),
            "pratique tables protect 'in a.csv' --k 5 --name 'it'\\''s' --odd 'a;b' "
            "--hierarchy age=\"$HOME\"'/my trees/a.csv' --plain a_b-c./,:=@%+^9Z");
  manifest["command"] = {"tables", "protect", ""};
  manifest["options"] = Json::object();
  EXPECT_EQ(release_file().command_line(), "");
  manifest.erase("format");
  EXPECT_EQ(release_file().command_line(), "pratique tables protect ''");
  ReleaseFile elsewhere = release_file();
  elsewhere.path = "/home/ada/r.csv";
  EXPECT_EQ(elsewhere.verify_command_line(), "pratique verify \"$HOME\"/r.csv");
}

TEST_F(ReleaseFileTest, ItOpensOnlyWhatHasTheRecordedHash) {
  auto release = release_file();
  const auto open = release.open(engine(), Progress::silent());
  ASSERT_TRUE(open);
  EXPECT_EQ(open->columns, (std::vector<std::string>{"age", "zip"}));
  (void)file("r.csv", "age,zip\n1,A\n1,B\n");
  EXPECT_FALSE(release.open(engine(), Progress::silent()));
  std::filesystem::remove(path("r.csv"));
  EXPECT_FALSE(release.open(engine(), Progress::silent()));
}

TEST_F(ReleaseFileTest, TheOriginalIsReadAsItWasRead) {
  manifest["options"] = {{"delimiter", ";"}};
  EXPECT_EQ(release_file().open_original(engine(), Progress::silent())->columns,
            (std::vector<std::string>{"age", "zip"}));
  manifest["options"] = {{"delimiter", ","}};
  EXPECT_EQ(release_file().open_original(engine(), Progress::silent())->columns,
            (std::vector<std::string>{"age;zip"}));
  manifest["options"] = {{"delimiter", "tab"}};
  EXPECT_EQ(release_file().open_original(engine(), Progress::silent())->columns,
            (std::vector<std::string>{"age;zip"}));
  manifest["options"] = {{"delimiter", ";;"}};  // nothing that was ever recorded
  EXPECT_EQ(release_file().open_original(engine(), Progress::silent())->columns,
            (std::vector<std::string>{"age", "zip"}));
  (void)file("in.csv", "age;zip\n2;A\n");
  EXPECT_FALSE(release_file().open_original(engine(), Progress::silent()));
  manifest["inputs"] = Json::array();
  EXPECT_FALSE(release_file().open_original(engine(), Progress::silent()));
}

TEST_F(ReleaseFileTest, SetsAreReadAsSets) {
  manifest["output"]["format"] = "sets";
  manifest["outputs"][0] = manifest["output"];
  EXPECT_TRUE(release_file().open(engine(), Progress::silent())->columns.empty());
  EXPECT_TRUE(release_file().open_original(engine(), Progress::silent())->columns.empty());
}

TEST_F(ReleaseFileTest, InputsAreSoughtFromWhereTheReleaseWasMade) {
  std::filesystem::create_directories(path("demo/release"));
  std::filesystem::rename(path("r.csv"), path("demo/release/r.csv"));
  std::filesystem::rename(in, path("demo/in.csv"));
  manifest["output"]["path"] = "release/r.csv";
  manifest["outputs"][0] = manifest["output"];
  manifest["inputs"][0]["path"] = "in.csv";
  write_manifest("demo/release/r.csv", manifest);
  const auto release = ReleaseFile::read(path("demo/release/r.csv"));
  EXPECT_EQ(release.find_input("in.csv"), path("demo/in.csv"));
  EXPECT_EQ(release.places_of("x"), (std::vector<std::string>{"x", path("demo/x")}));
  EXPECT_EQ(release.places_of("/x"), std::vector<std::string>{"/x"});
  EXPECT_EQ(release.find_input("another.csv"), std::nullopt);  // was not read
  (void)file("demo/in.csv", "age;zip\n2;A\n");
  EXPECT_EQ(release.find_input("in.csv"), std::nullopt);
  ReleaseFile moved = release;
  moved.path = "release/r.csv";  // seen from where it was made
  EXPECT_EQ(moved.places_of("x"), std::vector<std::string>{"x"});
  moved.path = "/demo/prelease/r.csv";
  EXPECT_EQ(moved.places_of("x"), std::vector<std::string>{"x"});
}

// Another working folder, until the end of a test.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) { std::filesystem::current_path(folder); }
  ~WorkingFolder() { std::filesystem::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(ReleaseFileTest, InputsAreSoughtFromTheReleasesOwnFolderToo) {
  std::filesystem::create_directories(path("demo/release/deep"));
  std::filesystem::rename(path("r.csv"), path("demo/release/r.csv"));
  std::filesystem::rename(in, path("demo/in.csv"));
  manifest["inputs"][0]["path"] = "in.csv";
  for (const char* recorded : {"release/r.csv", "./release/r.csv", "release/deep/../r.csv"}) {
    manifest["output"]["path"] = recorded;
    manifest["outputs"][0] = manifest["output"];
    write_manifest("demo/release/r.csv", manifest);
    for (const auto& [inside, name] : {std::pair{"demo/release", "r.csv"},
                                       {"demo/release", "./r.csv"},
                                       {"demo/release/deep", "../r.csv"}}) {
      const WorkingFolder working(path(inside));
      const auto release = ReleaseFile::read(name);
      EXPECT_EQ(release.folder_of_run(), path("demo/"));
      EXPECT_EQ(release.find_input("in.csv"), path("demo/in.csv"));
    }
    const WorkingFolder where_it_was_made(path("demo"));
    EXPECT_EQ(ReleaseFile::read("release/r.csv").folder_of_run(), std::nullopt);
  }
  manifest["output"]["path"] = path("demo/release/r.csv");
  manifest["outputs"][0] = manifest["output"];
  write_manifest("demo/release/r.csv", manifest);
  EXPECT_EQ(ReleaseFile::read(path("demo/release/r.csv")).folder_of_run(), std::nullopt);
}

TEST_F(ReleaseFileTest, EachFileIsTheSameAnotherOrMissing) {
  using States = std::vector<FileState>;
  manifest["outputs"].push_back(manifest["output"]);
  auto& second = manifest["outputs"][1];
  const std::string first = manifest["output"]["path"];
  second["path"] = first + ".more";
  EXPECT_EQ(release_file().states(), (States{FileState::same, FileState::missing}));
  (void)file("r.csv.more", "x");
  EXPECT_EQ(release_file().states(), (States{FileState::same, FileState::changed}));
  second["sha256"] = sha256_file(path("r.csv.more"));
  EXPECT_EQ(release_file().states(), (States{FileState::same, FileState::same}));
  for (const std::string& other : {std::string("more"), first, first + "/../r.csv.more"}) {
    second["path"] = other;
    EXPECT_EQ(release_file().states().back(), FileState::missing) << other;
  }
  (void)file("r.csv", "age,zip\n");
  EXPECT_EQ(release_file().states().front(), FileState::changed);
  std::filesystem::remove(path("r.csv"));
  EXPECT_EQ(release_file().states().front(), FileState::missing);
  EXPECT_EQ(name_of(FileState::same), "same");
  EXPECT_EQ(name_of(FileState::changed), "changed");
  EXPECT_EQ(name_of(FileState::missing), "missing");
}

}  // namespace
}  // namespace pratique::release::release_file_test
