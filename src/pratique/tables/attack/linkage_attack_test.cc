#include "pratique/tables/attack/linkage_attack.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/data/generalised.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::linkage_attack_test {
namespace {

// Sweeney's figure: the release and the voter list, four people with known truth.
struct World {
  Table release = table_of({"birth", "sex", "zip", "problem"}, {{"1964", "F", "0213*", "obesity"},
                                                                {"1964", "F", "0213*", "obesity"},
                                                                {"1965", "M", "0214*", "flu"},
                                                                {"*", "*", "*", "chest pain"}});
  // Ann and Bea share a class of one problem; Carl is alone in his; Dan's row is suppressed; Eve is
  // not in the release but looks like Carl; Fay is not in it either and matches only what is
  // suppressed, as Dan does.
  Table voters = table_of({"id", "zip", "sex", "birth"}, {{"ann", "02138", "F", "1964-01-01"},
                                                          {"bea", "02139", "F", "1964-05-02"},
                                                          {"carl", "02141", "M", "1965-03-04"},
                                                          {"dan", "02138", "M", "1970-01-01"},
                                                          {"eve", "02142", "M", "1965-12-31"},
                                                          {"fay", "99999", "F", "1964-01-01"}});
  Table truth = table_of({"id", "birth", "sex", "zip", "problem"},
                         {{"ann", "1964-01-01", "F", "02138", "obesity"},
                          {"bea", "1964-05-02", "F", "02139", "obesity"},
                          {"carl", "1965-03-04", "M", "02141", "flu"},
                          {"dan", "1970-01-01", "M", "02138", "chest pain"}});
  std::vector<std::string> on = {"birth", "sex", "zip"};
};

TEST(LinkageAttack, TellsClaimsFromTruth) {
  const World world;
  const auto result = attack_by_linkage(world.release, world.voters, world.on, "problem",
                                        Truth{&world.truth, "id"});
  EXPECT_EQ(result.targets, 6U);
  EXPECT_EQ(result.suppressed, 1U);
  EXPECT_EQ(result.linked, 6U);
  EXPECT_EQ(result.linked_uniquely, 4U);  // Carl and Dan, and wrongly Eve and Fay
  EXPECT_EQ(result.sensitive_disclosed, 6U);
  EXPECT_EQ(result.correctly_linked, 2U);
  EXPECT_EQ(result.correct, 4U);
  EXPECT_DOUBLE_EQ(result.share(result.linked_uniquely), 4.0 / 6);
  EXPECT_DOUBLE_EQ(result.largest_share(), 1);
  EXPECT_EQ(result.release_rows, 4U);
  EXPECT_EQ(result.release_rows_matched, 4U);
}

TEST(LinkageAttack, SeesThroughSpelling) {
  const Table release =
      table_of({"sex", "ward", "dx"}, {{"m", "{Nord|Süd}", "flu"}, {"w", "Ost", "hiv"}});
  const Table people = table_of({"sex", "ward"}, {{"M", "NORD"}, {" W", "ost"}, {"W", "West"}});
  const auto result = attack_by_linkage(release, people, {"sex", "ward"}, "dx");
  EXPECT_EQ(result.linked_uniquely, 2U);
  EXPECT_EQ(result.sensitive_disclosed, 2U);
}

TEST(LinkageAttack, WithoutSensitiveOrTruthSaysOnlyWhatItKnows) {
  const World world;
  const auto result = attack_by_linkage(world.release, world.voters, world.on, std::nullopt);
  EXPECT_EQ(result.linked_uniquely, 4U);
  EXPECT_FALSE(result.sensitive_disclosed);
  EXPECT_FALSE(result.correct);
  const auto judged = attack_by_linkage(world.release, world.voters, world.on, std::nullopt,
                                        Truth{&world.truth, "id"});
  EXPECT_EQ(judged.correct, 2U);
}

TEST(LinkageAttack, AReleaseOfStarsDisclosesWhatAllItsRowsShare) {
  const Table release = table_of({"age", "zip", "dx"}, {{"*", "*", "hiv"}, {"*", "*", "hiv"}});
  const Table people = table_of({"age", "zip"}, {{"30", "02139"}, {"31", "02138"}});
  const auto result = attack_by_linkage(release, people, {"age", "zip"}, "dx");
  EXPECT_EQ(result.sensitive_disclosed, 2U);
  EXPECT_EQ(result.linked_uniquely, 0U);
}

TEST(LinkageAttack, SaysHowMuchOfTheReleaseItCouldRead) {
  const Table release = table_of({"country", "dx"}, {{"Europe", "flu"}, {"France", "gout"}});
  const Table people = table_of({"country"}, {{"France"}});
  const auto result = attack_by_linkage(release, people, {"country"}, "dx");
  EXPECT_EQ(result.release_rows, 2U);
  EXPECT_EQ(result.release_rows_matched, 1U);
}

TEST(LinkageAttack, CountsCellsThatItCannotRead) {
  const Table release = table_of({"age", "job"}, {{"[20-30)", "CEO, Deutsche Bank"},
                                                  {"young", "nurse"},
                                                  {"young", "CEO, Deutsche Bank"},
                                                  {"", "*"}});
  const Table people = table_of({"age", "job"}, {{"25", "nurse"}, {"40", "smith"}});
  const auto result = attack_by_linkage(release, people, {"age", "job"}, std::nullopt);
  EXPECT_EQ(result.unread, (std::map<std::string, std::uint64_t>{{"age", 2}, {"job", 2}}));
  const auto read = attack_by_linkage(release, people, {"age"}, std::nullopt);
  EXPECT_EQ(read.unread, (std::map<std::string, std::uint64_t>{{"age", 2}}));
  EXPECT_EQ(read.linked, 1U);  // 25 is in [20-30)
}

TEST(LinkageAttack, AValueThatLooksLikeARangeIsAValueWhereCellsAreValues) {
  const Table release = table_of({"days"}, {{"<30"}, {">30"}, {"NO"}, {"*"}, {"1..9"}});
  const Table people = table_of({"days"}, {{"5"}, {"<30"}});
  const auto linked_by = [&](CellsAre cells_are) {
    return attack_by_linkage(release, people, {"days"}, std::nullopt, std::nullopt, {},
                             Progress::silent(), {{"days", cells_are}})
        .linked_uniquely;
  };
  // Who has 5 fits <30, 1..9 and *; <30 and 1..9 are left of *'s row, so two.
  EXPECT_EQ(linked_by(CellsAre::anything), 1U);
  EXPECT_EQ(linked_by(CellsAre::ours), 2U);    // 5 is in 1..9 alone
  EXPECT_EQ(linked_by(CellsAre::values), 1U);  // 5 is nowhere, not even in a star
}

TEST(LinkageAttack, ATrueValueThatDiffersIsNotCorrect) {
  World world;
  world.truth = table_of({"id", "problem"}, {{"ann", "flu"}, {"carl", "flu"}, {"carl", "gout"}});
  const auto result = attack_by_linkage(world.release, world.voters, world.on, "problem",
                                        Truth{&world.truth, "id"});
  EXPECT_EQ(result.correct, 1U);           // Carl, by one of his records
  EXPECT_EQ(result.correctly_linked, 1U);  // Carl has a record; Eve has none
}

TEST(LinkageAttack, AHiddenValueDisclosesNothing) {
  const Table release = table_of({"q", "s"}, {{"a", "*"}, {"b", "x"}});
  const Table people = table_of({"q"}, {{"a"}, {"b"}});
  const auto result = attack_by_linkage(release, people, {"q"}, "s");
  EXPECT_EQ(result.linked_uniquely, 2U);
  EXPECT_EQ(result.sensitive_disclosed, 1U);
}

TEST(LinkageAttack, IsDefinedAtTheEdges) {
  const Table people = table_of({"q"}, {{"a"}});
  const Table nobody = table_of({"q"}, {});
  EXPECT_EQ(attack_by_linkage(nobody, people, {"q"}, std::nullopt).linked, 0U);
  EXPECT_EQ(attack_by_linkage(people, nobody, {"q"}, "q").largest_share(), 0);
  EXPECT_THROW((void)attack_by_linkage(people, people, {}, std::nullopt), Error);
}

// Target by target, row by row.
RC_GTEST_PROP(LinkageAttack, IsTheDefinition, ()) {
  SeededRandom random = any_random();
  const std::vector<std::string> ages = {"1", "2", "3", "*", "1..2", "2..9"};
  const std::vector<std::string> sexes = {"F", "M", "*", "{F|M}"};
  const std::vector<std::string> problems = {"x", "y", "*", "{x|y}"};
  Rows release;
  Rows people;
  Rows truth;
  const auto rows = static_cast<int>(random.between(0, 12));
  for (int i = 0; i < rows; ++i) {
    release.push_back({ages[random.below(6)], sexes[random.below(4)],
                       problems[random.chance(0.9) ? random.below(2) : random.below(4)]});
  }
  for (int i = 0; i < 15; ++i) {
    const std::string age = std::to_string(1 + random.below(4));
    const std::string sex = random.chance(0.5) ? "F" : "M";
    people.push_back({std::to_string(i), sex, age});
    for (std::uint64_t records = random.below(3); records > 0; --records) {
      truth.push_back(
          {std::to_string(i), random.chance(0.8) ? age : "9", sex, random.chance(0.5) ? "x" : "y"});
    }
  }
  const Table truth_table = table_of({"id", "age", "sex", "problem"}, truth);
  const auto result = attack_by_linkage(table_of({"age", "sex", "problem"}, release),
                                        table_of({"id", "sex", "age"}, people), {"age", "sex"},
                                        "problem", Truth{&truth_table, "id"});

  const auto in = [](const std::string& cell, const std::string& value) {
    return GeneralisedValue::parse_foreign(cell).contains(value);
  };
  std::uint64_t linked = 0;
  std::uint64_t unique = 0;
  std::uint64_t disclosed = 0;
  std::uint64_t correctly_linked = 0;
  std::uint64_t correct = 0;
  for (const auto& person : people) {
    std::vector<std::vector<std::string>> candidates;
    std::set<std::string> values;
    for (const bool suppressed : {false, true}) {
      if (!candidates.empty()) break;
      for (const auto& row : release) {
        if ((row[0] == "*" && row[1] == "*") != suppressed) continue;
        if (!in(row[0], person[2]) || !in(row[1], person[1])) continue;
        candidates.push_back(row);
        values.insert(row[2]);
      }
    }
    const bool discloses = values.size() == 1 && *values.begin() != "*";
    if (!candidates.empty()) ++linked;
    if (candidates.size() == 1) ++unique;
    if (discloses) ++disclosed;
    bool link_holds = false;
    bool value_holds = false;
    for (const auto& record : truth) {
      if (record[0] != person[0]) continue;
      if (candidates.size() == 1 && in(candidates[0][0], record[1]) &&
          in(candidates[0][1], record[2])) {
        link_holds = true;
      }
      if (discloses && in(*values.begin(), record[3])) value_holds = true;
    }
    if (link_holds) ++correctly_linked;
    if (value_holds) ++correct;
  }
  RC_ASSERT(result.linked == linked);
  RC_ASSERT(result.linked_uniquely == unique);
  RC_ASSERT(result.sensitive_disclosed == disclosed);
  RC_ASSERT(result.correctly_linked == correctly_linked);
  RC_ASSERT(result.correct == correct);
}

}  // namespace
}  // namespace pratique::tables::linkage_attack_test
