#include "pratique/release/print_pdf.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/kind/testing/release_fixture.h"

namespace pratique::release::print_pdf_test {
namespace {

// A program called chromium that stands first in the path, and nothing else there.
class PrintPdfTest : public ReleaseFixture {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(path("bin"));
    set_path(path("bin"));
  }
  void TearDown() override { set_path(before_); }

  static void set_path(const std::string& folders) {
    setenv("PATH", folders.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  void browser(const std::string& script, const std::string& name = "chromium") const {
    const std::string program = file("bin/" + name, "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

 private:
  std::string before_ = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
};

// Prints the page as it is, below what it was told and the names it was given.
constexpr const char* kPrints = R"(
for word in "$@"; do
  case "$word" in
    --print-to-pdf=*) out=${word#--print-to-pdf=};;
    file://*) page=${word#file://};;
    --user-data-dir=*) profile=${word#--user-data-dir=};;
  esac
done
{ cat "$page"; echo "$HOME|$TMPDIR|${profile%/profile}"; echo "$@"; env; } > "$out"
)";

TEST_F(PrintPdfTest, WithoutABrowserItSaysHowToGetOne) {
  const Error error = error_of([] {
    require_pdf_printer();
    return 0;
  });
  EXPECT_EQ(error.code(), ErrorCode::bad_input);
  EXPECT_NE(error.hint().find("apt-get install chromium"), std::string::npos);
  (void)file("bin/chromium", "not a program");  // may not be run
  EXPECT_THROW(require_pdf_printer(), Error);
  browser("exit 0", "google-chrome");
  EXPECT_NO_THROW(require_pdf_printer());
}

TEST_F(PrintPdfTest, ThePageIsPrintedInAPrivateFolderThatGoes) {
  browser(kPrints);
  print_pdf("<p>page</p>\n", path("out.pdf"), Progress::silent());
  const std::string text = read_file(path("out.pdf"));
  EXPECT_TRUE(text.starts_with("<p>page</p>\n")) << text;
  const std::string places = text.substr(12, text.find('\n', 12) - 12);
  const std::string home = places.substr(0, places.find('|'));
  EXPECT_EQ(places, home + "|" + home + "|" + home);
  EXPECT_FALSE(std::filesystem::exists(home));
  EXPECT_NE(text.find("--headless"), std::string::npos);
  EXPECT_NE(text.find("--disable-background-networking"), std::string::npos);
  EXPECT_EQ(text.find("DISPLAY="), std::string::npos);  // nothing of the user's environment
  EXPECT_EQ(text.find("--no-sandbox") != std::string::npos, geteuid() == 0);
}

TEST_F(PrintPdfTest, ABrowserThatFailsOrPrintsNothingLeavesNothing) {
  for (const char* script : {"exit 0", "exit 7", "kill -9 $$"}) {
    browser(script);
    const Error error = error_of([&] {
      print_pdf("<p>", path("out.pdf"), Progress::silent());
      return 0;
    });
    EXPECT_EQ(error.code(), ErrorCode::machine) << script;
    EXPECT_FALSE(std::filesystem::exists(path("out.pdf"))) << script;
  }
  browser(std::string(kPrints) + "exit 7");
  EXPECT_THROW(print_pdf("<p>", path("out.pdf"), Progress::silent()), Error);
  EXPECT_FALSE(std::filesystem::exists(path("out.pdf")));
}

TEST_F(PrintPdfTest, APlaceThatCannotBeWrittenIsToldFirst) {
  browser("touch " + path("started") + "\n" + kPrints);
  EXPECT_THROW(print_pdf("<p>", path("no/such/out.pdf"), Progress::silent()), Error);
  EXPECT_FALSE(std::filesystem::exists(path("started")));
}

// Whether the process whose number is in this file ends soon.
bool ends(const std::string& file_of_id) {
  const std::string id = read_file(file_of_id);
  const std::string status = "/proc/" + id.substr(0, id.find('\n')) + "/stat";
  for (int tries = 0; tries < 100 && std::filesystem::exists(status); ++tries) {
    std::string text;
    try {
      text = read_file(status);
    } catch (const Error&) {
      break;
    }
    if (text.find(") Z") != std::string::npos) return true;  // ended, and nobody asked how
    usleep(20'000);
  }
  return !std::filesystem::exists(status);
}

TEST_F(PrintPdfTest, WhatItStartedEndsWithIt) {
  browser("sleep 100 &\necho $! > " + path("id") + "\n" + kPrints);
  print_pdf("<p>", path("out.pdf"), Progress::silent());
  EXPECT_TRUE(ends(path("id")));
}

TEST_F(PrintPdfTest, ABrowserThatDoesNotFinishIsEndedWithAllItStarted) {
  browser("echo $$ > " + path("id") + "\nsleep 100 &\necho $! > " + path("started") + "\nwait\n");
  const Error error = error_of([&] {
    print_pdf("<p>", path("out.pdf"), Progress::silent(), std::chrono::milliseconds(500));
    return 0;
  });
  EXPECT_EQ(error.code(), ErrorCode::machine);
  EXPECT_EQ(error.message(), "Chromium does not finish");
  EXPECT_TRUE(ends(path("id")));
  EXPECT_TRUE(ends(path("started")));
  EXPECT_FALSE(std::filesystem::exists(path("out.pdf")));
}

TEST_F(PrintPdfTest, WhoStopsDoesNotWaitForTheBrowser) {
  browser("sleep 100\n");
  Progress progress;
  progress.stop();
  const Error error = error_of([&] {
    print_pdf("<p>", path("out.pdf"), progress);
    return 0;
  });
  EXPECT_EQ(error.code(), ErrorCode::cancelled);
  EXPECT_FALSE(std::filesystem::exists(path("out.pdf")));
}

// The output of pratique may be read by a program, and its input be somebody's data.
TEST_F(PrintPdfTest, TheBrowserIsNotHeardAndReadsNoInput) {
  browser(std::string(kPrints) + "echo noise\necho noise >&2\ncat >> \"$out\"\n");
  const int input = dup(STDIN_FILENO);
  const int data = open(file("data.csv", "somebody,sick\n").c_str(), O_RDONLY | O_CLOEXEC);
  dup2(data, STDIN_FILENO);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  print_pdf("<p>", path("out.pdf"), Progress::silent());
  dup2(input, STDIN_FILENO);
  for (const int descriptor : {input, data}) close(descriptor);
  EXPECT_EQ(read_file(path("out.pdf")).find("somebody"), std::string::npos);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace pratique::release::print_pdf_test
