#include "pratique/notes/model/tagger.h"

#include <gtest/gtest.h>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/notes/model/detect.h"
#include "pratique/notes/model/training.h"

namespace pratique::notes::tagger_test {
namespace {

// What no list has, behind a word that announces it: only training can tell.
std::vector<Note> marked_notes() {
  std::vector<Note> notes;
  for (int i = 0; i < 60; ++i) {
    const std::string code = std::string("qzx") + static_cast<char>('a' + i % 26) +
                             static_cast<char>('a' + (i * 7) % 26);
    std::string text = "ward " + code + " is quiet tonight";
    notes.push_back(
        {.id = std::to_string(i), .text = text, .spans = {{5, 5 + code.size(), "hospital"}}});
    notes.push_back({.id = "c" + std::to_string(i), .text = "the lungs are clear tonight"});
  }
  return notes;
}

class TaggerTest : public testing::Test {
 protected:
  TaggerTest() : model_(train_tagger(marked_notes(), 1, 40, report_, Progress::silent())) {}
  TaggerReport report_;
  Tagger model_;
  const std::string seen_ = "ward qzxww is quiet tonight";
};

TEST_F(TaggerTest, LearnsWhatAWordAnnounces) {
  const auto spans = model_.tag(seen_);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].start, 5U);
  EXPECT_EQ(spans[0].end, 10U);
  EXPECT_EQ(spans[0].type, "organisation");
  EXPECT_GT(spans[0].certainty, 0.5);
  EXPECT_TRUE(model_.tag("the lungs are clear tonight").empty());
  EXPECT_GT(report_.f1, 0.9);
  EXPECT_LT(model_.least_certainty(seen_), 1.0);
}

TEST_F(TaggerTest, AFileIsTheSameModelAndHoldsNoWord) {
  PrivateFolder folder;
  const std::string path = folder.path() + "/model";
  model_.write(path);
  const Tagger again = Tagger::read(path);
  const auto before = model_.tag(seen_);
  const auto after = again.tag(seen_);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0].certainty, before[0].certainty);
  EXPECT_EQ(read_file(path).find("qzx"), std::string::npos);
  for (const std::string& bad : {std::string(), std::string("pratique notes model 2\n"),
                                 read_file(path).substr(0, 2000), read_file(path) + "x"}) {
    write_file_atomically(path, bad);
    EXPECT_THROW((void)Tagger::read(path), Error);
  }
}

TEST(SpanScores, AreOfBothEnds) {
  SpanScore score;
  score.add({{0, 4, "name"}, {6, 9, "date"}}, {{0, 4, "id"}, {6, 8, "date"}});
  EXPECT_DOUBLE_EQ(score.f1(), 0.5);  // one right of two marked and two found
}

}  // namespace
}  // namespace pratique::notes::tagger_test
