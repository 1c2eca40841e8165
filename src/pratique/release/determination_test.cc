#include "pratique/release/determination.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/kind/testing/folder_fixture.h"

namespace pratique::release::determination_test {
namespace {

// Two columns leave, one does not; one in five, and one in twelve on average.
ReleaseReport released() {
  ReleaseReport release;
  release.release = "r.csv";
  release.standing = Standing::holds;
  release.columns = {{"age", "quasi-identifier", "ranges"},
                     {"a=b", "sensitive", "unchanged"},
                     {"name", "identifier", "left out"}};
  release.risks = {{"prosecutor", "that they are in it", 0.2, 1.0 / 12, "classes"},
                   {"marketer", "everybody", 1.0 / 12, 1.0 / 12, "classes"}};
  return release;
}

constexpr const char* kToday = "2026-11-17";

class DeterminationTest : public FolderFixture {
 protected:
  Determination read(const std::string& text) {
    return read_determination(file("d.yaml", text), released());
  }
  std::string message(const std::string& text) {
    try {
      (void)read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_input);
      EXPECT_TRUE(error.place().find("d.yaml:") != std::string::npos) << error.place();
      EXPECT_FALSE(error.hint().empty());
      return error.message();
    }
    return "no error";
  }
};

// Every field with something in it.
Determination complete() {
  Determination all{.recipient = "R",
                    .purpose = "P",
                    .approved_by = "A",
                    .setting = "agreement",
                    .controls = {"a contract"},
                    .threshold = 0.25,
                    .threshold_source = "S",
                    .remaining = "L",
                    .who_could_know = "W",
                    .expert = "E",
                    .qualification = "Q",
                    .method = "M",
                    .date = "2026-11-01",
                    .valid_until = "2028-11-01"};
  for (auto* words : {&all.replicable, &all.available, &all.distinguishing})
    *words = {{"age", "yes"}, {"a=b", "no"}};
  return all;
}

TEST_F(DeterminationTest, WhatIsToBeFilledInIsReadAgainAndIsAllEmpty) {
  const auto empty = read(determination_to_fill_in(released()));
  const auto missing = empty_fields(empty, released());
  // Twelve texts, the threshold, controls, and three words on each of two columns.
  EXPECT_EQ(missing.size(), 12U + 1 + 1 + 6);
  EXPECT_NE(std::find(missing.begin(), missing.end(), "available: a=b"), missing.end());
  EXPECT_EQ(std::find(missing.begin(), missing.end(), "available: name"), missing.end());
}

TEST_F(DeterminationTest, AFormAsksForTheSame) {
  const Json questions = determination_questions(released());
  EXPECT_EQ(questions["texts"].size(), 12U);
  EXPECT_EQ(questions["by_column"].size(), 3U);
  EXPECT_EQ(questions["columns"].size(), 2U);
  EXPECT_EQ(questions["adversaries"][0]["highest"], 0.2);
}

TEST_F(DeterminationTest, EveryFieldIsNeededButControlsOfWhatIsPublic) {
  EXPECT_TRUE(empty_fields(complete(), released()).empty());
  auto all = complete();
  all.controls.clear();
  EXPECT_EQ(empty_fields(all, released()), std::vector<std::string>{"controls"});
  all.setting = "public";
  EXPECT_TRUE(empty_fields(all, released()).empty());
  all.threshold.reset();
  EXPECT_EQ(empty_fields(all, released()), std::vector<std::string>{"threshold"});
  all = complete();
  all.expert.clear();
  EXPECT_EQ(empty_fields(all, released()), std::vector<std::string>{"expert"});
  all = complete();
  all.distinguishing["a=b"].clear();
  EXPECT_EQ(empty_fields(all, released()), std::vector<std::string>{"distinguishing: a=b"});
}

TEST_F(DeterminationTest, WhatIsWrittenIsRead) {
  const auto all = read(
      "recipient: U\nsetting: enclave\ncontrols: [one, two]\nthreshold: 0.09\n"
      "threshold_source: 'a, b'\nset_aside: {prosecutor: nobody knows}\n"
      "available: {age: register, \"a=b\": 'x = y'}\ndate: 2026-11-01\nvalid_until: 2027-11-01\n");
  EXPECT_EQ(all.recipient, "U");
  EXPECT_EQ(all.setting, "enclave");
  EXPECT_EQ(all.controls, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(all.threshold, 0.09);
  EXPECT_EQ(all.threshold_source, "a, b");
  EXPECT_EQ(all.set_aside.at("prosecutor"), "nobody knows");
  EXPECT_EQ(all.available.at("a=b"), "x = y");
  EXPECT_EQ(all.available.at("age"), "register");
}

TEST_F(DeterminationTest, WhatIsMeantOtherwiseIsRefused) {
  EXPECT_NE(message("recipent: U\n").find("recipent"), std::string::npos);
  for (const char* threshold : {"0", "1", "-0.1", "9 %", "1.5", "[0.1]"}) {
    EXPECT_NE(message(std::string("threshold: ") + threshold + "\n"), "no error") << threshold;
  }
  EXPECT_NE(message("setting: open\n").find("public, agreement"), std::string::npos);
  EXPECT_NE(message("date: 17.11.2026\n").find("not a day"), std::string::npos);
  EXPECT_NE(message("valid_until: 2026\n").find("not a day"), std::string::npos);
  EXPECT_NE(message("available: {ages: x}\n").find("no such column"), std::string::npos);
  EXPECT_NE(message("set_aside: {journalists: x}\n").find("no such adversary"), std::string::npos);
  EXPECT_NE(message("available: age\n").find("with a text for each"), std::string::npos);
  EXPECT_NE(message("expert: [a, b]\n").find("one text"), std::string::npos);
}

TEST_F(DeterminationTest, BlanksAndDashesFillNothingIn) {
  for (const char* nothing : {" ", "-", "...", "\u00A0", "\u2014", "\u3000 ."}) {
    const auto said =
        read(fmt::format("expert: '{0}'\ncontrols: ['{0}']\navailable: {{age: '{0}'}}\nset_aside: "
                         "{{prosecutor: '{0}'}}\n",
                         nothing));
    EXPECT_TRUE(said.expert.empty()) << nothing;
    EXPECT_TRUE(said.controls.empty()) << nothing;
    EXPECT_TRUE(said.available.at("age").empty()) << nothing;
    EXPECT_TRUE(said.set_aside.empty()) << nothing;
  }
  EXPECT_EQ(read("expert: '\u738B'\n").expert, "\u738B");
}

TEST_F(DeterminationTest, ItIsValidFromItsDateOn) {
  const std::string same = "date: 2026-11-01\nvalid_until: 2026-11-01\n";
  EXPECT_EQ(read(same).valid_until, "2026-11-01");
  EXPECT_THROW((void)read("date: 2026-11-02\nvalid_until: 2026-11-01\n"), Error);
  auto all = complete();
  all.date = kToday;
  EXPECT_EQ(conclude(all, released(), kToday).standing, Standing::holds);
  all.date = "2026-11-18";
  EXPECT_EQ(conclude(all, released(), kToday).standing, Standing::fails);
}

TEST_F(DeterminationTest, NoReasonSetsNobodyAside) {
  EXPECT_TRUE(read("set_aside: {prosecutor: ''}\n").set_aside.empty());
}

Standing conclusion(const Determination& determination, const ReleaseReport& release = released()) {
  return conclude(determination, release, kToday).standing;
}

TEST_F(DeterminationTest, TheHighestRiskIsHeldAgainstTheThreshold) {
  auto all = complete();
  EXPECT_EQ(conclusion(all), Standing::holds);
  EXPECT_EQ(conclude(all, released(), kToday).highest, 0.2);
  all.threshold = 0.2;  // at most
  EXPECT_EQ(conclusion(all), Standing::holds);
  all.threshold = 0.19;
  EXPECT_EQ(conclusion(all), Standing::fails);
  EXPECT_NE(conclude(all, released(), kToday).sentence.find("prosecutor"), std::string::npos);
  EXPECT_EQ(conclude(all, released(), kToday).sentence.find("marketer"), std::string::npos);
  all.threshold = 0.05;  // 1 in 12 is above it, too
  EXPECT_NE(conclude(all, released(), kToday).sentence.find("and above it for the marketer, too"),
            std::string::npos);
  all.threshold.reset();
  EXPECT_EQ(conclusion(all), Standing::unchecked);
}

TEST_F(DeterminationTest, AnAdversaryThatIsSetAsideDoesNotCountAndIsNamed) {
  auto all = complete();
  all.threshold = 0.1;
  all.set_aside = {{"prosecutor", "nobody knows who is in it"}};
  const auto found = conclude(all, released(), kToday);
  EXPECT_EQ(found.standing, Standing::holds);
  EXPECT_NE(found.sentence.find("Set aside: prosecutor"), std::string::npos) << found.sentence;
  all.set_aside["marketer"] = "nor";
  EXPECT_EQ(conclusion(all), Standing::unchecked);
}

TEST_F(DeterminationTest, WordsDoNotTurnTheConclusion) {
  auto release = released();
  release.standing = Standing::fails;
  EXPECT_EQ(conclusion(complete(), release), Standing::fails);
  release.standing = Standing::unchecked;
  EXPECT_EQ(conclusion(complete(), release), Standing::unchecked);
  release = released();
  release.risks[1].highest.reset();
  EXPECT_EQ(conclusion(complete(), release), Standing::unchecked);
  release.risks[0].highest = 0.3;  // what was measured is enough to fail
  EXPECT_EQ(conclusion(complete(), release), Standing::fails);
  release.risks.clear();
  EXPECT_EQ(conclusion(complete(), release), Standing::unchecked);
}

TEST_F(DeterminationTest, ItRunsOut) {
  auto all = complete();
  all.valid_until = kToday;
  EXPECT_EQ(conclusion(all), Standing::holds);
  all.valid_until = "2026-11-16";
  EXPECT_EQ(conclusion(all), Standing::fails);
}

TEST_F(DeterminationTest, TheChapterNamesWhatIsEmpty) {
  auto all = complete();
  all.method.clear();
  const auto chapter = to_chapter(all, released(), conclude(all, released(), kToday));
  Document document{"d", {}, {chapter}};
  const std::string text = to_markdown(document);
  EXPECT_NE(text.find("One field is to be filled in:"), std::string::npos) << text;
  EXPECT_NE(text.find("Draft. The risk is very small"), std::string::npos);
  EXPECT_NE(text.find("does not leave"), std::string::npos);
  all.method = "M";
  document.chapters = {to_chapter(all, released(), conclude(all, released(), kToday))};
  EXPECT_EQ(to_markdown(document).find("Draft"), std::string::npos);
  all.replicable.clear();
  document.chapters = {to_chapter(all, released(), conclude(all, released(), kToday))};
  EXPECT_NE(to_markdown(document).find("replicable: age, a=b"), std::string::npos);
  all.replicable = all.available;
  EXPECT_TRUE(to_json(all, released(), conclude(all, released(), kToday))["missing"].empty());
}

}  // namespace
}  // namespace pratique::release::determination_test
