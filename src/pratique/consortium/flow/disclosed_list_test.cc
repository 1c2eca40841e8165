// A site that is killed between its last word to the authority and its list, and what it finishes
// from.
#include "pratique/consortium/flow/disclosed_list.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/consortium/testing/together.h"

namespace pratique::consortium::disclosed_list_test {
namespace {

using flow::DisclosedList;

class UnfinishedTest : public ::testing::Test {
 protected:
  UnfinishedTest()
      : together_(2, 2),
        settings_(together_.configuration),
        site_(Identity::load(settings_, "H00")),
        authority_(Identity::load(settings_, "A")),
        engine_(Engine::duckdb()),
        run_{*engine_, Progress::silent()},
        out_(together_.folder() + "/disclosed.csv") {
    const std::string path = together_.folder() + "/samples.csv";
    write_file_atomically(path,
                          "element\r\nb\r\n\r\na\r\nb\r\n a\r\nE\xcc\x81\r\n E\xcc\x81 \r\nb \r\n");
    files_ = {flow::read_list(run_, path, settings_.form),
              flow::read_list(run_, path, settings_.form), out_};
    const Json statement = {{"statement", "pratique consortium decision 1"},
                            {"session", "05e5"},
                            {"site", "H00"},
                            {"sites", settings_.sites},
                            {"k", settings_.k},
                            {"disclosed", 2},
                            {"seed", 7}};
    decision_ = {{0, 2}, 3, {statement.dump(), {}}};
  }

  // All that is left of a site that was killed: what is on disk.
  void die_after_the_decision() {
    DisclosedList list(settings_, site_, run_, engine_mutex_);
    commitment_ = list.prepare(files_, decision_, "site");
  }
  [[nodiscard]] Signature signature() const {
    return authority_.key.sign(signed_release(decision_.statement.text, commitment_));
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(together_.folder() + "/" + name);
  }

  testing::Together together_;
  const Configuration& settings_;
  Identity site_;
  Identity authority_;
  std::unique_ptr<Engine> engine_;
  pratique::Run run_;
  std::string out_;
  flow::SiteFiles files_;
  SiteDecision decision_;
  std::mutex engine_mutex_;
  Sha256Digest commitment_{};
};

TEST_F(UnfinishedTest, ListsAreReadOnceHoweverTheyAreWritten) {
  EXPECT_EQ(files_.samples.canonical, (ElementList{"b", "a", "\xc3\x89"}));
}

TEST_F(UnfinishedTest, ASiteThatWasKilledFinishesWithTheCommitOfAnother) {
  die_after_the_decision();
  EXPECT_FALSE(has("disclosed.csv"));
  struct stat kept {};
  ASSERT_EQ(stat((together_.folder() + "/H00.unfinished.json").c_str(), &kept), 0);
  EXPECT_EQ(kept.st_mode & 0777U, 0600U);
  flow::keep_commit(settings_, "H01", "05e5",
                    ByteWriter().number(1, 4).text("H00").raw(signature()).take());
  const std::string commit = together_.folder() + "/H01.commit.json";
  EXPECT_THROW((void)flow::read_commit(commit, "another session", "H00"), Error);
  EXPECT_THROW((void)flow::read_commit(commit, "05e5", "H01"), Error);

  DisclosedList list(settings_, site_, run_, engine_mutex_);
  list.resume();
  EXPECT_EQ(list.session(), "05e5");
  EXPECT_FALSE(list.kept_signature());
  list.commit(flow::read_commit(commit, list.session(), "H00"));
  EXPECT_TRUE(list.is_written());
  EXPECT_EQ(read_file(out_), "element\nE\xcc\x81\nb\n");
  EXPECT_TRUE(has("disclosed.csv.manifest.json"));
  EXPECT_FALSE(has("H00.unfinished.json"));
  EXPECT_THROW(list.resume(), Error);  // once
}

TEST_F(UnfinishedTest, WhatTheAuthorityDidNotSignIsNotWritten) {
  die_after_the_decision();
  Signature wrong = signature();
  wrong[3] ^= 1;
  DisclosedList list(settings_, site_, run_, engine_mutex_);
  list.resume();
  EXPECT_THROW(list.commit(wrong), CheckFailed);
  EXPECT_FALSE(has("disclosed.csv"));
  EXPECT_TRUE(has("H00.unfinished.json"));
}

}  // namespace
}  // namespace pratique::consortium::disclosed_list_test
