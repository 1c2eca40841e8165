#include "pratique/notes/plausibility/plausibility.h"

#include <gtest/gtest.h>

#include <functional>

#include "pratique/core/file.h"

namespace pratique::notes::plausibility_test {
namespace {

// The tutorial's sentence over a small ontology: 4 state capitals, 4 drugs, 3 pains, 2 carcinomas.
constexpr const char* kOntology =
    "Sacramento;state capital;city;place\n"
    "Boston;state capital;city;place\n"
    "Austin;state capital;city;place\n"
    "Denver;state capital;city;place\n"
    "Oakland;port;city;place\n"
    "marijuana;drug;substance;thing\n"
    "heroin;drug;substance;thing\n"
    "cocaine;drug;substance;thing\n"
    "opium;drug;substance;thing\n"
    "water;drink;substance;thing\n"
    "lumbar pain;pain;symptom;state\n"
    "headache;pain;symptom;state\n"
    "toothache;pain;symptom;state\n"
    "fever;warmth;symptom;state\n"
    "liver cancer;carcinoma;disease;ill\n"
    "lung cancer;carcinoma;disease;ill\n"
    "asthma;breath;disease;ill\n";

class Plausibility : public testing::Test {
 protected:
  Plausibility() {
    // One tree: all under one root.
    std::string text;
    std::istringstream lines(kOntology);
    for (std::string line; std::getline(lines, line);) text += line + ";*\n";
    write_file_atomically(folder_.path() + "/o.csv", text);
    ontology_ = Ontology::from_csv(folder_.path() + "/o.csv");
    for (const char* term : {"Sacramento", "marijuana", "lumbar pain", "LIVER CANCER"})
      paths_.push_back(ontology_->path(term, 0, ""));
  }
  PrivateFolder folder_;
  std::unique_ptr<Ontology> ontology_;
  std::vector<std::vector<Hypernym>> paths_;
};

TEST_F(Plausibility, TheTutorialsSentenceCanBe96Texts) {
  // A state capital resident purchased drug for the pain caused by carcinoma: 4 * 4 * 3 * 2.
  const auto plausible = make_plausible(paths_, 96, 2);
  ASSERT_TRUE(plausible);
  EXPECT_EQ(plausible->texts, 96U);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < paths_.size(); ++i)
    labels.push_back(paths_[i][plausible->levels[i]].label);
  EXPECT_EQ(labels, (std::vector<std::string>{"state capital", "drug", "pain", "carcinoma"}));
}

// All ways to rise.
std::uint64_t smallest_by_enumeration(const std::vector<std::vector<Hypernym>>& paths,
                                      std::uint64_t t, std::uint64_t minimum) {
  std::uint64_t best = 0;
  std::function<void(std::size_t, std::uint64_t)> go = [&](std::size_t i, std::uint64_t product) {
    if (i == paths.size()) {
      if (product >= t && (best == 0 || product < best)) best = product;
      return;
    }
    for (const auto& level : paths[i]) {
      if (level.terms >= std::min(minimum, paths[i].back().terms)) go(i + 1, product * level.terms);
    }
  };
  go(0, 1);
  return best;
}

TEST_F(Plausibility, IsTheLeastThatReachesT) {
  for (std::uint64_t minimum = 1; minimum <= 5; ++minimum) {
    for (std::uint64_t t = 1; t < 700; ++t) {
      const auto plausible = make_plausible(paths_, t, minimum);
      ASSERT_TRUE(plausible);
      EXPECT_EQ(plausible->texts, smallest_by_enumeration(paths_, t, minimum)) << t;
      EXPECT_GE(plausible->loss, 0);
      EXPECT_LE(plausible->loss, 1);
    }
  }
}

TEST_F(Plausibility, WhatTheRootsDoNotReachIsNotPromised) {
  EXPECT_FALSE(make_plausible(paths_, 17ULL * 17 * 17 * 17 + 1, 1));
  EXPECT_FALSE(make_plausible({}, 1, 1));
  EXPECT_TRUE(ontology_->path("penguin", 0, "").empty());
}

}  // namespace
}  // namespace pratique::notes::plausibility_test
