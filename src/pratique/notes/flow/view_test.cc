#include "pratique/notes/flow/view.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/notes/flow/testing/notes_flow_fixture.h"

namespace pratique::notes::flow::view_test {
namespace {

constexpr const char* kHeader = "person,notes,age,sex,zip,first_date,last_date,diagnoses";

class NotesView : public NotesFlowFixture {
 protected:
  Json viewed(const ViewRequest& request, bool passed = true) {
    const auto outcome = view(request, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(NotesView, ARowForEachPersonWithWhatTheirNotesTell) {
  const auto in = notes(
      "in.jsonl",
      {{{"id", "1"},
        {"text",
         "Patient: Mary Johnson, DOB: 03/14/1950. MRN: 4471123. She is a 61-year-old woman "
         "with gout. Seen on 05/02/2011."}},
       {{"id", "2"},
        {"text",
         "Patient: Mary Johnson, DOB: 03/14/1950. MRN: 4471123. She walks. Seen on 05/09/2011. "
         "Has asthma."}},
       {{"id", "3"},
        {"text",
         "Patient: Robert Miller, DOB: 07/01/1971. MRN: 9981234. He is a 40-year-old man."}}});
  const auto result = viewed({.input = {.path = in}, .out = path("view.csv")});
  EXPECT_EQ(result.at("persons"), 2);
  EXPECT_EQ(result.at("notes"), 3);
  EXPECT_EQ(result.at("links"), 1);
  EXPECT_GE(result.at("compared"), 1);
  EXPECT_GE(result.at("rounds"), 1);
  EXPECT_EQ(result.at("rejected"), Json::array());
  EXPECT_EQ(result.at("out"), path("view.csv"));
  EXPECT_EQ(mode_of(path("view.csv")), 0600U);
  EXPECT_EQ(lines_of(path("view.csv")),
            (std::vector<std::string>{kHeader, "1,2,61,F,,2011-05-02,2011-05-09,\"asthma; gout\"",
                                      "2,1,40,M,,,,"}));
  // What a field weighs follows from its m and u (Fellegi and Sunter).
  ASSERT_FALSE(result.at("fields").empty());
  for (const auto& field : result.at("fields")) {
    const double m = field.at("m");
    const double u = field.at("u");
    EXPECT_NEAR(field.at("agrees").get<double>(), std::log2(m / u), 1e-9) << field;
    EXPECT_NEAR(field.at("disagrees").get<double>(), std::log2((1 - m) / (1 - u)), 1e-9) << field;
  }
}

TEST_F(NotesView, KeysOfPatientsDecideWhereTheyAreNamed) {
  const auto in = notes("in.jsonl", {{{"id", "1"}, {"patient", "p"}, {"text", "She has gout."}},
                                     {{"id", "2"}, {"patient", "q"}, {"text", "He has gout."}},
                                     {{"id", "3"}, {"patient", "p"}, {"text", "Aged 61 years."}}});
  const auto result = viewed({.input = {.path = in}, .keyed = true, .out = path("view.csv")});
  EXPECT_EQ(result.at("persons"), 2);
  EXPECT_EQ(result.at("rounds"), 2);
  const auto rows = rows_of(path("view.csv"));
  EXPECT_EQ(rows.at(0).at("notes"), "2");
  EXPECT_EQ(rows.at(0).at("sex"), "F");
  EXPECT_EQ(rows.at(1).at("sex"), "M");
}

TEST_F(NotesView, ANoteOfNobodyIsRefusedWhereRowsMustBeOnePersons) {
  const auto in = file("in.jsonl",
                       "{\"id\":\"1\",\"patient\":\"p\",\"text\":\"well\"}\n\n"
                       "{\"id\":\"2\",\"text\":\"well\"}\n");
  const auto why = refusal(
      [&] { return view({.input = {.path = in}, .keyed = true, .out = path("view.csv")}, run()); });
  EXPECT_NE(why.find("in.jsonl:3"), std::string::npos) << why;
  EXPECT_FALSE(is_there("view.csv"));
  EXPECT_EQ(viewed({.input = {.path = in}, .out = path("view.csv")}).at("persons"), 2);
}

TEST_F(NotesView, ARecordTellsWhoANoteIsOf) {
  // Nothing but a number that only the record knows to be Ulla's.
  const auto in =
      notes("in.jsonl", {{{"id", "1"}, {"patient", "p"}, {"text", "qvarnstroem is well"}}});
  const auto record = file("record.csv", "patient,name\np,Ulla Qvarnstroem\n");
  (void)viewed({.input = {.path = in}, .record = record, .out = path("view.csv")});
  EXPECT_NE(refusal([&] {
              return view(
                  {.input = {.path = in}, .record = file("bad.csv", "name\nx\n"), .out = path("v")},
                  run());
            }).find("no column"),
            std::string::npos);
}

TEST_F(NotesView, WritesOverNoneOfItsInputs) {
  const auto in = notes("in.jsonl", {{{"id", "1"}, {"patient", "p"}, {"text", "well"}}});
  const auto record = file("record.csv", "patient,name\np,Ulla Qvarnstroem\n");
  for (const auto& out : {in, record}) {
    const auto before = read_file(out);
    EXPECT_NE(refusal([&] {
                return view({.input = {.path = in}, .record = record, .out = out}, run());
              }).find("same file"),
              std::string::npos);
    EXPECT_EQ(read_file(out), before);
  }
}

TEST_F(NotesView, WithoutANoteThereIsNoView) {
  const auto in = file("in.jsonl", "nonsense\n");
  const auto result = viewed({.input = {.path = in}, .out = path("view.csv")}, false);
  EXPECT_EQ(result.at("notes"), 0);
  EXPECT_EQ(result.at("rejected").size(), 1U);
  EXPECT_EQ(lines_of(path("view.csv")), std::vector<std::string>{kHeader});
}

}  // namespace
}  // namespace pratique::notes::flow::view_test
