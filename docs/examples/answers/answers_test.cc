// A kind that nobody here knew goes the whole way: flow, verifier, report, releases together.
#include "answers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/manifest/manifest.h"
#include "pratique/release/kinds.h"
#include "pratique/release/report.h"
#include "pratique/release/sequence.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::answers {
namespace {

class Answers : public testing::Test {
 protected:
  static void SetUpTestSuite() { release::add_kind(kind()); }

  Answers() {
    std::string text = "answer\n";
    for (const auto& [answer, people] : given_) {
      for (int i = 0; i < people; ++i) text += std::string(answer) + "\n";
    }
    write_file_atomically(file_, text);
  }

  // Answers in the file at `path`, counted here and by nobody else.
  static std::map<std::string, int> counts_in(const std::string& path) {
    std::map<std::string, int> counts;
    std::istringstream lines(read_file(path));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "answer");
    while (std::getline(lines, line)) ++counts[line];
    return counts;
  }

  [[nodiscard]] pratique::Run run() {
    return {.engine = *engine_, .progress = progress_, .command = {"answers", "protect"}};
  }

  const std::map<std::string, int> given_ = {{"yes", 7}, {"no", 3}, {"perhaps", 2}, {"never", 1}};
  PrivateFolder folder_;
  std::string file_ = folder_.path() + "/given.csv";
  std::string out_ = folder_.path() + "/out.csv";
  Progress progress_;
  std::unique_ptr<Engine> engine_ = Engine::duckdb();
};

TEST_F(Answers, ReleasesWhatEnoughPeopleGave) {
  const Outcome outcome = protect({.file = file_, .k = 3, .out = out_}, run());
  EXPECT_EQ(counts_in(out_), (std::map<std::string, int>{{"yes", 7}, {"no", 3}}));
  const Json& result = *outcome.result;
  EXPECT_EQ(result["rows_in"], 13);
  EXPECT_EQ(result["rows_out"], 10);
  EXPECT_EQ(result["before"]["unique"], 1);
  EXPECT_EQ(result["after"]["unique"], 0);
  EXPECT_EQ(result["k_verified"], 3);
  const Manifest manifest = Manifest::read(Manifest::path_of(out_));
  EXPECT_EQ(manifest.kind, "answers");
  EXPECT_EQ((*manifest.options)["seed"], manifest.seed);
}

TEST_F(Answers, TheVerifierFindsAPlantedAnswer) {
  (void)protect({.file = file_, .k = 3, .out = out_, .seed = 1}, run());
  EXPECT_TRUE(verify::verify_release(*engine_, out_, progress_).holds());
  write_file_atomically(out_, read_file(out_) + "never\n");
  EXPECT_FALSE(verify::verify_release(*engine_, out_, progress_).holds());
}

TEST_F(Answers, TheReportHasAPageOfIt) {
  (void)protect({.file = file_, .k = 3, .out = out_, .seed = 1}, run());
  const auto report = release::make_report(*engine_, {.releases = {out_}}, progress_);
  ASSERT_EQ(report.releases.size(), 1U);
  const auto& page = report.releases.front();
  EXPECT_EQ(page.kind, "answers");
  EXPECT_EQ(page.title, kind().title);
  EXPECT_EQ(page.standing, release::Standing::holds) << page.verdict;
  EXPECT_TRUE(std::any_of(page.facts.begin(), page.facts.end(), [](const auto& fact) {
    return fact.name == "answers released" && fact.value == "10";
  }));
}

TEST_F(Answers, WhatItRevealsWithOthersIsNotTriedAndSoNotCleared) {
  (void)protect({.file = file_, .k = 3, .out = out_, .seed = 1}, run());
  const auto revealed =
      release::attack_sequence(*engine_, {.added = release::ReleaseFile::read(out_)}, progress_);
  EXPECT_FALSE(revealed.complete());
}

TEST_F(Answers, AKindIsAddedOnce) {
  EXPECT_THROW(release::add_kind(kind()), Error);
  EXPECT_EQ(release::kind_of("answers").noun, "answers");
}

}  // namespace
}  // namespace pratique::answers
