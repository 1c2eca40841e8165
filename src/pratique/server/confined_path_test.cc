#include "pratique/server/confined_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/net/problem.h"

namespace pratique::server::confined_path_test {
namespace {

namespace fs = std::filesystem;

class ConfinedPath : public testing::Test {
 protected:
  ConfinedPath() {
    fs::create_directories(root + "/sub");
    std::ofstream(root + "/a.csv") << "a\n";
    std::ofstream(root + "/sub/b.csv") << "b\n";
    std::ofstream(base.path() + "/secret") << "s\n";
    fs::create_symlink("a.csv", root + "/inner");
    fs::create_symlink("../secret", root + "/outer");
    fs::create_symlink(base.path(), root + "/up");
    fs::create_symlink("../new", root + "/dangling");
    folder.emplace(root);
  }
  [[nodiscard]] int status_of(std::string_view path) const {
    try {
      (void)folder->confine(path);
      return 200;
    } catch (const net::Problem& problem) {
      return problem.status();
    }
  }
  [[nodiscard]] bool word_passes(std::string_view word) const {
    try {
      folder->check_word(word);
      return true;
    } catch (const net::Problem&) {
      return false;
    }
  }

  PrivateFolder base;
  std::string root = base.path() + "/data";
  std::optional<DataFolder> folder;
};

TEST_F(ConfinedPath, AllowsWhatIsInside) {
  for (const char* path : {"a.csv", "sub/b.csv", "inner", "new.csv", "sub/new/deeper.csv", "a..b",
                           "x ä y.csv", "~a", "*.csv"}) {
    EXPECT_EQ(status_of(path), 200) << path;
  }
}

TEST_F(ConfinedPath, RefusesWhatLeadsOut) {
  using namespace std::string_view_literals;
  for (const auto path : {""sv,
                          "/"sv,
                          "/etc/passwd"sv,
                          ".."sv,
                          "../secret"sv,
                          "sub/../../secret"sv,
                          "sub/../a.csv"sv,
                          "."sv,
                          "./a.csv"sv,
                          "sub//b.csv"sv,
                          "sub/"sv,
                          ".pratique/token"sv,
                          "sub/.hidden"sv,
                          "a\0.csv"sv,
                          "a\n"sv,
                          "\x7f"sv,
                          "outer"sv,
                          "up/secret"sv,
                          "up"sv,
                          "up/new"sv,
                          "dangling"sv}) {
    EXPECT_EQ(status_of(path), 400) << path;
  }
  EXPECT_EQ(status_of(std::string(300, 'a')), 400);
  EXPECT_EQ(status_of(std::string(2000, 'a')), 400);
}

TEST_F(ConfinedPath, OpensOnlyRegularFilesInside) {
  const int file = folder->open_file("inner");
  EXPECT_GE(file, 0);
  close(file);
  mkfifo((root + "/pipe").c_str(), 0600);
  for (const char* path : {"sub", "pipe", "outer", "up/secret", "dangling", "not-there"}) {
    EXPECT_THROW((void)folder->open_file(path), net::Problem) << path;
  }
}

TEST_F(ConfinedPath, NoLinkLeadsToHiddenFiles) {
  fs::create_directories(root + "/.pratique/jobs");
  std::ofstream(root + "/.pratique/token") << "t\n";
  fs::create_symlink(".pratique", root + "/state");
  fs::create_symlink(".pratique/token", root + "/token.csv");
  fs::create_symlink("../.pratique/jobs", root + "/sub/jobs");
  for (const char* path : {"state", "state/token", "state/new", "token.csv", "sub/jobs/x"}) {
    EXPECT_EQ(status_of(path), 400) << path;
    EXPECT_THROW((void)folder->open_file(path), net::Problem) << path;
    EXPECT_FALSE(word_passes(path)) << path;
  }
  EXPECT_FALSE(word_passes("age=s*/token"));
  // A folder that is moved while the server runs is still the one that was opened.
  fs::rename(root, base.path() + "/moved");
  const int file = folder->open_file("a.csv");
  EXPECT_GE(file, 0);
  close(file);
  EXPECT_THROW((void)folder->open_file("token.csv"), net::Problem);
}

TEST_F(ConfinedPath, ASecretKeyIsNotThere) {
  std::ofstream(root + "/k.csv") << "-----BEGIN PRIVATE KEY-----\nMC4\n";
  std::ofstream(root + "/p.csv") << "pratique key 1 " << std::string(64, 'a') << "\n";
  fs::create_symlink("p.csv", root + "/q.csv");
  for (const char* path : {"k.csv", "p.csv", "q.csv"}) {
    EXPECT_TRUE(folder->is_secret_key(path)) << path;
    EXPECT_THROW((void)folder->open_file(path), net::Problem) << path;
  }
  EXPECT_FALSE(folder->is_secret_key("a.csv"));
  EXPECT_FALSE(folder->is_secret_key("not-there"));
}

TEST_F(ConfinedPath, WordsOfACommandLine) {
  for (const char* word : {"a.csv", "age=interval:5,10", "20..29", "", "5", "a=b.csv",
                           "SELECT a, b", "age=sub/b.csv", "sub/*.csv", "0.05", "a/b"}) {
    EXPECT_TRUE(word_passes(word)) << word;
  }
  for (const char* word : {"/etc/passwd", "age=/etc/passwd", "a,/etc/passwd", "age=../secret",
                           "outer", "age=outer", "up/secret", "*", "u*/secret", "out?r", "[o]uter",
                           "age=up/*", "http://example.org/", "~root/x", ".pratique/token",
                           "a=.pratique/jobs", "a= /etc/passwd", "a='/etc/passwd'", "dangling"}) {
    EXPECT_FALSE(word_passes(word)) << word;
  }
}

TEST(DataFolder, MustBeAFolder) {
  EXPECT_THROW(DataFolder("/not/there"), Error);
  EXPECT_THROW(DataFolder("/dev/null"), Error);
}

}  // namespace
}  // namespace pratique::server::confined_path_test
