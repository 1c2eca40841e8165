#include "pratique/release/internal/ledger_people.h"

#include <gtest/gtest.h>

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

TEST(LedgerPeople, HalfOfTheColumnsOfTheSmallerAreMostOfThem) {
  EXPECT_TRUE(mostly_same_columns({"a", "b"}, {"B", "c", "d", "e"}));
  EXPECT_FALSE(mostly_same_columns({"a", "b", "c"}, {"c", "d", "e"}));
  EXPECT_TRUE(mostly_same_columns({}, {"c", "d", "e"}));
  EXPECT_FALSE(mostly_same_columns({"a"}, {"b"}));
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
  EXPECT_EQ(people.unclear, (Entries{4}));
  EXPECT_TRUE(people.others.empty());
}

TEST(LedgerPeople, OtherKindsAndOtherColumnsAreOfOthers) {
  auto codes = entry(1);
  codes.kind = "codes";
  auto wide = entry(2);
  wide.columns = {"beds", "ward", "cost"};
  auto old = entry(3);
  old.columns.reset();  // nobody knows
  const auto people = sort_by_people({codes, wide, old}, table());
  EXPECT_EQ(people.others, (Entries{1, 2}));
  EXPECT_EQ(people.unclear, (Entries{3}));
}

TEST(LedgerPeople, WhatWasSaidOnceHoldsForWhoIsTheSame) {
  auto second = entry(2, "", {"b"});
  second.other_people = {1};
  const std::vector<RecordedRelease> ledger = {entry(1, "", {"a"}), second};
  // Made of the first's file again, and of the second's.
  EXPECT_EQ(sort_by_people(ledger, table("", "a")).others, (Entries{2}));
  EXPECT_EQ(sort_by_people(ledger, table("", "b")).others, (Entries{1}));
  EXPECT_EQ(sort_by_people(ledger, table("", "c")).unclear, (Entries{1, 2}));
  auto said = table("", "c");
  said.other_people = true;
  const auto people = sort_by_people(ledger, said);
  EXPECT_EQ(people.others, (Entries{1, 2}));
  EXPECT_EQ(people.unclear, (Entries{1, 2}));
}

TEST(LedgerPeople, NamesTellApartOnceTheyWereUsed) {
  const std::vector<RecordedRelease> ledger = {entry(1, "north"), entry(2, "south"), entry(3)};
  EXPECT_EQ(sort_by_people(ledger, table("north")).others, (Entries{2}));
  EXPECT_EQ(sort_by_people(ledger, table("north")).unclear, (Entries{3}));
  EXPECT_EQ(sort_by_people(ledger, table("nroth")).unclear, (Entries{1, 2, 3}));
}

}  // namespace
}  // namespace pratique::release::ledger_people_test
