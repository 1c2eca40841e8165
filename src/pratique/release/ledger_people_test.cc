#include "pratique/release/internal/ledger_people.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

namespace pratique::release::ledger_people_test {
namespace {

using Entries = std::vector<std::uint64_t>;

RecordedRelease entry(std::uint64_t index, const std::string& population = "",
                      std::vector<std::string> inputs = {}) {
  return {.index = index,
          .sha256 = {},
          .manifest = {},
          .inputs = std::move(inputs),
          .population = population,
          .kind = "tables",
          .columns = std::vector<std::string>{"age", "zip", "ill"},
          .same_people = {},
          .other_people = {}};
}

AddedRelease table(const std::string& population = "", const std::string& input = "none") {
  return {.kind = "tables",
          .population = population,
          .columns = {"age", "zip", "ill"},
          .same_people = {},
          .other_people = false,
          .shares_input = [input](const RecordedRelease& recorded) {
            return !recorded.inputs.empty() && recorded.inputs.front() == input;
          }};
}

Entries indices(const std::vector<UnclearRelease>& unclear) {
  Entries entries;
  for (const auto& release : unclear) entries.push_back(release.index);
  return entries;
}

bool alike(std::vector<std::string> a, std::vector<std::string> b,
           const std::string& other_kind = "tables") {
  auto earlier = entry(1);
  earlier.columns = std::move(a);
  auto added = table();
  added.kind = other_kind;
  added.columns = std::move(b);
  return likeness(earlier, added).has_value();
}

TEST(LedgerPeople, HalfOfTheColumnsOfTheSmallerAreMostOfThem) {
  EXPECT_TRUE(alike({"a", "b"}, {"B", "c", "d", "e"}));
  EXPECT_FALSE(alike({"a", "b", "c"}, {"c", "d", "e"}));
  EXPECT_TRUE(alike({}, {"c", "d", "e"}));
  EXPECT_FALSE(alike({}, {"c", "d", "e"}, "codes"));
  EXPECT_TRUE(alike({"a", "b"}, {"a", "c"}, "codes"));
  EXPECT_FALSE(alike({"a"}, {"b"}));
}

TEST(LedgerPeople, AColumnIsKnownByItsNameButForWhatFollows) {
  EXPECT_TRUE(same_name("age", "Age_2021"));
  EXPECT_TRUE(same_name("age2", "age3"));
  EXPECT_TRUE(same_name("zip", "ZIP code"));
  EXPECT_FALSE(same_name("age", "agent"));
  EXPECT_FALSE(same_name("age", "maladie"));
  EXPECT_FALSE(same_name("1", "2"));
  EXPECT_TRUE(same_name("1", "1"));
}

constexpr std::array<std::uint8_t, 3> kSecret = {1, 2, 3};

std::vector<ColumnMarks> marks(const std::string& column, bool sensitive, int first, int last) {
  ColumnValues values{column, sensitive};
  for (int v = first; v < last; ++v) values.values.push_back("Value " + std::to_string(v));
  return marks_of({values}, kSecret);
}

TEST(LedgerPeople, MarksTellHalfOfManyValuesFromFewer) {
  // 3,000 values each, of which 256 marks are kept: all, two thirds and a tenth in common.
  const auto most = [](int first) {
    return share_most(marks("a", true, 0, 3000).front().values,
                      marks("b", true, first, first + 3000).front().values, 2);
  };
  EXPECT_TRUE(most(0));
  EXPECT_TRUE(most(1000));
  EXPECT_FALSE(most(2700));
  // A few of many: all of twenty are among the thousand, none are, and one value tells nothing.
  const auto thousand = marks("a", true, 0, 1000).front().values;
  EXPECT_TRUE(share_most(marks("b", true, 500, 520).front().values, thousand, 2));
  EXPECT_FALSE(share_most(marks("b", true, 2000, 2020).front().values, thousand, 2));
  EXPECT_FALSE(
      share_most(marks("a", true, 0, 1).front().values, marks("b", true, 0, 1).front().values, 2));
}

TEST(LedgerPeople, MarksComeBackAndHoldNoValue) {
  const auto before = marks("illness", true, 0, 300);
  const Json json = to_json(before);
  EXPECT_EQ(json.dump().find("alue 1"), std::string::npos);
  const auto after = column_marks_from(json);
  ASSERT_EQ(after.size(), 1U);
  EXPECT_EQ(after.front().values.smallest, before.front().values.smallest);
  EXPECT_EQ(after.front().values.smallest.size(), 256U);
  EXPECT_FALSE(after.front().values.whole);
  EXPECT_EQ(after.front().beginnings.smallest.size(), 1U);  // val
  // Under another key nothing is in common.
  const auto other = marks_of({{"illness", true, {"Value 1", "Value 2", "Value 3"}}},
                              std::array<std::uint8_t, 3>{3, 2, 1});
  EXPECT_FALSE(share_most(other.front().values, before.front().values, 1));
}

TEST(LedgerPeople, AWayOfWritingIsNoOtherValue) {
  const auto a = marks_of({{"a", true, {"250.00", "V58.1", "Type II"}}}, kSecret);
  const auto b = marks_of({{"b", true, {"25000", "v581", "type ii"}}}, kSecret);
  EXPECT_EQ(a.front().values.smallest, b.front().values.smallest);
}

TEST(LedgerPeople, SecretsAreKnownByNameValuesOrBeginningsInEveryKind) {
  auto codes = entry(1);
  codes.kind = "codes";
  codes.columns = {"patient", "code"};
  codes.marks = marks("code", true, 0, 20);
  auto added = table();
  EXPECT_FALSE(likeness(codes, added));
  added.marks = marks("diagnosis", true, 5, 25);
  EXPECT_NE(likeness(codes, added).value_or("").find("most values"), std::string::npos);
  // Neither is sensitive: one column of three is not most of them.
  added.marks = marks("diagnosis", false, 5, 25);
  added.marks.push_back({.column = "age"});
  added.marks.push_back({.column = "zip"});
  codes.marks = marks("code", false, 0, 20);
  codes.marks.push_back({.column = "patient"});
  codes.marks.push_back({.column = "day"});
  EXPECT_FALSE(likeness(codes, added));
  // An entry without marks is known by names.
  codes.marks.clear();
  codes.columns = {"patient", "Diagnosis", "day"};
  added.marks = marks("diagnosis", true, 5, 25);
  EXPECT_NE(likeness(codes, added).value_or("").find("sensitive column"), std::string::npos);
}

TEST(LedgerPeople, WhatIsSameAsAThirdIsTheSame) {
  // The first has the name, the second is of the first's file, the third was said to be of the
  // second's people.
  auto third = entry(3, "", {"other"});
  third.same_people = {2};
  const std::vector<RecordedRelease> ledger = {entry(1, "clinic", {"file"}), entry(2, "", {"file"}),
                                               third, entry(4, "", {"another"})};
  const auto people = sort_by_people(ledger, table("clinic"));
  EXPECT_EQ(people.same, (Entries{1, 2, 3}));
  EXPECT_EQ(indices(people.unclear), (Entries{4}));
  EXPECT_TRUE(people.others.empty());
}

TEST(LedgerPeople, OtherKindsAndOtherColumnsAreOfOthers) {
  auto codes = entry(1);
  codes.kind = "codes";
  codes.columns = {"patient", "code"};
  auto wide = entry(2);
  wide.columns = {"beds", "ward", "cost"};
  auto old = entry(3);
  old.columns.reset();  // nobody knows
  const auto people = sort_by_people({codes, wide, old}, table());
  EXPECT_EQ(people.others, (Entries{1, 2}));
  EXPECT_EQ(indices(people.unclear), (Entries{3}));
}

TEST(LedgerPeople, WhatWasSaidOnceHoldsForWhoIsTheSame) {
  auto second = entry(2, "", {"b"});
  second.other_people = {1};
  const std::vector<RecordedRelease> ledger = {entry(1, "", {"a"}), second};
  // Made of the first's file again, and of the second's.
  EXPECT_EQ(sort_by_people(ledger, table("", "a")).others, (Entries{2}));
  EXPECT_EQ(sort_by_people(ledger, table("", "b")).others, (Entries{1}));
  EXPECT_EQ(indices(sort_by_people(ledger, table("", "c")).unclear), (Entries{1, 2}));
  auto said = table("", "c");
  said.other_people = true;
  const auto people = sort_by_people(ledger, said);
  EXPECT_EQ(people.others, (Entries{1, 2}));
  EXPECT_EQ(indices(people.unclear), (Entries{1, 2}));
}

TEST(LedgerPeople, NamesTellApartOnceTheyWereUsed) {
  const std::vector<RecordedRelease> ledger = {entry(1, "north"), entry(2, "south"), entry(3)};
  EXPECT_EQ(sort_by_people(ledger, table("north")).others, (Entries{2}));
  EXPECT_EQ(indices(sort_by_people(ledger, table("north")).unclear), (Entries{3}));
  EXPECT_EQ(indices(sort_by_people(ledger, table("nroth")).unclear), (Entries{1, 2, 3}));
}

}  // namespace
}  // namespace pratique::release::ledger_people_test
