#include "pratique/notes/flow/attack.h"

#include <nlohmann/json.hpp>

#include "pratique/notes/flow/protect.h"
#include "pratique/notes/flow/testing/notes_flow_fixture.h"

namespace pratique::notes::flow::attack_test {
namespace {

class NotesAttack : public NotesFlowFixture {
 protected:
  std::string in =
      notes("in.jsonl",
            {{{"id", "1"},
              {"patient", "p"},
              {"text", "Mary Qvarnstroem, a 61-year-old woman, has gout. Call 617-555-0142."}},
             {{"id", "2"}, {"patient", "q"}, {"text", "A 40-year-old man with asthma."}},
             {{"id", "3"}, {"patient", "p"}, {"text", "She is well."}}});
  std::string people =
      file("register.csv",
           "name,age,sex,illness\nMary Qvarnstroem,61,F,gout\nRobert Vandergrift,40,M,asthma\n"
           "Ann Ypsilanti,40,F,asthma\n");

  Json attacked(const AttackRequest& request, bool passed = true) {
    const auto outcome = attack(request, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
};

TEST_F(NotesAttack, TellsWhoIsFoundInTheOriginal) {
  const auto result = attacked({.release = in, .known = people});
  EXPECT_EQ(result.at("tried"), true);
  EXPECT_EQ(result.at("notes"), 3);
  EXPECT_EQ(result.at("patients"), 2);
  EXPECT_EQ(result.at("people"), 3);
  // Mary by her name, Robert by age, sex and illness.
  EXPECT_EQ(result.at("reidentified"), 2);
  EXPECT_GE(result.at("leaks"), 2);  // her name, the telephone number
  EXPECT_EQ(result.at("before"), nullptr);
  EXPECT_EQ(result.at("after").at("leaks"), result.at("leaks"));
  EXPECT_EQ(result.at("after").at("reidentified"), 2);
  EXPECT_EQ(result.at("after").at("notes_with_leaks"), 1);
  EXPECT_EQ(result.at("after").at("compared"), 2);
  EXPECT_FALSE(result.contains("told"));
}

TEST_F(NotesAttack, OfAReleaseItTriesTheOriginalToo) {
  (void)protect({.input = {.path = in}, .out = path("release.jsonl")}, run());
  const AttackRequest request{.release = path("release.jsonl"), .known = people};
  const auto result = attacked(request);
  EXPECT_EQ(result.at("leaks"), 0);
  EXPECT_EQ(result.at("after").at("leaks"), 0);
  EXPECT_EQ(result.at("before"), attacked({.release = in, .known = people}).at("after"));
  EXPECT_FALSE(result.contains("told"));
  // The original that is named is taken, not the one of the manifest.
  const auto other = notes("other.jsonl", {{{"id", "9"}, {"text", "well"}}});
  EXPECT_EQ(attacked({.release = path("release.jsonl"), .known = people, .original = other})
                .at("before")
                .at("leaks"),
            0);
  // Where it is gone there is no "before".
  std::filesystem::remove(in);
  EXPECT_EQ(attacked(request).at("before"), nullptr);
}

TEST_F(NotesAttack, OfSurrogatesItTellsNamesThatAreNone) {
  (void)protect({.input = {.path = in}, .replace = "surrogates", .out = path("release.jsonl")},
                run());
  const auto result = attacked({.release = path("release.jsonl"), .known = people});
  EXPECT_EQ(result.at("told"), 0);
  EXPECT_EQ(result.at("leaks"), 0);
}

// Two of three people of the register are in their sixties: the range leaves both, and contradicts
// nobody.
TEST_F(NotesAttack, RangesAreReadAsRanges) {
  const auto release =
      notes("general.jsonl", {{{"id", "1"}, {"text", "Age: 60..79, sex: F, visit 1980..1999."}},
                              {{"id", "2"}, {"text", "Age: 20..39, sex: F, visit 1980..1999."}}});
  const auto known =
      file("ages.csv",
           "name,birth,sex\nMary Qvarnstroem,1920-01-01,F\nAnn Ypsilanti,1925-01-01,F\n"
           "Rosa Vandergrift,1965-01-01,F\n");
  const auto result = attacked({.release = release, .known = known});
  EXPECT_EQ(result.at("after").at("compared"), 2);
  EXPECT_EQ(result.at("reidentified"), 1);  // Rosa alone is young enough for the second
}

TEST_F(NotesAttack, LimitsAreKeptExactly) {
  const auto leaks = attacked({.release = in, .known = people}).at("leaks").get<std::uint64_t>();
  (void)attacked({.release = in, .known = people, .max_reidentified = 2, .max_leaks = leaks});
  (void)attacked({.release = in, .known = people, .max_reidentified = 1, .max_leaks = leaks},
                 false);
  (void)attacked({.release = in, .known = people, .max_reidentified = 2, .max_leaks = leaks - 1},
                 false);
}

TEST_F(NotesAttack, WhatCouldNotBeTriedIsNoPass) {
  // Without notes, with a register of nothing that notes tell, and with nobody to compare.
  EXPECT_EQ(
      attacked({.release = file("none.jsonl", "nonsense\n"), .known = people}, false).at("tried"),
      false);
  EXPECT_EQ(
      attacked({.release = in, .known = file("r.csv", "id,phone\n1,2\n"), .max_leaks = 99}, false)
          .at("tried"),
      false);
  EXPECT_EQ(attacked({.release = in, .known = file("r.csv", "name,age\n")}, false).at("tried"),
            false);
  // One attribute is not enough, two are.
  const auto thin = notes("thin.jsonl", {{{"id", "1"}, {"text", "A 61-year-old."}}});
  const auto known = file("r.csv", "age,sex\n61,F\n");
  EXPECT_EQ(attacked({.release = thin, .known = known}, false).at("tried"), false);
  const auto more = notes("more.jsonl", {{{"id", "1"}, {"text", "A 61-year-old woman."}}});
  EXPECT_EQ(attacked({.release = more, .known = known}).at("reidentified"), 1);
  // It is tried where the original could be compared.
  EXPECT_EQ(attacked({.release = thin, .known = known, .original = more}).at("tried"), true);
  // Names can always be looked for.
  EXPECT_EQ(
      attacked({.release = thin, .known = file("r.csv", "name\nRobert Vandergrift\n")}).at("leaks"),
      0);
}

}  // namespace
}  // namespace pratique::notes::flow::attack_test
