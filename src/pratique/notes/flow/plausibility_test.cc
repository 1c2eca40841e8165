#include "pratique/notes/flow/plausibility.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "pratique/notes/flow/testing/notes_flow_fixture.h"
#include "pratique/notes/plausibility/ontology.h"

namespace pratique::notes::flow::plausibility_test {
namespace {

// Two pets, three fowls, five animals.
constexpr const char* kAnimals =
    "cat;pet;animal\ndog;pet;animal\nhen;fowl;animal\nduck;fowl;animal\nwild goose;fowl;animal\n";

class NotesPlausibility : public NotesFlowFixture {
 protected:
  std::string animals = file("animals.csv", kAnimals);

  Json risen(const PlausibilityRequest& request, bool passed = true) {
    const auto outcome = plausibility(request, run());
    EXPECT_EQ(outcome.passed, passed);
    return *outcome.result;
  }
  // One text, and what it becomes.
  std::string risen_text(const std::string& text, const std::vector<std::string>& terms,
                         std::uint64_t t) {
    const auto in = notes("one.jsonl", {{{"id", "1"}, {"text", text}}});
    (void)plausibility({.input = {.path = in},
                        .t = t,
                        .ontology = animals,
                        .terms = terms,
                        .out = path("o.jsonl")},
                       run());
    if (!is_there("o.jsonl")) return "none";
    auto line = read_lines(path("o.jsonl")).at(0);
    std::filesystem::remove(path("o.jsonl"));
    return line.at("text");
  }
};

TEST_F(NotesPlausibility, TermsRiseUntilSoManyTextsCouldHaveBeenTheOriginal) {
  const auto in = notes("in.jsonl", {{{"id", "a"}, {"text", "My CAT, the hen and the CAT."}},
                                     {{"id", "b"}, {"text", "Ducks? No: a Wild Goose and a dog"}},
                                     {{"id", "c"}, {"text", "A dog."}}});
  const auto result =
      risen({.input = {.path = in}, .t = 6, .ontology = animals, .out = path("out.jsonl")}, false);
  // Two pets and three fowls: 6 texts, of 25 where both were animals. A dog alone is one of 5.
  EXPECT_EQ(result.at("notes"), 3);
  EXPECT_EQ(result.at("texts"), 6);
  EXPECT_EQ(result.at("t"), 6);
  EXPECT_NEAR(result.at("loss").get<double>(), std::log(6) / std::log(25), 1e-12);
  EXPECT_EQ(result.at("terms"), 4);
  EXPECT_EQ(result.at("unreached"), 1);
  EXPECT_EQ(result.at("unknown"), 0);
  EXPECT_EQ(result.at("rejected"), Json::array());
  EXPECT_EQ(result.at("out"), path("out.jsonl"));
  EXPECT_EQ(mode_of(path("out.jsonl")), 0600U);
  EXPECT_EQ(read_lines(path("out.jsonl")),
            (Lines{{{"id", "a"}, {"plausible", 6}, {"text", "My pet, the fowl and the pet."}},
                   {{"id", "b"}, {"plausible", 6}, {"text", "Ducks? No: a fowl and a pet"}}}));
}

TEST_F(NotesPlausibility, TheNoteWithTheFewestTextsCounts) {
  const auto in = notes("in.jsonl", {{{"id", "a"}, {"text", "a hen"}},
                                     {{"id", "b"}, {"text", "a cat"}},
                                     {{"id", "c"}, {"text", "hen and cat"}}});
  const auto result = risen({.input = {.path = in}, .t = 2, .ontology = animals});
  EXPECT_EQ(result.at("texts"), 2);  // of b; that of a are 3, of c 2
  EXPECT_NEAR(
      result.at("loss").get<double>(),
      (std::log(3) / std::log(5) + std::log(2) / std::log(5) + std::log(2) / std::log(25)) / 3,
      1e-12);
  EXPECT_FALSE(result.contains("out"));
  // With at least three for each term, pets become animals.
  const auto more = risen({.input = {.path = in}, .t = 2, .minimum = 3, .ontology = animals});
  EXPECT_EQ(more.at("texts"), 3);
  EXPECT_NEAR(more.at("loss").get<double>(),
              (std::log(3) / std::log(5) + 1 + std::log(15) / std::log(25)) / 3, 1e-12);
}

TEST_F(NotesPlausibility, ATermIsAWholeWord) {
  for (int c = 1; c < 128; ++c) {
    if (c == '\n') continue;
    const bool joins = std::isalnum(c) != 0;
    const std::string sign(1, static_cast<char>(c));
    for (const auto& text : {"x " + sign + "cat", "cat" + sign + " x"}) {
      const std::string expected = joins                   ? "none"
                                   : text.starts_with("x") ? "x " + sign + "pet"
                                                           : "pet" + sign + " x";
      EXPECT_EQ(risen_text(text, {}, 2), expected) << c;
    }
  }
  EXPECT_EQ(risen_text("\u00e9cat", {}, 2), "none");
  EXPECT_EQ(risen_text("cat\u00e9 cat", {}, 2), "cat\u00e9 pet");
  EXPECT_EQ(risen_text("cat", {}, 2), "pet");
}

TEST_F(NotesPlausibility, TheLongerOfTwoTermsIsTaken) {
  file("animals.csv", std::string(kAnimals) + "goose;bird;animal\nowl;bird;animal\n");
  EXPECT_EQ(risen_text("a wild goose, a goose", {"goose", "wild goose"}, 6), "a fowl, a bird");
  EXPECT_EQ(risen_text("a goose is wild", {"wild goose", "goose"}, 2), "a bird is wild");
  // What nobody named stays as it is.
  EXPECT_EQ(risen_text("an owl, a goose", {"goose"}, 2), "an owl, a bird");
}

TEST_F(NotesPlausibility, TermsThatAreUnknownStayAndAreCounted) {
  const auto in =
      notes("in.jsonl", {{{"id", "a"}, {"text", "unicorn, unicorn, cat, cat, hen, basilisk"}}});
  const auto result = risen({.input = {.path = in},
                             .t = 6,
                             .ontology = animals,
                             .terms = {"", "cat", "unicorn", "hen", "basilisk"},
                             .out = path("out.jsonl")});
  EXPECT_EQ(result.at("unknown"), 2);
  EXPECT_EQ(result.at("terms"), 2);
  EXPECT_EQ(read_lines(path("out.jsonl")).at(0).at("text"),
            "unicorn, unicorn, pet, pet, fowl, basilisk");
}

TEST_F(NotesPlausibility, SpansThatSomebodyMarkedAreTheTerms) {
  const std::string text = "The cat saw a hen and a dog.";
  const auto in = notes(
      "in.jsonl",
      {{{"id", "a"}, {"text", text}, {"spans", {span(text, "hen", "x"), span(text, "dog", "x")}}}});
  const auto result = risen({.input = {.path = in}, .t = 6, .ontology = animals, .out = path("o")});
  EXPECT_EQ(result.at("texts"), 6);
  EXPECT_EQ(read_lines(path("o")).at(0).at("text"), "The cat saw a fowl and a pet.");
  // Terms that are named are looked for instead.
  (void)risen(
      {.input = {.path = in}, .t = 2, .ontology = animals, .terms = {"cat"}, .out = path("n")});
  EXPECT_EQ(read_lines(path("n")).at(0).at("text"), "The pet saw a hen and a dog.");
}

TEST_F(NotesPlausibility, WhereNothingIsReachedNothingIsWritten) {
  const auto in = file("in.jsonl", "nonsense\n{\"id\":\"a\",\"text\":\"cat\"}\n");
  const auto result =
      risen({.input = {.path = in}, .t = 6, .ontology = animals, .out = path("out.jsonl")}, false);
  EXPECT_EQ(result.at("texts"), 0);
  EXPECT_EQ(result.at("loss"), 0);
  EXPECT_EQ(result.at("terms"), 0);
  EXPECT_EQ(result.at("unreached"), 1);
  EXPECT_EQ(result.at("rejected").size(), 1U);
  EXPECT_FALSE(result.contains("out"));
  EXPECT_FALSE(is_there("out.jsonl"));
  // A bad line does not stop the others.
  const auto other =
      risen({.input = {.path = in}, .t = 5, .ontology = animals, .out = path("out.jsonl")});
  EXPECT_EQ(other.at("rejected").at(0).at("line"), 1);
  EXPECT_EQ(lines_of(path("out.jsonl")).size(), 1U);
}

TEST_F(NotesPlausibility, ASenseOfWordNetIsTheOneNamed) {
  const auto in = notes("in.jsonl", {{{"id", "a"}, {"text", "the bank"}}});
  const auto wordnet = Ontology::wordnet();
  for (const int sense : {1, 2}) {
    const auto above = wordnet->path("bank", sense, "").at(1);
    (void)risen({.input = {.path = in},
                 .t = above.terms,
                 .terms = {"bank"},
                 .senses = {"Bank=" + std::to_string(sense)},
                 .out = path("out.jsonl")});
    EXPECT_EQ(read_lines(path("out.jsonl")).at(0).at("text"), "the " + above.label);
  }
  EXPECT_NE(wordnet->path("bank", 1, "").at(1).label, wordnet->path("bank", 2, "").at(1).label);
}

TEST_F(NotesPlausibility, RefusesWhatIsNoSenseAndItsOwnInput) {
  const auto in = notes("in.jsonl", {{{"id", "a"}, {"text", "cat"}}});
  for (const char* sense : {"cat", "cat=", "cat=0", "cat=-1", "cat=x"}) {
    EXPECT_NE(refusal([&] {
                return plausibility({.input = {.path = in}, .ontology = animals, .senses = {sense}},
                                    run());
              }).find(sense),
              std::string::npos);
  }
  const auto before = read_file(in);
  EXPECT_NE(refusal([&] {
              return plausibility({.input = {.path = in}, .t = 2, .ontology = animals, .out = in},
                                  run());
            }).find("same file"),
            std::string::npos);
  EXPECT_EQ(read_file(in), before);
}

}  // namespace
}  // namespace pratique::notes::flow::plausibility_test
