#include "pratique/trails/attack/resolution.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "pratique/crypto/random.h"

namespace pratique::trails::resolution_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Table table_of(const std::vector<std::string>& fields, const Rows& rows) {
  Table table;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    Column column{fields[f], {}, {}};
    for (const auto& row : rows) column.codes.push_back(column.dictionary.intern(row[f]));
    table.columns.push_back(std::move(column));
  }
  return table;
}

TEST(PairScore, WorkedByHand) {
  // Truth {0 1 2} {3 4}: 4 pairs. Found {0 1} {2 3 4}: 4 pairs. Both have 0-1 and 3-4.
  const auto score = score_pairs({0, 0, 1, 1, 1}, {7, 7, 7, 8, 8});
  EXPECT_EQ(score.true_pairs, 4U);
  EXPECT_EQ(score.joined, 4U);
  EXPECT_EQ(score.correct, 2U);
  EXPECT_EQ(score.precision(), 0.5);
  EXPECT_EQ(score.recall(), 0.5);
  EXPECT_EQ(score.f1(), 0.5);
}

std::string word(SeededRandom& random, std::size_t letters) {
  std::string text;
  for (std::size_t i = 0; i < letters; ++i) text += static_cast<char>('a' + random.below(26));
  return text;
}

std::string mistyped(std::string text, SeededRandom& random) {
  const auto at = 1 + random.below(text.size() - 1);
  text[at] = static_cast<char>('a' + random.below(26));
  return text;
}

// 300 people with two records each, and one field of three mistyped in the second.
struct Dirty {
  Rows rows;
  std::vector<std::uint32_t> truth;
};

Dirty dirty(std::uint64_t seed) {
  SeededRandom random(seed);
  Dirty records;
  for (std::uint32_t p = 0; p < 300; ++p) {
    std::vector<std::string> person = {word(random, 6), word(random, 8), word(random, 9)};
    records.rows.push_back(person);
    auto& field = person[random.below(3)];
    field = mistyped(field, random);
    records.rows.push_back({" " + person[0] + " ", person[1], person[2]});
    records.rows.back()[1][0] = static_cast<char>(records.rows.back()[1][0] - 'a' + 'A');
    records.truth.push_back(p);
    records.truth.push_back(p);
  }
  return records;
}

TEST(Resolution, FindsMistypedNamesWithoutTruth) {
  const Dirty records = dirty(1);
  const auto resolution = resolve(table_of({"given", "family", "street"}, records.rows), {});
  const auto score = score_pairs(resolution.person, records.truth);
  EXPECT_EQ(score.true_pairs, 300U);
  EXPECT_GE(score.precision(), 0.99);
  EXPECT_GE(score.recall(), 0.99);
  EXPECT_LT(resolution.compared, 10'000U);  // of 179,700
  // Two thirds of a field's second records are exact, and a random pair never.
  for (const auto& field : resolution.fields) {
    EXPECT_NEAR(field.m[0], 2.0 / 3, 0.1);
    EXPECT_LT(field.u[0], 0.01);
  }
}

TEST(Resolution, MissingValuesSayNothing) {
  Dirty records = dirty(2);
  for (std::size_t r = 1; r < records.rows.size(); r += 2) records.rows[r][r % 3].clear();
  const auto resolution = resolve(table_of({"given", "family", "street"}, records.rows), {});
  const auto score = score_pairs(resolution.person, records.truth);
  EXPECT_GE(score.precision(), 0.98);
  EXPECT_GE(score.recall(), 0.9);
  // Nobody is joined by nothing.
  const auto empty = resolve(table_of({"a", "b"}, Rows(5, {"", ""})), {});
  EXPECT_EQ(empty.persons, 5U);
}

TEST(Resolution, FewRecords) {
  EXPECT_EQ(resolve(table_of({"a"}, {}), {}).persons, 0U);
  EXPECT_EQ(resolve(table_of({"a"}, {{"x"}}), {}).persons, 1U);
}

// One block of everybody (same town) is split, not skipped.
TEST(Resolution, LargeBlocksAreSplit) {
  Dirty records = dirty(3);
  for (auto& row : records.rows) row.push_back("springfield");
  const auto resolution =
      resolve(table_of({"given", "family", "street", "town"}, records.rows), {});
  const auto score = score_pairs(resolution.person, records.truth);
  EXPECT_GE(score.f1(), 0.98);
  EXPECT_LT(resolution.compared, 30'000U);
}

// Febrl's made-up people: rec-17-org and rec-17-dup-0 are one.
TEST(Resolution, Febrl) {
  for (const std::string name : {"febrl1", "febrl2"}) {
    const std::string path = "../shared/data/linkage/" + name + ".csv";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no data of " << path;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    Rows rows;
    std::vector<std::uint32_t> truth;
    while (std::getline(file, line)) {
      std::vector<std::string> cells;
      std::stringstream cut(line);
      std::string cell;
      while (std::getline(cut, cell, ',')) cells.push_back(cell);
      ASSERT_EQ(cells.size(), 11U);
      truth.push_back(static_cast<std::uint32_t>(std::stoul(cells[0].substr(4))));
      rows.emplace_back(cells.begin() + 1, cells.end());
    }
    const auto resolution =
        resolve(table_of({"given_name", "surname", "street_number", "address_1", "address_2",
                          "suburb", "postcode", "state", "date_of_birth", "soc_sec_id"},
                         rows),
                {});
    const auto score = score_pairs(resolution.person, truth);
    RecordProperty(name + "_precision", std::to_string(score.precision()));
    RecordProperty(name + "_recall", std::to_string(score.recall()));
    RecordProperty(name + "_compared", std::to_string(resolution.compared));
    EXPECT_GE(score.precision(), 0.99) << name;
    EXPECT_GE(score.recall(), 0.97) << name;
  }
}

}  // namespace
}  // namespace pratique::trails::resolution_test
