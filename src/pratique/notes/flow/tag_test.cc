#include "pratique/notes/flow/tag.h"

#include <nlohmann/json.hpp>

#include "pratique/notes/flow/testing/notes_flow_fixture.h"
#include "pratique/notes/model/training.h"

namespace pratique::notes::flow::tag_test {
namespace {

class NotesTag : public NotesFlowFixture {
 protected:
  Json tagged(const TagRequest& request, bool passed = true) {
    const auto outcome = tag(request, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
  Json evaluated(const EvaluateRequest& request, bool passed = true) {
    const auto outcome = evaluate(request, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(NotesTag, WritesTheSpansOfEveryNoteAndSaysWhichLinesAreNone) {
  // In code points: the first three letters are two bytes each.
  const auto in =
      file("in.jsonl",
           "{\"id\":\"a\",\"text\":\"\u00e9\u00e9\u00e9: call (617) 555-0142 today\"}\n"
           "nonsense\n"
           "{\"id\":\"b\",\"text\":\"Lungs clear.\"}\n"
           "{\"id\":\"c\",\"text\":\"555-0142 and jo@mail.com\",\"spans\":[{\"start\":0,"
           "\"end\":3,\"type\":\"id\"},{\"start\":2,\"end\":5,\"type\":\"id\"}]}\n");
  const auto result = tagged({.input = {.path = in}, .out = path("out.jsonl")});
  EXPECT_EQ(result.at("notes"), 3);
  EXPECT_EQ(result.at("spans"), 3);
  ASSERT_EQ(result.at("rejected").size(), 1U);
  EXPECT_EQ(result.at("rejected").at(0).at("line"), 2);
  ASSERT_EQ(result.at("repaired").size(), 1U);
  EXPECT_EQ(result.at("repaired").at(0).at("line"), 4);
  EXPECT_GT(result.at("notes_per_second").get<double>(), 0);
  EXPECT_EQ(result.at("certainty"), kDefaultCertainty);
  EXPECT_FALSE(result.contains("recall_calibrated"));
  EXPECT_EQ(result.at("out"), path("out.jsonl"));
  EXPECT_EQ(mode_of(path("out.jsonl")), 0600U);
  const auto lines = read_lines(path("out.jsonl"));
  ASSERT_EQ(lines.size(), 3U);
  ASSERT_EQ(lines[0].at("spans").size(), 1U);
  EXPECT_EQ(lines[0].at("spans").at(0).at("start"), 10);
  EXPECT_EQ(lines[0].at("spans").at(0).at("end"), 24);
  EXPECT_EQ(lines[0].at("spans").at(0).at("type"), "phone");
  EXPECT_EQ(lines[1], (Json{{"id", "b"}, {"spans", Json::array()}}));
  EXPECT_EQ(lines[2].at("spans").size(), 2U);
}

TEST_F(NotesTag, WritesOtherForms) {
  const auto in = notes("in.jsonl", {{{"id", "a"}, {"text", "Call 617-555-0142 now"}}});
  (void)tagged({.input = {.path = in}, .out = path("inline"), .form = "inline"});
  EXPECT_EQ(read_lines(path("inline")),
            (Lines{{{"id", "a"}, {"text", "Call <PHONE>617-555-0142</PHONE> now"}}}));
  (void)tagged({.input = {.path = in}, .out = path("brat"), .form = "brat"});
  EXPECT_EQ(read_lines(path("brat")), (Lines{{{"id", "a"},
                                              {"text", "Call 617-555-0142 now"},
                                              {"ann", "T1\tphone 5 17\t617-555-0142\n"}}}));
}

TEST_F(NotesTag, KnowsWhatTheRecordOfAPatientSays) {
  const auto in =
      notes("in.jsonl", {{{"id", "a"}, {"patient", "p"}, {"text", "bed of 48151 is made"}},
                         {{"id", "b"}, {"patient", "q"}, {"text", "bed of 48151 is made"}}});
  const auto record = file("record.csv", "patient,mrn\np,48151\n");
  EXPECT_EQ(tagged({.input = {.path = in}, .out = path("without")}).at("spans"), 0);
  const auto result = tagged({.input = {.path = in}, .out = path("with"), .record = record});
  EXPECT_EQ(result.at("spans"), 1);
  EXPECT_EQ(read_lines(path("with")).at(0).at("spans").at(0).at("start"), 7);
}

TEST_F(NotesTag, WhoIsNamedInOneNoteOfAPatientIsKnownInTheOthers) {
  const Json certain = {{"id", "a"}, {"patient", "p"}, {"text", "Mr. Jonathan Brewer was seen."}};
  const auto mine = notes(
      "mine.jsonl",
      {certain, {{"id", "b"}, {"patient", "p"}, {"text", "Brewer slept. He was up at noon."}}});
  const auto others = notes(
      "others.jsonl",
      {certain, {{"id", "b"}, {"patient", "q"}, {"text", "Brewer slept. He was up at noon."}}});
  (void)tagged({.input = {.path = mine}, .out = path("mine")});
  (void)tagged({.input = {.path = others}, .out = path("others")});
  ASSERT_EQ(read_lines(path("mine")).at(1).at("spans").size(), 1U);
  EXPECT_EQ(read_lines(path("mine")).at(1).at("spans").at(0).at("end"), 6);
  EXPECT_TRUE(read_lines(path("others")).at(1).at("spans").empty());
}

TEST_F(NotesTag, AModelTellsWhatRecallItWasCalibratedFor) {
  std::vector<Note> marked;
  for (int i = 0; i < 30; ++i) {
    const std::string text = "Call 617-555-0" + std::to_string(100 + i) + " now";
    marked.push_back({.id = std::to_string(i), .text = text, .spans = {{5, 17, "phone"}}});
  }
  TaggerReport report;
  Progress progress;
  train_tagger(marked, 1, 5, report, progress).write(path("model"));
  const auto in = notes("in.jsonl", {{{"id", "a"}, {"text", "Call 617-555-0142 now"}}});
  const auto result =
      tagged({.input = {.path = in}, .out = path("o"), .recall = 0.5, .model = path("model")});
  EXPECT_GE(result.at("recall_calibrated").get<double>(), 0.5);
  EXPECT_FALSE(tagged({.input = {.path = in}, .out = path("o"), .model = path("model")})
                   .contains("recall_calibrated"));
}

TEST_F(NotesTag, NothingToTagIsNoSuccessAndItsInputIsNotOverwritten) {
  const auto in = file("in.jsonl", "nonsense\n");
  EXPECT_EQ(tagged({.input = {.path = in}, .out = path("out")}, false).at("notes"), 0);
  EXPECT_NE(
      refusal([&] { return tag({.input = {.path = in}, .out = in}, run()); }).find("same file"),
      std::string::npos);
  EXPECT_EQ(read_file(in), "nonsense\n");
}

TEST_F(NotesTag, EvaluationSeesAMissAndAFalseFind) {
  const auto gold = file("gold.jsonl",
                         "{\"id\":\"a\",\"text\":\"0123456789\",\"spans\":[{\"start\":0,\"end\":4,"
                         "\"type\":\"phone\"},{\"start\":6,\"end\":8,\"type\":\"name\"}]}\n"
                         "broken\n"
                         "{\"id\":\"b\",\"text\":\"clean\",\"spans\":[]}\n"
                         "{\"id\":\"c\",\"text\":\"Ann is well\",\"spans\":[{\"start\":0,\"end\":3,"
                         "\"type\":\"name\"}]}\n");
  const auto spans = file("spans.jsonl",
                          "{\"id\":\"a\",\"spans\":[{\"start\":2,\"end\":8,\"type\":\"id\"}]}\n"
                          "{\"id\":\"b\",\"spans\":[{\"start\":0,\"end\":5,\"type\":\"id\"}]}\n"
                          "broken, too\n");
  const auto result = evaluated({.spans = spans, .gold = gold, .leaks = path("leaks.jsonl")});
  EXPECT_EQ(result.at("missing"), 1);  // c
  EXPECT_EQ(result.at("rejected").size(), 2U);
  EXPECT_DOUBLE_EQ(result.at("recall_any").get<double>(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.at("recall_full").get<double>(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(result.at("precision").get<double>(), 1.0 / 2);
  EXPECT_EQ(result.at("clean_touched"), 1);
  // Neither the first two digits nor Ann are covered.
  EXPECT_EQ(read_lines(path("leaks.jsonl")),
            (Lines{{{"leak", "phone"}, {"id", "a"}, {"start", 0}, {"end", 4}},
                   {{"leak", "name"}, {"id", "c"}, {"start", 0}, {"end", 3}}}));
  EXPECT_EQ(mode_of(path("leaks.jsonl")), 0600U);
  std::filesystem::remove(path("leaks.jsonl"));
  EXPECT_EQ(evaluated({.spans = spans, .gold = gold}), result);
  EXPECT_FALSE(is_there("leaks.jsonl"));
}

TEST_F(NotesTag, AnEvaluationOfNothingIsNone) {
  const auto gold =
      notes("gold.jsonl", {{{"id", "a"}, {"text", "well"}, {"spans", Json::array()}}});
  const auto other = notes("other.jsonl", {{{"id", "b"}, {"spans", Json::array()}}});
  EXPECT_EQ(evaluated({.spans = other, .gold = gold}, false).at("missing"), 1);
  (void)evaluated({.spans = gold, .gold = gold});
  const auto twice = notes("twice.jsonl", {{{"id", "b"}, {"spans", Json::array()}},
                                           {{"id", "b"}, {"spans", Json::array()}}});
  EXPECT_NE(refusal([&] { return evaluate({.spans = twice, .gold = gold}, run()); }).find("twice"),
            std::string::npos);
}

}  // namespace
}  // namespace pratique::notes::flow::tag_test
