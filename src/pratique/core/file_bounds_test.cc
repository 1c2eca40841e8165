#include "pratique/core/file_bounds.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"

namespace pratique::file_bounds_test {
namespace {

namespace fs = std::filesystem;

class FileBounds : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(scratch);
    fs::create_directories(data + "/sub/.secret");
    for (const auto& file : {data + "/a.csv", data + "/.hidden", data + "/sub/.secret/b.csv",
                             data + "/.state/token", outside.path() + "/c.csv"}) {
      write_file_atomically(file, "x");
    }
    fs::create_symlink("a.csv", data + "/inner");
    fs::create_symlink(outside.path() + "/c.csv", data + "/outer");
    fs::create_symlink(outside.path(), data + "/away");
    fs::create_symlink(outside.path() + "/new", data + "/dangling");
    set_file_bounds(data, scratch);
  }
  void TearDown() override { set_file_bounds({}, {}); }

  [[nodiscard]] std::size_t notes() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(scratch), fs::directory_iterator()));
  }

  PrivateFolder folder;
  PrivateFolder outside;
  const std::string data = folder.path() + "/data";
  const std::string scratch = data + "/.state/tmp";
};

TEST_F(FileBounds, ReadsWhatIsInsideAndNothingElse) {
  for (const char* registry : {"/sub/.pratique-dp.json", "/sub/.secret/.pratique-dp.json"})
    std::ofstream(data + registry) << "x";
  for (const auto& path : {data + "/a.csv", data + "/inner", data + "/sub/../a.csv",
                           data + "/sub/.pratique-dp.json"}) {
    EXPECT_EQ(read_file(path), "x") << path;
  }
  for (const auto& path :
       {outside.path() + "/c.csv", data + "/outer", data + "/away/c.csv", data + "/.hidden",
        data + "/sub/.secret/b.csv", data + "/.state/token", data + "/../data/.hidden",
        data + "/sub/.secret/.pratique-dp.json", std::string("/etc/passwd"),
        std::string("/proc/self/environ"),
        data + "/sub/../../" + fs::path(outside.path()).filename().string() + "/c.csv"}) {
    EXPECT_THROW((void)read_file(path), Error) << path;
  }
}

TEST_F(FileBounds, WritesWhatIsInsideAndNothingElse) {
  write_file_atomically(data + "/new.csv", "y");
  write_file_atomically(scratch + "/t", "y");
  EXPECT_EQ(read_file(data + "/new.csv"), "y");
  for (const auto& path : {outside.path() + "/new", data + "/dangling", data + "/away/new",
                           data + "/.profile", data + "/.state/token"}) {
    EXPECT_THROW(write_file_atomically(path, "y"), Error) << path;
  }
  EXPECT_FALSE(fs::exists(outside.path() + "/new"));
  EXPECT_THROW(PrivateFolder{fs::path(outside.path()).parent_path()}, Error);
}

TEST_F(FileBounds, WhatItWritesItselfItMayRead) {
  AtomicFile file(data + "/new.csv");
  write_file_atomically(scratch + "/t", "y");
  EXPECT_EQ(read_file(file.temporary_path()), "");
  fs::create_symlink(file.temporary_path(), scratch + "/link");
  EXPECT_EQ(read_file(scratch + "/link"), "");
}

TEST_F(FileBounds, WhatAKilledProcessLeavesIsRemoved) {
  { const AtomicFile finished(data + "/gone.csv"); }
  EXPECT_EQ(notes(), 0);
  const pid_t child = fork();
  if (child == 0) {
    const AtomicFile file(data + "/r.csv");
    const PrivateFolder staging(data + "/sub");
    kill(getpid(), SIGKILL);
  }
  const auto hidden = [&] {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(data)) {
      const std::string name = entry.path().filename();
      count += name.size() > 16 && entry.path().string().find("/.state/") == std::string::npos;
    }
    return count;
  };
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(hidden(), 2);
  EXPECT_EQ(notes(), 2);

  const AtomicFile alive(data + "/still.csv");
  remove_left_over_files(data, scratch, LeftOver::of_dead_processes);
  EXPECT_EQ(notes(), 1);
  EXPECT_EQ(hidden(), 1);
  remove_left_over_files(data, scratch, LeftOver::of_all);
  EXPECT_EQ(notes(), 0);
  EXPECT_EQ(hidden(), 0);
}

TEST_F(FileBounds, ANoteIsNoLicenceToRemoveAnythingElse) {
  const std::string elsewhere = outside.path() + "/.0123456789abcdef.csv";
  set_file_bounds({}, {});
  write_file_atomically(elsewhere, "x");
  write_file_atomically(scratch + "/unfinished-1-a", data + "/a.csv");
  write_file_atomically(scratch + "/unfinished-1-b", elsewhere);
  write_file_atomically(scratch + "/unfinished-1-c", data + "/away/.0123456789abcdef.csv");
  write_file_atomically(scratch + "/unfinished-1-d", data);
  remove_left_over_files(data, scratch, LeftOver::of_all);
  EXPECT_TRUE(fs::exists(data + "/a.csv"));
  EXPECT_TRUE(fs::exists(elsewhere));
}

}  // namespace
}  // namespace pratique::file_bounds_test
