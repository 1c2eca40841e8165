#include "pratique/dp/query/joined_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace pratique::dp::joined_rows_test {
namespace {

using Texts = std::vector<std::vector<std::string>>;

// Rows of (person, cell), each counted once.
TableToJoin table_of(const Texts& rows, bool unmatched_stay = false) {
  TableToJoin table{.rows = {}, .person = 0, .unmatched_stay = unmatched_stay};
  for (const char* name : {"id", "cell"}) {
    table.rows.groups.columns.push_back({.name = name, .dictionary = {}, .codes = {}});
  }
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      Column& column = table.rows.groups.columns[c];
      column.codes.push_back(column.dictionary.intern(row[c]));
    }
    table.rows.counts.push_back(1);
  }
  return table;
}

using Counted = std::map<std::vector<std::string>, std::uint64_t>;

Counted joined(const std::vector<TableToJoin>& tables, std::uint64_t most = 1000,
               std::uint64_t seed = 1) {
  RandomBits random(std::make_unique<SeededNoise>(seed, 1));
  const auto table = joined_by_person(tables, most, random);
  Counted counted;
  for (std::size_t row = 0; row < table.rows.counts.size(); ++row) {
    std::vector<std::string> cells = {std::string(table.person.text(row))};
    for (const auto& column : table.rows.groups.columns) cells.emplace_back(column.text(row));
    counted[cells] += table.rows.counts[row];
  }
  return counted;
}

std::vector<TableToJoin> two(const Texts& a, const Texts& b, bool unmatched_stay = false) {
  std::vector<TableToJoin> tables;
  tables.push_back(table_of(a));
  tables.push_back(table_of(b, unmatched_stay));
  return tables;
}

const Texts kPeople = {{"1", "F"}, {"2", "M"}, {"3", "F"}, {"", "M"}};
const Texts kVisits = {{"1", "x"}, {"01", "y"}, {"2", "x"}, {"2", "x"}, {"4", "z"}, {"", "x"}};

TEST(JoinedByPerson, IsWhatSqlGivesWithOneSpellingForAll) {
  EXPECT_EQ(joined(two(kPeople, kVisits)),
            (Counted{{{"1", "F", "x"}, 1}, {{"1", "F", "y"}, 1}, {{"2", "M", "x"}, 2}}));
  EXPECT_EQ(
      joined(two(kPeople, kVisits, true)),
      (Counted{
          {{"1", "F", "x"}, 1}, {{"1", "F", "y"}, 1}, {{"2", "M", "x"}, 2}, {{"3", "F", ""}, 1}}));
}

TEST(JoinedByPerson, TheCellsOfAPersonThatWereAskedForStay) {
  auto tables = two(kPeople, kVisits);
  tables[1].person_asked = true;
  EXPECT_EQ(
      joined(std::move(tables)),
      (Counted{{{"1", "F", "1", "x"}, 1}, {{"1", "F", "01", "y"}, 1}, {{"2", "M", "2", "x"}, 2}}));
}

// Whoever else is there, a person's joined rows are those of the person alone, and bounded.
TEST(JoinedByPerson, APersonWithManyRowsAddsAFewAndChangesNobodyElses) {
  Texts people = kPeople;
  Texts visits = kVisits;
  for (int i = 0; i < 300; ++i) {
    people.push_back({"9", std::to_string(i % 7)});
    visits.push_back({"9", std::to_string(i % 5)});
  }
  const Counted without = joined(two(kPeople, kVisits), 64);
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Counted with = joined(two(people, visits), 64, seed);
    std::uint64_t own = 0;
    for (auto row = with.begin(); row != with.end();) {
      if (row->first.front() != "9") {
        ++row;
        continue;
      }
      own += row->second;
      ++seen[row->first[1]];
      row = with.erase(row);
    }
    EXPECT_EQ(own, 64U);
    EXPECT_EQ(with, without);
  }
  EXPECT_EQ(seen.size(), 7U);  // drawn from all of them
}

}  // namespace
}  // namespace pratique::dp::joined_rows_test
