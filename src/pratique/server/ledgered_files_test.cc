#include "pratique/server/ledgered_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/crypto/hash.h"
#include "pratique/net/problem.h"
#include "pratique/server/candidates.h"
#include "pratique/server/files.h"

namespace pratique::server::ledgered_files_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class LedgeredFilesTest : public testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(place.path() + "/" + path).parent_path());
    write_file_atomically(place.path() + "/" + path, text);
    return text;
  }
  // A release, a file that belongs to it, and its manifest.
  void write_release(const std::string& path, const std::string& text,
                     const std::string& private_name = {}) const {
    const std::string more = write(path + ".secrets.csv", "secrets of " + path);
    const auto output = [](const std::string& name, const std::string& bytes) {
      return Json{{"path", name},
                  {"sha256", sha256_hex(bytes)},
                  {"bytes", bytes.size()},
                  {"format", "csv"}};
    };
    Json manifest = {
        {"format", 3},
        {"tool", "pratique"},
        {"version", "0.2.0"},
        {"created", "2026-11-16T09:00:03Z"},
        {"kind", "tables"},
        {"verb", "protect"},
        {"command", Json::array()},
        {"seed", 1},
        {"inputs", Json::array({{{"path", "p.csv"}, {"commitment", std::string(64, 'a')}}})},
        {"output", output(path, text)},
        {"outputs", {output(path, text), output(path + ".secrets.csv", more)}},
        {"options", Json::object()},
        {"parameters", Json::object()},
        {"claims", Json::array()},
        {"verification", Json::array()},
        {"results", Json::object()},
        {"figures", Json::array()}};
    manifest["private"] = private_name.empty() ? std::string(32, 'b') : private_name;
    (void)write(path, text);
    (void)write(path + ".manifest.json", to_text(manifest));
  }
  // A ledger in which the release is entry 1.
  void record(const std::string& release, bool with_report) const {
    Json body = {{"release", {{"sha256", sha256_file(place.path() + "/" + release)}}},
                 {"manifest", sha256_file(place.path() + "/" + release + ".manifest.json")}};
    if (with_report) body["report"] = "mark";
    const Json first = {{"entry", {{"body", {{"format", "pratique-ledger-1"}}}, {"index", 0}}}};
    const Json second = {{"entry", {{"body", body}, {"index", 1}}}};
    fs::remove(place.path() + "/kept/x.ledger");
    (void)write("kept/x.ledger", first.dump() + "\n" + second.dump() + "\n");
  }
  [[nodiscard]] bool recorded(const std::string& path) const {
    return recorded_in_ledger(folder, path).has_value();
  }
  void age(const std::string& directory, std::chrono::hours hours) const {
    const auto then = fs::file_time_type::clock::now() - hours;
    for (const auto& file : fs::directory_iterator(place.path() + "/" + directory))
      fs::last_write_time(file.path(), then);
    fs::last_write_time(place.path() + "/" + directory, then);
  }
  [[nodiscard]] bool exists(const std::string& path) const {
    return fs::exists(place.path() + "/" + path);
  }

  PrivateFolder place;
  DataFolder folder{place.path()};
};

TEST_F(LedgeredFilesTest, ByContentAndNotByName) {
  write_release("r.csv", "a,b\n1,2\n");
  EXPECT_FALSE(recorded("r.csv"));
  record("r.csv", false);
  for (const char* path : {"r.csv", "r.csv.manifest.json", "r.csv.secrets.csv"})
    EXPECT_TRUE(recorded(path)) << path;
  const auto record_of = recorded_in_ledger(folder, "r.csv");
  EXPECT_EQ(record_of->ledger, "kept/x.ledger");
  EXPECT_EQ(record_of->entry, 1U);
  (void)write("copy/other.csv", "a,b\n1,2\n");
  EXPECT_TRUE(recorded("copy/other.csv"));
  (void)write("r.csv.secrets.csv", "others");
  EXPECT_FALSE(recorded("r.csv.secrets.csv"));
  EXPECT_FALSE(recorded("none.csv"));
}

TEST_F(LedgeredFilesTest, TheReportThatWasRecordedWithIt) {
  write_release("r.csv", "a,b\n1,2\n");
  (void)write("r.report.html", "<p>");
  (void)write("other.report.html", "<p>");
  record("r.csv", false);
  EXPECT_FALSE(recorded("r.report.html"));
  record("r.csv", true);
  EXPECT_TRUE(recorded("r.report.html"));
  EXPECT_FALSE(recorded("other.report.html"));
}

TEST_F(LedgeredFilesTest, NeitherReplacedNorDeleted) {
  write_release("r.csv", "a,b\n1,2\n");
  record("r.csv", false);
  Files files(folder, 100);
  net::Request request;
  request.read_body = [](const auto& take) { return take("mine"); };
  const auto status = [](const auto& act) {
    try {
      act();
    } catch (const net::Problem& problem) {
      return problem.status();
    }
    return 0;
  };
  EXPECT_EQ(status([&] { files.remove("r.csv"); }), 409);
  EXPECT_EQ(status([&] { (void)files.set_aside("r.csv"); }), 409);
  EXPECT_EQ(status([&] { files.remove("r.csv.manifest.json"); }), 409);
  EXPECT_EQ(status([&] { (void)files.take("r.csv", request, true); }), 409);
  EXPECT_EQ(read_file(place.path() + "/r.csv"), "a,b\n1,2\n");
  const auto list = files.list();
  const auto listed = [&](const std::string& path) {
    return std::any_of(list.begin(), list.end(),
                       [&](const FileEntry& file) { return file.path == path && file.ledger; });
  };
  EXPECT_TRUE(listed("r.csv"));
  EXPECT_TRUE(listed("r.csv.manifest.json"));
  EXPECT_FALSE(listed("kept/x.ledger"));
}

TEST_F(LedgeredFilesTest, ADeletionIsUndone) {
  Files files(folder, 100);
  (void)write("a/b.csv", "x\n1\n");
  const std::string id = files.set_aside("a/b.csv");
  EXPECT_FALSE(exists("a/b.csv"));
  fs::remove(place.path() + "/a");
  EXPECT_EQ(files.put_back(id).path, "a/b.csv");
  EXPECT_EQ(read_file(place.path() + "/a/b.csv"), "x\n1\n");
  EXPECT_THROW((void)files.put_back(id), net::Problem);
  // What has the name by then stays.
  const std::string again = files.set_aside("a/b.csv");
  (void)write("a/b.csv", "mine");
  EXPECT_THROW((void)files.put_back(again), net::Problem);
  EXPECT_EQ(read_file(place.path() + "/a/b.csv"), "mine");
  files.forget(again);
  EXPECT_FALSE(exists(".pratique/deleted/" + again));
  // The next server does not keep what was deleted.
  const std::string left = files.set_aside("a/b.csv");
  EXPECT_TRUE(exists(".pratique/deleted/" + left));
  const Files next(folder, 100);
  EXPECT_FALSE(exists(".pratique/deleted/" + left));
}

TEST_F(LedgeredFilesTest, CandidatesGoByAgeAndNumber) {
  (void)write("p.csv", "a\n1\n");
  const auto name = [](int i) { return std::string(31, 'c') + std::to_string(i); };
  for (int i = 0; i < 5; ++i) {
    write_release("candidates/" + std::to_string(i) + "/r.csv", "a\n" + std::to_string(i) + "\n",
                  name(i));
    (void)write(".pratique/private/" + name(i) + ".json", "{}");
    age("candidates/" + std::to_string(i), 24h * (i + 1));
  }
  // The third became a release: what is private about it stays. The fifth is in a ledger.
  write_release("r.csv", "a\n2\n", name(2));
  record("candidates/4/r.csv", false);
  tidy_candidates(folder, {.most = 2, .oldest = 24h * 30, .young = 1h});
  EXPECT_TRUE(exists("candidates/0/r.csv"));
  EXPECT_TRUE(exists("candidates/1/r.csv"));
  EXPECT_FALSE(exists("candidates/2"));
  EXPECT_FALSE(exists("candidates/3"));
  EXPECT_TRUE(exists("candidates/4/r.csv"));
  EXPECT_TRUE(exists(".pratique/private/" + name(0) + ".json"));
  EXPECT_TRUE(exists(".pratique/private/" + name(2) + ".json"));
  EXPECT_FALSE(exists(".pratique/private/" + name(3) + ".json"));
  tidy_candidates(folder, {.most = 2, .oldest = 36h, .young = 1h});
  EXPECT_TRUE(exists("candidates/0/r.csv"));
  EXPECT_FALSE(exists("candidates/1"));
  // One that was just made stays, however many there are.
  tidy_candidates(folder, {.most = 0, .oldest = 0h, .young = 100h});
  EXPECT_TRUE(exists("candidates/0/r.csv"));
}

}  // namespace
}  // namespace pratique::server::ledgered_files_test
