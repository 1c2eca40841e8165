#include "pratique/core/joint_commit.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "pratique/core/error.h"

namespace pratique::joint_commit_test {
namespace {

namespace fs = std::filesystem;

class JointCommitTest : public testing::Test {
 protected:
  PrivateFolder folder;
  std::string here = make("here");
  std::string there = make("there");

  std::string make(const std::string& name) const {
    fs::create_directory(folder.path() + "/" + name);
    return folder.path() + "/" + name + "/";
  }
  static void put(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::size_t entries(const std::string& path) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
  // A folder as a killed process leaves it.
  static std::string abandoned(const std::string& parent, char digit) {
    std::string path = parent + ".pratique-" + std::string(16, digit);
    fs::create_directory(path);
    put(path + "/lock", "");
    return path;
  }
};

TEST_F(JointCommitTest, AllAppearAndWhatLeavesGoes) {
  put(here + "a", "old");
  put(here + "a.values", "old values");
  AtomicFile first(here + "a.manifest");
  AtomicFile second(here + "a");
  first.write("new manifest");
  second.write("new");
  JointCommit together(here + "a");
  const std::vector<AtomicFile*> files = {&first, &second};
  together.commit(files, {here + "a.values"});
  EXPECT_EQ(read_file(here + "a"), "new");
  EXPECT_EQ(read_file(here + "a.manifest"), "new manifest");
  EXPECT_EQ(entries(here), 2U);
}

TEST_F(JointCommitTest, ALinkedFileIsReplacedWhereItLies) {
  put(there + "a", "old");
  fs::create_symlink(there + "a", here + "a");
  {
    AtomicFile first(here + "a.manifest");
    AtomicFile second(here + "a");
    first.write("new manifest");
    second.write("new");
    JointCommit together(here + "a");
    const std::vector<AtomicFile*> files = {&first, &second};
    together.commit(files, {});
  }
  EXPECT_EQ(read_file(there + "a"), "new");
  EXPECT_TRUE(fs::is_symlink(here + "a"));
  EXPECT_EQ(entries(here), 2U);
  EXPECT_EQ(entries(there), 1U);
}

// Two files in different folders, of a process that was killed once it had decided.
class DecidedTest : public JointCommitTest {
 protected:
  std::string deciding = abandoned(here, 'a');
  std::string other = abandoned(there, 'b');

  void SetUp() override {
    put(here + "manifest", "old manifest");
    put(there + "table", "old");
    put(here + "values", "old values");
    put(deciding + "/content.json", "new manifest");
    put(other + "/content.csv", "new");
    put(other + "/decided-by", deciding);
  }
  void decide() const {
    put(deciding + "/intent",
        R"({"files":[[".pratique-aaaaaaaaaaaaaaaa","content.json","manifest"],[")" + other +
            R"(","content.csv","table"]],"leaving":["values"]})");
  }
  void expect_new() const {
    EXPECT_EQ(read_file(here + "manifest"), "new manifest");
    EXPECT_EQ(read_file(there + "table"), "new");
    EXPECT_EQ(entries(here), 1U);
    EXPECT_EQ(entries(there), 1U);
  }
};

TEST_F(DecidedTest, WhoeverReadsNextFinishes) {
  decide();
  finish_interrupted(here + "manifest");
  expect_new();
}

TEST_F(DecidedTest, AlsoFromTheOtherFolder) {
  decide();
  finish_interrupted(there + "table");
  expect_new();
}

TEST_F(DecidedTest, AlsoWhenAnotherFileIsWritten) {
  decide();
  { const AtomicFile another(there + "another"); }
  expect_new();
}

TEST_F(DecidedTest, WhatWasDoneIsNotDoneAgain) {
  decide();
  fs::rename(deciding + "/content.json", here + "manifest");
  fs::rename(here + "values", deciding + "/left-0");
  // Whoever looked at it went on without us.
  put(here + "values", "somebody's own");
  finish_interrupted(here + "manifest");
  EXPECT_EQ(read_file(here + "manifest"), "new manifest");
  EXPECT_EQ(read_file(there + "table"), "new");
  EXPECT_EQ(read_file(here + "values"), "somebody's own");
}

TEST_F(DecidedTest, WhatWasNotDecidedIsRemoved) {
  finish_interrupted(there + "table");
  finish_interrupted(here + "manifest");
  EXPECT_EQ(read_file(here + "manifest"), "old manifest");
  EXPECT_EQ(read_file(there + "table"), "old");
  EXPECT_EQ(entries(here), 2U);
  EXPECT_EQ(entries(there), 1U);
}

TEST_F(DecidedTest, AProcessThatLivesIsWaitedFor) {
  decide();
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(here + "manifest");
    put(here + "ready", "");
    usleep(300'000);
    fs::remove(here + "ready");
    _exit(0);
  }
  while (!fs::exists(here + "ready")) usleep(1000);
  finish_interrupted(here + "manifest");
  EXPECT_FALSE(fs::exists(here + "ready"));
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  expect_new();
}

TEST_F(JointCommitTest, AFolderThatSomebodyBeganToRemoveGoes) {
  fs::remove(abandoned(here, 'e') + "/lock");
  finish_interrupted(here + "a");
  EXPECT_EQ(entries(here), 0U);
}

TEST_F(JointCommitTest, APlantedIntentReachesNothingElsewhere) {
  put(there + "precious", "mine");
  const std::string planted = abandoned(here, 'c');
  put(planted + "/content", "theirs");
  for (const std::string name : {"../there/precious", "..", ""}) {
    put(planted + "/intent",
        R"({"files":[[".pratique-cccccccccccccccc","content",")" + name + R"("]],"leaving":[]})");
    finish_interrupted(here + "a");
    EXPECT_EQ(read_file(there + "precious"), "mine") << name;
  }
  put(planted + "/intent", R"({"files":[],"leaving":["../there/precious"]})");
  finish_interrupted(here + "a");
  EXPECT_EQ(read_file(there + "precious"), "mine");
  put(planted + "/intent", R"({"files":[[")" + there + R"(","precious","taken"]],"leaving":[]})");
  finish_interrupted(here + "a");
  EXPECT_EQ(read_file(there + "precious"), "mine");
}

TEST_F(JointCommitTest, ALedgerIsNotReplacedByWhatWasLeft) {
  const std::string ledger = R"({"entry":{"body":{"format":"pratique-ledger)";
  put(here + "a", ledger);
  const std::string left = abandoned(here, 'd');
  put(left + "/content", "new");
  put(left + "/intent", R"({"files":[[".pratique-dddddddddddddddd","content","a"]],"leaving":[]})");
  finish_interrupted(here + "a");
  EXPECT_EQ(read_file(here + "a"), ledger);
}

}  // namespace
}  // namespace pratique::joint_commit_test
