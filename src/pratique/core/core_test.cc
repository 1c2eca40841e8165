#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"
#include "pratique/core/parallel.h"
#include "pratique/core/progress.h"

namespace pratique::core_test {
namespace {

namespace fs = std::filesystem;

TEST(Json, ErrorNamesLineAndColumnAndQuotesNothing) {
  try {
    (void)parse_json("{\n  \"a\": 1,\n  \"secret\" 2\n}", "m.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().rfind("m.json:3:", 0), 0U);
    EXPECT_EQ(error.message().find("secret"), std::string::npos);
  }
}

TEST(Json, ANumberTooLargeIsAnErrorThatDoesNotQuoteIt) {
  try {
    (void)parse_json("[10e910]", "m.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "m.json");
    EXPECT_EQ(error.message().find("910"), std::string::npos);
  }
}

TEST(Json, NestingHasAnEnd) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THROW((void)parse_json(deep, "x"), Error);
  const std::string brackets = "[\"" + std::string(1000, '[') + "\\\"[\"]";
  EXPECT_EQ(parse_json(brackets, "x")[0].get<std::string>().size(), 1002U);
  EXPECT_NO_THROW((void)parse_json(std::string(200, '[') + std::string(200, ']'), "x"));
}

TEST(Json, AKeyTwiceInOneObjectIsAnErrorThatDoesNotNameIt) {
  for (const char* text :
       {R"({"secret": 1, "b": 2, "secret": 1})", R"([{"a": {"secret": 1, "\u0073ecret": 2}}])",
        R"({"a": {}, "b": [{}, {"secret": {"c": 1}, "secret": {"c": 1}}]})"}) {
    try {
      (void)parse_json(text, "m.json");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_EQ(error.place(), "m.json");
      EXPECT_EQ(error.message().find("secret"), std::string::npos);
    }
  }
  const std::string apart = R"({"a":{"a":[{"a":1},{"a":1}]},"b":{"a":1}})";
  EXPECT_EQ(parse_json(apart, "x").dump(), apart);
}

TEST(Json, KeepsTheOrderOfKeys) {
  EXPECT_EQ(to_text(parse_json(R"({"b":1,"a":[]})", "x")), "{\n  \"b\": 1,\n  \"a\": []\n}\n");
}

TEST(Json, WhatItCannotWriteIsNull) {
  EXPECT_EQ(finite_or_null(2.5), 2.5);
  EXPECT_EQ(finite_or_null(std::numeric_limits<double>::infinity()), nullptr);
  EXPECT_EQ(finite_or_null(std::nan("")), nullptr);
}

TEST(Parallel, CoversEveryIndexOnceInFixedBlocks) {
  std::vector<std::atomic<int>> seen(10007);
  parallel_blocks(seen.size(), 100, [&](std::size_t begin, std::size_t end) {
    EXPECT_EQ(begin % 100, 0U);
    EXPECT_LE(end - begin, 100U);
    for (std::size_t i = begin; i < end; ++i) ++seen[i];
  });
  for (const auto& count : seen) EXPECT_EQ(count, 1);
}

TEST(Parallel, RethrowsTheError) {
  EXPECT_THROW(parallel_blocks(1000, 1,
                               [](std::size_t begin, std::size_t) {
                                 if (begin == 500) throw Error::input("no");
                               }),
               Error);
}

TEST(Parallel, ALimitHoldsWhileItLives) {
  const std::size_t before = available_threads();
  {
    const ThreadLimit limit(1);
    EXPECT_EQ(available_threads(), 1U);
  }
  EXPECT_EQ(available_threads(), before);
}

TEST(Progress, StopEndsTheWorkAndCallsTheWaiting) {
  Progress progress;
  progress.begin("step", 10);
  progress.advance(3);
  EXPECT_EQ(progress.snapshot().done, 3U);
  bool called = false;
  {
    const Progress::OnStop on_stop(progress, [&] { called = true; });
    progress.stop();
  }
  EXPECT_TRUE(called);
  EXPECT_THROW(progress.advance(1), Error);
}

TEST(Progress, TellsWhatIsKnownUntilTheNextStep) {
  Progress progress;
  progress.begin("step", 10);
  progress.tell("best 0.5");
  EXPECT_EQ(progress.snapshot().known, "best 0.5");
  progress.begin("next", 10);
  EXPECT_EQ(progress.snapshot().known, "");
}

TEST(Progress, SettlesOnceAndOnlyWhereTheWorkCan) {
  Progress progress;
  EXPECT_FALSE(progress.settle());
  EXPECT_FALSE(progress.settled());
  {
    const Progress::Settling settling(progress);
    EXPECT_TRUE(progress.settle());
    EXPECT_TRUE(progress.settled());
    EXPECT_FALSE(progress.settle());
  }
  EXPECT_NO_THROW(progress.advance(1));
  const Progress::Settling nobody(Progress::silent());
  EXPECT_FALSE(Progress::silent().settle());
}

class FileTest : public testing::Test {
 protected:
  PrivateFolder folder;
  [[nodiscard]] std::string path(const std::string& name) const {
    return folder.path() + "/" + name;
  }
  [[nodiscard]] std::size_t entries() const {
    const auto all = fs::directory_iterator(folder.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;  // the lock
  }
};

TEST_F(FileTest, AppearsOnlyOnCommit) {
  {
    AtomicFile file(path("a"));
    file.write("hello");
    EXPECT_FALSE(fs::exists(path("a")));
    file.commit();
  }
  EXPECT_EQ(read_file(path("a")), "hello");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileTest, IsOursAloneUntilItAppears) {
  AtomicFile file(path("a.csv"));
  file.write("half");
  const fs::path unfinished = file.temporary_path();
  EXPECT_EQ(unfinished.extension(), ".csv");
  EXPECT_TRUE(unfinished.parent_path().filename().string().starts_with(".pratique-"));
  EXPECT_EQ(fs::status(unfinished.parent_path()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(unfinished).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FileTest, WhatAKilledProcessLeftGoesWithTheNextFile) {
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(path("a"));
    kill(getpid(), SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_EQ(entries(), 1U);
  const AtomicFile alive(path("b"));
  write_file_atomically(path("a"), "whole");
  EXPECT_EQ(entries(), 2U);  // a, and what is still being written
}

TEST_F(FileTest, WhoHoldsTheFolderIsWaitedFor) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(path("a"));
    (void)!write(ends[1], "x", 1);
    usleep(200'000);
    write_file_atomically(path("a"), "first");
    _exit(0);
  }
  char held = 0;
  ASSERT_EQ(read(ends[0], &held, 1), 1);
  {
    const FolderLock lock(path("a"));
    EXPECT_EQ(read_file(path("a")), "first");
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  for (const int end : ends) close(end);
}

TEST_F(FileTest, LeavesTheOldFileWhenAbandoned) {
  write_file_atomically(path("a"), "old");
  {
    AtomicFile file(path("a"));
    file.write("half");
  }
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileTest, ADiskThatTakesNoMoreIsTheMachinesFaultAndLeavesNothing) {
  // A limit on the size of files refuses the write as a full disk would.
  ASSERT_NE(std::signal(SIGXFSZ, SIG_IGN), SIG_ERR);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  try {
    write_file_atomically(path("a"), std::string(1U << 22, 'x'));
    ADD_FAILURE() << "the write went through";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::machine);
    EXPECT_EQ(error.place(), path("a"));
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(FileTest, ErrorsNameThePathAndTheReason) {
  const auto message = [](const std::string& name) {
    try {
      require_readable_file(name);
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), name);
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message(path("nowhere")), "there is no such file");
  EXPECT_EQ(message(folder.path()), "this is a directory, not a file");
}

TEST_F(FileTest, SameFileSeesThroughLinks) {
  write_file_atomically(path("a"), "x");
  fs::create_symlink(path("a"), path("b"));
  EXPECT_TRUE(same_file(path("a"), path("b")));
  EXPECT_FALSE(same_file(path("a"), path("c")));
}

TEST(PrivateFolder, IsOursAloneAndGoesAway) {
  std::string path;
  {
    const PrivateFolder folder;
    path = folder.path();
    struct stat status {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    std::ofstream(path + "/spill") << "private";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateFolder, LeavesAUsersFolderAlone) {
  const PrivateFolder parent;
  const std::string own = parent.path() + "/pratique-results";
  fs::create_directory(own);
  std::ofstream(own + "/lock") << "";
  const PrivateFolder next(parent.path());
  EXPECT_TRUE(fs::exists(own + "/lock"));
}

TEST(PrivateFolder, RemovesWhatAKilledProcessLeft) {
  const PrivateFolder parent;
  const std::string abandoned = parent.path() + "/pratique-0123456789abcdef";
  fs::create_directory(abandoned);
  std::ofstream(abandoned + "/lock") << "";
  std::ofstream(abandoned + "/spill") << "private";
  const PrivateFolder alive(parent.path());
  const PrivateFolder next(parent.path());
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(alive.path()));
}

}  // namespace
}  // namespace pratique::core_test
