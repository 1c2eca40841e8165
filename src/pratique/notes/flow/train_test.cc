#include "pratique/notes/flow/train.h"

#include <nlohmann/json.hpp>

#include "pratique/crypto/random.h"
#include "pratique/notes/flow/testing/notes_flow_fixture.h"
#include "pratique/notes/model/tagger.h"
#include "pratique/notes/model/training.h"

namespace pratique::notes::flow::train_test {
namespace {

class NotesTrain : public NotesFlowFixture {
 protected:
  // Notes that are all alike, which whoever saw one knows.
  static Lines alike(int count, bool marked = true) {
    Lines lines;
    for (int i = 0; i < count; ++i) {
      Json line = {{"id", std::to_string(i)}, {"text", "Call 617-555-0142 now"}};
      if (marked) line["spans"] = {{{"start", 5}, {"end", 17}, {"type", "phone"}}};
      lines.push_back(line);
    }
    return lines;
  }
  Json trained(TrainRequest request) {
    request.epochs = 20;
    request.out = path("model");
    return *train(request, run()).result;
  }
};

TEST_F(NotesTrain, WhatIsAlwaysTheSameIsLearntFromTheOtherFolds) {
  const auto in = notes("in.jsonl", alike(24));
  const auto result = trained({.annotated = {.path = in}, .folds = 3, .seed = 4});
  EXPECT_EQ(result.at("notes"), 24);
  EXPECT_EQ(result.at("spans"), 24);
  EXPECT_EQ(result.at("folds"), 3);
  EXPECT_EQ(result.at("fold_f1"), (Json{1, 1, 1}));
  EXPECT_EQ(result.at("f1"), 1);
  EXPECT_EQ(result.at("seed"), 4);
  EXPECT_EQ(result.at("rejected"), Json::array());
  EXPECT_EQ(result.at("out"), path("model"));
  EXPECT_FALSE(result.contains("suggested"));
  const auto found = Tagger::read(path("model")).tag("Call 617-555-0142 now");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].start, 5U);
  EXPECT_EQ(found[0].end, 17U);
}

TEST_F(NotesTrain, WhatNoOtherNoteShowsIsNotLearnt) {
  // One note in three is marked another way than the others of the same text: of 16 spans that are
  // marked 8 can be told, and 24 are predicted.
  auto lines = alike(24);
  for (std::size_t i = 0; i < lines.size(); i += 3) lines[i].erase("spans");
  const auto result =
      trained({.annotated = {.path = notes("in.jsonl", lines)}, .folds = 2, .seed = 1});
  EXPECT_EQ(result.at("spans"), 16);
  // All predicted, two in three rightly: precision 2/3, recall 1.
  double sum = 0;
  for (const auto& f1 : result.at("fold_f1")) {
    EXPECT_GT(f1.get<double>(), 0.5);
    EXPECT_LT(f1.get<double>(), 1);
    sum += f1.get<double>();
  }
  EXPECT_DOUBLE_EQ(result.at("f1").get<double>(), sum / 2);
}

// Cross-validation by its definition: of the notes in an order that the seed decides, every second
// one is tagged by a model of the others.
TEST_F(NotesTrain, EveryNoteIsTaggedOnceByAModelOfTheOthers) {
  // Two kinds of notes take turns: without another order each fold would know one kind alone.
  Lines lines;
  std::vector<Note> all;
  for (int i = 0; i < 16; ++i) {
    const std::string text = i % 2 == 0 ? "Call 617-555-0142 now" : "Seen by Brown yesterday";
    const Span mark = i % 2 == 0 ? Span{5, 17, "phone"} : Span{8, 13, "name"};
    all.push_back({.id = std::to_string(i), .text = text, .spans = {mark}});
    lines.push_back({{"id", all.back().id},
                     {"text", text},
                     {"spans", {{{"start", mark.start}, {"end", mark.end}, {"type", mark.type}}}}});
  }
  // One note is marked as no other is, so that whoever leaves it out has another figure.
  lines[0]["text"] = all[0].text = "Zzz qqq 12";
  all[0].spans = {{8, 10, "id"}};
  lines[0]["spans"] = {{{"start", 8}, {"end", 10}, {"type", "id"}}};
  const auto in = notes("in.jsonl", lines);
  for (const std::uint64_t seed : {4U, 5U}) {
    const auto result = trained({.annotated = {.path = in}, .folds = 2, .seed = seed});
    std::vector<Note> shuffled = all;
    SeededRandom random(seed, 1);
    random.shuffle(shuffled);
    Progress progress;
    for (std::size_t fold = 0; fold < 2; ++fold) {
      std::vector<Note> used;
      for (std::size_t i = 1 - fold; i < shuffled.size(); i += 2) used.push_back(shuffled[i]);
      TaggerReport report;
      const auto model = train_tagger(used, seed + fold, 20, report, progress);
      SpanScore score;
      for (std::size_t i = fold; i < shuffled.size(); i += 2)
        score.add(shuffled[i].spans, model.tag(shuffled[i].text));
      EXPECT_DOUBLE_EQ(result.at("fold_f1").at(fold).get<double>(), score.f1()) << seed;
      EXPECT_EQ(score.gold, 8U);
    }
    EXPECT_GT(result.at("f1").get<double>(), 0.5);
  }
}

TEST_F(NotesTrain, TheSameSeedGivesTheSameModel) {
  auto lines = alike(12);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i]["text"] = std::string(i, 'x') + " 617-555-0142";
    lines[i]["spans"] = {{{"start", i + 1}, {"end", i + 13}, {"type", "phone"}}};
  }
  const auto in = notes("in.jsonl", lines);
  const auto first = trained({.annotated = {.path = in}, .folds = 2, .seed = 9});
  const auto model = read_file(path("model"));
  EXPECT_EQ(trained({.annotated = {.path = in}, .folds = 2, .seed = 9}), first);
  EXPECT_EQ(read_file(path("model")), model);
  const auto drawn = trained({.annotated = {.path = in}, .folds = 2});
  const auto repeated = trained(
      {.annotated = {.path = in}, .folds = 2, .seed = drawn.at("seed").get<std::uint64_t>()});
  EXPECT_EQ(repeated, drawn);
  EXPECT_NE(trained({.annotated = {.path = in}, .folds = 2}).at("seed"), drawn.at("seed"));
}

TEST_F(NotesTrain, TwoMarkedNotesForEachFoldAreEnough) {
  const auto refused = [&](const Lines& lines, std::uint64_t folds) {
    return refusal([&] {
      return train({.annotated = {.path = notes("in.jsonl", lines)},
                    .folds = folds,
                    .epochs = 2,
                    .seed = 1,
                    .out = path("none")},
                   run());
    });
  };
  EXPECT_NE(refused(alike(5), 3).find("too few"), std::string::npos);
  EXPECT_NE(refused(alike(24, false), 2).find("too few"), std::string::npos);
  EXPECT_FALSE(is_there("none"));
  auto one = alike(6, false);
  one[3] = alike(4)[3];
  const auto result =
      trained({.annotated = {.path = notes("in.jsonl", one)}, .folds = 3, .seed = 1});
  EXPECT_EQ(result.at("spans"), 1);
}

TEST_F(NotesTrain, SuggestsTheNotesThatItIsLeastSureOf) {
  auto lines = alike(12);
  for (int i = 0; i < 4; ++i) {
    lines.push_back(
        {{"id", "plain" + std::to_string(i)},
         {"text", i % 2 == 0 ? "Call 617-555-0" + std::to_string(100 + i)
                             : "well " + std::string(static_cast<std::size_t>(i), 'x')}});
  }
  const auto in = notes("in.jsonl", lines);
  const auto expected = [&](const Lines& pool, std::size_t count) {
    const auto model = Tagger::read(path("model"));
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t i = 0; i < pool.size(); ++i)
      ranked.emplace_back(model.least_certainty(pool[i].at("text").get<std::string>()), i);
    std::sort(ranked.begin(), ranked.end());
    Json ids = Json::array();
    for (std::size_t i = 0; i < count; ++i) ids.push_back(pool[ranked[i].second].at("id"));
    return ids;
  };
  // Of its own notes, those that nobody marked; they are not trained on.
  const auto own = trained({.annotated = {.path = in}, .folds = 2, .suggest = 3, .seed = 2});
  EXPECT_EQ(own.at("notes"), 12);
  EXPECT_EQ(own.at("suggested"), expected(Lines(lines.begin() + 12, lines.end()), 3));
  // Of a pool, and no more than it has.
  const Lines pool = {{{"id", "x"}, {"text", "Call 617-555-0177 now"}},
                      {{"id", "y"}, {"text", "fine"}}};
  const auto other = trained({.annotated = {.path = in},
                              .folds = 2,
                              .suggest = 9,
                              .pool = notes("pool.jsonl", pool),
                              .seed = 2});
  EXPECT_EQ(other.at("notes"), 16);
  EXPECT_EQ(other.at("suggested"), expected(pool, 2));
}

}  // namespace
}  // namespace pratique::notes::flow::train_test
