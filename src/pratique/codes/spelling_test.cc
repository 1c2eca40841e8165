#include "pratique/codes/spelling.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/core/error.h"

namespace pratique::codes::spelling_test {
namespace {

std::vector<std::string> texts_of(const CodeSets& sets, std::size_t patient) {
  std::vector<std::string> texts;
  for (const Code code : sets.set(sets.set_of[patient])) texts.emplace_back(sets.codes.value(code));
  std::sort(texts.begin(), texts.end());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Spelling, OneCodeInSeveralSpellingsBecomesOne) {
  CodeSets sets = parse_code_sets("250.00 25000 v581\n250.00\n401 V58.1\n", "t.dat");
  const auto spelling = spelling_of(sets, "");
  ASSERT_TRUE(spelling);
  EXPECT_EQ(spelling->system->name, "icd9");
  EXPECT_TRUE(spelling->points);  // 250.00 twice and V58.1 once, against 25000 and v581
  const Respelled respelled = respell(sets, *spelling);
  EXPECT_EQ(texts_of(sets, 0), (Texts{"250.00", "V58.1"}));
  EXPECT_EQ(texts_of(sets, 1), (Texts{"250.00"}));
  EXPECT_EQ(texts_of(sets, 2), (Texts{"401", "V58.1"}));
  EXPECT_EQ(sets.patients(), 3U);
  EXPECT_EQ(
      to_json(respelled),
      (Json{{"spellings", 2}, {"occurrences", 2}, {"points", 2}, {"letters", 1}, {"blanks", 0}}));
  EXPECT_EQ(respell(sets, *spelling).spellings, 0U);
}

TEST(Spelling, FilesWithoutPointsStaySo) {
  CodeSets sets = parse_code_sets("25000 4019\n25000\n250.01\n", "t.dat");
  const auto spelling = spelling_of(sets, "icd9");
  ASSERT_TRUE(spelling);
  EXPECT_FALSE(spelling->points);
  EXPECT_EQ(respell(sets, *spelling).occurrences, 1U);
  EXPECT_EQ(texts_of(sets, 2), (Texts{"25001"}));
}

// Sets that become equal are one; who has which stays as it was.
TEST(Spelling, SetsThatBecomeEqualAreOne) {
  CodeSets sets = parse_code_sets("250.00\n25000\n250.01\n", "t.dat");
  ASSERT_EQ(sets.size(), 3U);
  (void)respell(sets, *spelling_of(sets, ""));
  EXPECT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets.set_of, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(sets.counts, (std::vector<std::uint32_t>{2, 1}));
}

TEST(Spelling, OtherHierarchiesAndOtherCodesStayAsTheyAre) {
  const CodeSets sets = parse_code_sets("250.00 25000\n", "t.dat");
  EXPECT_FALSE(spelling_of(sets, "flat"));
  EXPECT_FALSE(spelling_of(sets, "tree.csv"));
  EXPECT_FALSE(spelling_of(parse_code_sets("milk bread\n", "t.dat"), ""));
  // Labels of a release are no codes.
  const Spelling spelling{find_code_system("icd9"), true};
  for (const auto* label : {"240-279", "*", "(250.00|250.01)"})
    EXPECT_EQ(spelling.of(label), label);
}

TEST(Spelling, BlanksAroundCellsAreNoPartOfACode) {
  Column column;
  column.codes = {column.dictionary.intern(" 250.00"), column.dictionary.intern("250.00"),
                  column.dictionary.intern("25000 ")};
  respell(column, {find_code_system("icd9"), true});
  EXPECT_EQ(column.dictionary.size(), 1U);
  EXPECT_EQ(column.codes, (std::vector<Code>{0, 0, 0}));
}

TEST(Spelling, AListMayNameCodesByTheirBeginning) {
  const CodeSets sets = parse_code_sets("295.00 295.01 296.0 V58.1\n", "t.dat");
  const auto spelling = spelling_of(sets, "");
  const auto named = [&](const char* entry) {
    Texts texts;
    for (const Code code : codes_named(entry, sets.codes, spelling, "list.txt"))
      texts.emplace_back(sets.codes.value(code));
    return texts;
  };
  EXPECT_EQ(named("295.00"), (Texts{"295.00"}));
  EXPECT_EQ(named("29500"), (Texts{"295.00"}));
  EXPECT_EQ(named("295*"), (Texts{"295.00", "295.01"}));
  EXPECT_EQ(named("2950*"), (Texts{"295.00", "295.01"}));
  EXPECT_EQ(named("v58*"), (Texts{"V58.1"}));
  // A category is not all that is under it, nor is it nothing.
  for (const char* category : {"295", "295.0", "2950", "v58"})
    EXPECT_THROW((void)named(category), Error);
  EXPECT_EQ(named("042"), Texts{});  // a code that nobody has
  EXPECT_EQ(named("042*"), Texts{});
}

TEST(Spelling, AnUnknownCodeIsRefusedWithItsNeighbours) {
  const CodeSets sets = parse_code_sets("alpha alpine beta\n", "t.dat");
  const auto refused = [&](const char* entry) {
    try {
      (void)codes_named(entry, sets.codes, std::nullopt, "list.txt");
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), "list.txt");
      return error.message() + " | " + error.hint();
    }
    return std::string("taken");
  };
  EXPECT_NE(refused("betas").find("Did you mean beta"), std::string::npos) << refused("betas");
  EXPECT_NE(refused("alp").find("Write alp* for the 2 that begin so"), std::string::npos)
      << refused("alp");
  EXPECT_NE(refused("zzzzzz*"), "taken");
  EXPECT_EQ(codes_named("alp*", sets.codes, std::nullopt, "list.txt").size(), 2U);
}

TEST(Spelling, AnOriginalIsReadAsItsReleaseWasWritten) {
  CodeSets sets = parse_code_sets("25000\n", "t.dat");
  respell_as_released(sets, Json::object());
  EXPECT_EQ(texts_of(sets, 0), (Texts{"25000"}));
  respell_as_released(sets, {{"code_system", "icd9"}, {"points", true}});
  EXPECT_EQ(texts_of(sets, 0), (Texts{"250.00"}));
}

}  // namespace
}  // namespace pratique::codes::spelling_test
