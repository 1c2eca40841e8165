#include "pratique/notes/flow/protect.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/notes/flow/internal/notes_artefact.h"
#include "pratique/notes/flow/testing/notes_flow_fixture.h"

namespace pratique::notes::flow::protect_test {
namespace {

constexpr const char* kMary =
    "Mary Qvarnstroem was seen on 03/14/2011. Call 617-555-9142 or write to jo@mail.com. BP "
    "120/80.";

class NotesProtect : public NotesFlowFixture {
 protected:
  std::string key = file("key", "");
  NotesProtect() { std::filesystem::remove(key); }

  Json result_of(const ProtectRequest& request) { return *protect(request, run()).result; }
  Lines released(const std::string& name = "out.jsonl") { return read_lines(path(name)); }
  std::string why_not(const ProtectRequest& request) {
    return refusal([&] { return protect(request, run()); });
  }
  // The only text.
  std::string text_of(ProtectRequest request, const std::string& text) {
    request.input.path = notes("one.jsonl", {{{"id", "1"}, {"text", text}}});
    request.out = path("one.out");
    (void)result_of(request);
    return released("one.out").at(0).at("text");
  }
};

TEST_F(NotesProtect, IdentifiersGoAndTheRestStays) {
  const auto in = file(
      "in.jsonl",
      Json{{"id", "Johnson-77"}, {"patient", "MaryQ"}, {"text", kMary}}.dump() + "\nnonsense\n" +
          Json{{"id", "b"}, {"patient", "MaryQ"}, {"text", "QVARNSTROEM walks."}}.dump() + "\n" +
          Json{{"id", "c"}, {"text", "Lungs clear."}}.dump() + "\n" +
          Json{{"id", "b"}, {"text", "Call 617-555-9143."}}.dump() + "\n");
  const auto result = result_of({.input = {.path = in}, .key = key, .out = path("out.jsonl")});
  EXPECT_EQ(result.at("notes"), 5);
  EXPECT_EQ(result.at("released"), 3);
  EXPECT_EQ(result.at("patients"), 1);
  // A line that is none, and the second b.
  ASSERT_EQ(result.at("rejected").size(), 2U);
  std::set<int> lines;
  for (const auto& line : result.at("rejected")) lines.insert(line.at("line").get<int>());
  EXPECT_EQ(lines, (std::set<int>{2, 5}));
  // The name twice, the date, the number and the address.
  EXPECT_EQ(result.at("by_type"), (Json{{"date", 1}, {"email", 1}, {"name", 2}, {"phone", 1}}));
  EXPECT_EQ(result.at("replaced"), 5);
  EXPECT_EQ(result.at("after"), (Json{{"leaks", 0}, {"notes_with_leaks", 0}}));
  EXPECT_GE(result.at("before").at("leaks"), 3);
  EXPECT_EQ(result.at("before").at("notes_with_leaks"), 1);
  EXPECT_FALSE(result.contains("finding"));
  EXPECT_FALSE(result.contains("withheld"));
  EXPECT_FALSE(result.contains("k_verified"));
  EXPECT_FALSE(result.contains("recall_calibrated"));
  EXPECT_EQ(result.at("verified"), true);
  EXPECT_EQ(result.at("out"), path("out.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(result.at("private_manifest").get<std::string>()));

  const auto lines_out = released();
  ASSERT_EQ(lines_out.size(), 3U);
  std::set<std::string> ids;
  std::map<std::string, int> patients;
  for (const auto& line : lines_out) {
    EXPECT_EQ(line.at("id").get<std::string>().size(), 32U);
    EXPECT_GE(line.at("id").get<std::string>(), ids.empty() ? "" : *ids.rbegin());
    ids.insert(line.at("id").get<std::string>());
    if (line.contains("patient")) ++patients[line.at("patient").get<std::string>()];
  }
  EXPECT_EQ(ids.size(), 3U);
  ASSERT_EQ(patients.size(), 1U);
  EXPECT_EQ(patients.begin()->second, 2);
  const auto everything = read_file(path("out.jsonl")) + read_file(path("out.jsonl.manifest.json"));
  for (const char* told :
       {"Qvarnstroem", "QVARNSTROEM", "555-9142", "03/14", "jo@mail", "MaryQ", "Johnson-77"})
    EXPECT_EQ(everything.find(told), std::string::npos) << told;
  EXPECT_NE(everything.find("BP 120/80"), std::string::npos);
  EXPECT_NE(everything.find("Lungs clear."), std::string::npos);

  const auto manifest = manifest_of(path("out.jsonl"));
  expect_recorded(manifest, "notes", {in}, {}, 0);
  EXPECT_EQ(manifest.at("parameters").at("mode"), "full");
  EXPECT_EQ(manifest.at("parameters").at("replace"), "tags");
  EXPECT_EQ(manifest.at("parameters").at("key_fingerprint"), result.at("key_fingerprint"));
  EXPECT_FALSE(manifest.at("parameters").contains("origin"));
  EXPECT_FALSE(manifest.at("parameters").contains("k"));
  ASSERT_EQ(manifest.at("claims").size(), 1U);
  EXPECT_EQ(manifest.at("claims").at(0).at("model"), "identifiers-removed");
  EXPECT_EQ(manifest.at("claims").at(0).at("surrogates"), false);
  const auto types = manifest.at("claims").at(0).at("types").get<std::set<std::string>>();
  for (const char* type : {"email", "url", "ip", "ssn", "phone", "date"})
    EXPECT_TRUE(types.contains(type));
}

TEST_F(NotesProtect, TheSameKeyGivesTheSameReleaseAndNoKeyAnotherOne) {
  const auto in = notes("in.jsonl", {{{"id", "1"}, {"patient", "p"}, {"text", kMary}}});
  for (const char* out : {"a", "b"})
    (void)result_of({.input = {.path = in}, .key = key, .out = path(out)});
  EXPECT_EQ(read_file(path("a")), read_file(path("b")));
  const auto result = result_of({.input = {.path = in}, .out = path("c")});
  EXPECT_NE(read_file(path("a")), read_file(path("c")));
  EXPECT_FALSE(result.contains("key_fingerprint"));
  EXPECT_FALSE(manifest_of(path("c")).at("parameters").contains("key_fingerprint"));
}

TEST_F(NotesProtect, ModesAndReplacementsDoWhatTheyAreCalled) {
  const std::string text = "Seen on 03/14/2011. Write to jo@mail.com.";
  EXPECT_EQ(text_of({}, text), "Seen on **DATE[2011]. Write to **EMAIL.");
  EXPECT_EQ(text_of({.mode = "partial"}, text), "Seen on 03/14/2011. Write to **EMAIL.");
  EXPECT_EQ(text_of({.replace = "suppress"}, text), "Seen on ***. Write to ***.");
  EXPECT_EQ(text_of({.replace = "generalise"}, text), "Seen on 2011. Write to **EMAIL.");
  const auto surrogate = text_of({.replace = "surrogates"}, text);
  EXPECT_NE(surrogate.find("@example.org"), std::string::npos) << surrogate;
  EXPECT_EQ(surrogate.find("mail.com"), std::string::npos);
  EXPECT_EQ(manifest_of(path("one.out")).at("claims").at(0).at("surrogates"), true);
  EXPECT_EQ(text_of({.only = {"email"}}, text), "Seen on 03/14/2011. Write to **EMAIL.");
  EXPECT_EQ(text_of({.mode = "partial", .also = {"date"}}, text),
            "Seen on **DATE[2011]. Write to **EMAIL.");
  (void)text_of({.replace = "surrogates", .origin = true}, text);
  EXPECT_EQ(manifest_of(path("one.out")).at("parameters").at("origin"), true);
}

TEST_F(NotesProtect, WhatWasReleasedWithTagsIsNotReadAsText) {
  const auto in = notes(
      "in.jsonl",
      {{{"id", "1"}, {"patient", "p"}, {"text", "Dr. **NAME[ABC] saw him on **DATE[2011]."}}});
  (void)result_of(
      {.input = {.path = in}, .replace = "surrogates", .key = key, .out = path("out.jsonl")});
  EXPECT_EQ(released().at(0).at("text").get<std::string>().find("**NAME"), std::string::npos);
}

TEST_F(NotesProtect, SpansThatSomebodyMarkedGoAndTellWhatFindingMisses) {
  const std::string text = "The plumber from Xanadu called 617-555-0142 and left.";
  const auto in =
      notes("in.jsonl", {{{"id", "1"},
                          {"text", text},
                          {"spans",
                           {span(text, "plumber", "own type"), span(text, "617-555-0142", "phone"),
                            span(text, "left", "name")}}},
                         {{"id", "2"},
                          {"text", "Call 617-555-0143"},
                          {"spans", {{{"start", 17}, {"end", 18}, {"type", "name"}}}}},
                         {{"id", "3"},
                          {"text", "Call 617-555-0143."},
                          {"spans", {{{"start", 0}, {"end", 5}, {"type", "name"}}}}},
                         {{"id", "4"},
                          {"text", "Call 617-555-0143."},
                          {"spans", {{{"start", 17}, {"end", 18}, {"type", "name"}}}}}});
  const auto result = result_of({.input = {.path = in}, .out = path("out.jsonl")});
  // Line 2 is rejected: its span is beyond the text. Of 5 marks the telephone number was found;
  // what only touches a find was missed.
  ASSERT_EQ(result.at("rejected").size(), 1U);
  const auto& finding = result.at("finding");
  EXPECT_EQ(finding.at("marked"), 5);
  EXPECT_EQ(finding.at("missed"), 4);
  EXPECT_DOUBLE_EQ(finding.at("miss_rate").get<double>(), 0.8);
  EXPECT_EQ(finding.at("confidence"), 0.95);
  // Clopper and Pearson: the p for which 4 or fewer of 5 have 5 %: 1 - p^5 = 0.05.
  EXPECT_NEAR(finding.at("miss_rate_at_most").get<double>(), std::pow(0.95, 1.0 / 5), 1e-6);
  for (const auto& line : released()) {
    const auto text_out = line.at("text").get<std::string>();
    EXPECT_EQ(text_out.find("plumber"), std::string::npos);
    EXPECT_EQ(text_out.find("left"), std::string::npos);
    EXPECT_EQ(text_out.find("555"), std::string::npos);
  }
}

TEST_F(NotesProtect, OneMarkIsEnoughToMeasureAndOverlappingOnesAreTold) {
  const std::string text = "Call 617-555-0142 now";
  const auto one =
      notes("one.jsonl", {{{"id", "1"}, {"text", text}, {"spans", {span(text, "now", "name")}}}});
  const auto finding = result_of({.input = {.path = one}, .out = path("one.out")}).at("finding");
  EXPECT_EQ(finding.at("marked"), 1);
  EXPECT_EQ(finding.at("missed"), 1);
  const auto overlap =
      notes("overlap.jsonl",
            {{{"id", "0"}, {"text", "Well."}},
             {{"id", "1"},
              {"text", text},
              {"spans", {span(text, "617-555-0142", "phone"), span(text, "555-0142 now", "id")}}}});
  const auto result = result_of({.input = {.path = overlap}, .out = path("overlap.out")});
  ASSERT_EQ(result.at("repaired").size(), 1U);
  EXPECT_EQ(result["repaired"][0].at("line"), 2);
  EXPECT_EQ(result.at("rejected"), Json::array());
}

// Marked as PERSON, a name is a name: the same letters as where finding named it.
TEST_F(NotesProtect, MarksOfOtherCorporaGoAsOurTypes) {
  const std::string first = "zorblax came. Mr. Zorblax left for Germany, aged 50.";
  const auto in =
      notes("in.jsonl", {{{"id", "1"},
                          {"text", first},
                          {"spans",
                           {span(first, "zorblax", "PERSON"), span(first, "Germany", "GPE"),
                            span(first, "50", "AGE")}}}});
  (void)result_of({.input = {.path = in}, .out = path("out.jsonl")});
  const auto text = released().front().at("text").get<std::string>();
  const std::string letters = text.substr(0, text.find(']') + 1);
  EXPECT_TRUE(letters.starts_with("**NAME[")) << text;
  EXPECT_EQ(text, letters + " came. Mr. " + letters + " left for Germany, aged 50.");
}

TEST_F(NotesProtect, WhatOneNoteIsCertainOfIsLookedForInTheOthersOfThePatient) {
  const auto in =
      notes("in.jsonl", {{{"id", "1"}, {"patient", "p"}, {"text", "qvarnstroem walks."}},
                         {{"id", "2"}, {"patient", "p"}, {"text", "Patient: Mary Qvarnstroem."}},
                         {{"id", "3"}, {"patient", "q"}, {"text", "qvarnstroem walks."}},
                         {{"id", "4"}, {"text", "qvarnstroem walks."}}});
  (void)result_of({.input = {.path = in}, .only = {"name", "phone"}, .out = path("out.jsonl")});
  int left = 0;
  for (const auto& line : released())
    left += line.at("text").get<std::string>().find("qvarnstroem") == std::string::npos ? 0 : 1;
  EXPECT_EQ(left, 2);  // of another patient and of nobody
  // And what the record of a patient says.
  const auto record = file("record.csv", "patient,name\nq,Ulla Qvarnstroem\n");
  (void)result_of({.input = {.path = in},
                   .record = record,
                   .only = {"name", "phone"},
                   .out = path("more.jsonl")});
  left = 0;
  for (const auto& line : released("more.jsonl"))
    left += line.at("text").get<std::string>().find("qvarnstroem") == std::string::npos ? 0 : 1;
  EXPECT_EQ(left, 1);
  const auto manifest = manifest_of(path("more.jsonl"));
  ASSERT_EQ(manifest.at("inputs").size(), 2U);
  EXPECT_EQ(manifest.at("inputs").at(1).at("path"), record);
}

TEST_F(NotesProtect, TheStatisticalModeLeavesKPeopleAlike) {
  // Twelve women and five men, all of one age and place, and one boy; the notes name nobody but by
  // a key.
  Lines lines;
  for (int i = 0; i < 18; ++i) {
    const bool woman = i < 12;
    const int age = i == 17 ? 17 : 60;
    lines.push_back(
        {{"id", std::to_string(i)},
         {"patient", "p" + std::to_string(i)},
         {"text", "A " + std::to_string(age) + "-year-old " + (woman ? "woman" : "man") + " with " +
                      (i % 2 == 0 ? "gout" : "asthma") + "."}});
  }
  lines.push_back({{"id", "again"}, {"patient", "p3"}, {"text", "She is well."}});
  const auto in = notes("in.jsonl", lines);
  const ProtectRequest request{.input = {.path = in},
                               .mode = "statistical",
                               .replace = "generalise",
                               .k = 6,
                               .l = 2,
                               .out = path("out.jsonl")};
  const auto result = result_of(request);
  EXPECT_EQ(result.at("notes"), 19);
  EXPECT_EQ(result.at("released").get<int>() + result.at("withheld").get<int>(), 19);
  EXPECT_GE(result.at("k_verified"), 6);
  EXPECT_EQ(result.at("verified"), true);
  // Counted again in the file: people by what is released of them.
  std::map<std::string, std::set<std::string>> people;
  std::map<std::string, std::set<std::string>> diagnoses;
  std::map<std::string, int> notes_of;
  for (const auto& line : released()) {
    const auto& row = line.at("view");
    const auto group = Json{row.at("age"), row.at("sex"), row.at("zip"), row.at("year")}.dump();
    people[group].insert(line.at("patient").get<std::string>());
    diagnoses[group].insert(row.at("diagnosis").get<std::string>());
    ++notes_of[line.at("patient").get<std::string>()];
  }
  std::size_t everybody = 0;
  for (const auto& [group, members] : people) {
    EXPECT_GE(members.size(), 6U) << group;
    EXPECT_GE(diagnoses[group].size(), 2U) << group;
    everybody += members.size();
    EXPECT_EQ(group.find("\"60\""), std::string::npos)
        << group;  // of one age, which nobody is told
  }
  EXPECT_EQ(result.at("patients"), everybody);
  EXPECT_EQ(std::count_if(notes_of.begin(), notes_of.end(),
                          [](const auto& one) { return one.second == 2; }),
            1);
  const auto manifest = manifest_of(path("out.jsonl"));
  EXPECT_EQ(manifest.at("parameters").at("k"), 6);
  EXPECT_EQ(manifest.at("parameters").at("l"), 2);
  ASSERT_EQ(manifest.at("claims").size(), 2U);
  EXPECT_EQ(manifest.at("claims").at(0).at("view"), true);
  EXPECT_EQ(manifest.at("claims").at(1).at("model"), "view-k-anonymity");
  EXPECT_EQ(manifest.at("claims").at(1).at("k"), 6);

  // Fewer men than k: they are withheld with all their notes, and so is everybody where k is too
  // many.
  auto none = request;
  none.k = 30;
  none.out = path("none.jsonl");
  const auto error = error_of([&] { return protect(none, run()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_NE(error.hint().find("--k"), std::string::npos);
  EXPECT_TRUE(nothing_written(none.out));
}

TEST_F(NotesProtect, RefusesWhatItCannotDo) {
  const auto in = notes("in.jsonl", {{{"id", "1"}, {"text", kMary}}});
  const ProtectRequest good{.input = {.path = in}, .out = path("out.jsonl")};
  const auto with = [&](auto change) {
    auto request = good;
    change(request);
    return why_not(request);
  };
  EXPECT_NE(with([](auto& r) { r.also = {"shoe"}; }).find("--also shoe"), std::string::npos);
  EXPECT_NE(with([](auto& r) {
              r.only = {"date", "shoe"};
            }).find("--only shoe"),
            std::string::npos);
  EXPECT_NE(with([](auto& r) { r.only = {"hospital"}; }).find("verified"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.origin = true; }).find("--origin"), std::string::npos);
  EXPECT_NE(with([](auto& r) { r.mode = "statistical"; }).find("--replace tags"),
            std::string::npos);
  EXPECT_NE(with([&](auto& r) { r.out = in; }), "");
  EXPECT_NE(with([&](auto& r) { r.key = r.out; }), "");
  EXPECT_NE(with([&](auto& r) { r.out = r.record = file("record.csv", "patient,name\n"); }), "");
  EXPECT_TRUE(nothing_written(good.out));
  EXPECT_EQ(read_lines(in).size(), 1U);
  // A clinician is a type that can be asked for.
  (void)with;
  (void)result_of({.input = {.path = in}, .also = {"clinician"}, .out = path("out.jsonl")});
}

TEST_F(NotesProtect, WithoutAnyNoteNothingIsReleased) {
  const auto in = file("in.jsonl", "nonsense\n");
  const auto error =
      error_of([&] { return protect({.input = {.path = in}, .out = path("out.jsonl")}, run()); });
  EXPECT_EQ(error.code(), ErrorCode::check_failed);
  EXPECT_NE(error.message().find("no note"), std::string::npos);
  EXPECT_TRUE(nothing_written(path("out.jsonl")));
}

TEST_F(NotesProtect, NotesWaitOnDiskAndLeaveInOrder) {
  // More than what waits in memory: 96 MB in notes of 1 MB, under ids in falling order.
  NotesArtefact artefact;
  const std::string filler(std::size_t{1} << 20U, 'x');
  constexpr int kNotes = 96;
  for (int i = kNotes; i-- > 0;) {
    const std::string id = fmt::format("{:02x}{:030x}", (i * 37) % 256, i);
    artefact.add(id, R"({"id":")" + id + "\",\"text\":\"" + filler + "\"}\n");
  }
  EXPECT_EQ(artefact.notes(), 96U);
  const auto files = artefact.files("out");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].format, "jsonl");
  EXPECT_EQ(files[0].rows, 96U);
  Progress progress;
  artefact.write(engine(), 0, path("out"), progress);
  std::set<std::string> ids;
  std::ifstream in(path("out"));
  for (std::string line; std::getline(in, line);) {
    const auto id = line.substr(7, 32);
    EXPECT_GT(id, ids.empty() ? "" : *ids.rbegin());
    EXPECT_EQ(line.size(), filler.size() + 7 + 32 + 12);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 96U);
}

}  // namespace
}  // namespace pratique::notes::flow::protect_test
