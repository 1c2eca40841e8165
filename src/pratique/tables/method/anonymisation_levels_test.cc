#include "pratique/tables/method/anonymisation_levels.h"

#include <gtest/gtest.h>

#include <map>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/tables/method/microaggregate.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/testing/protection_for_test.h"

namespace pratique::tables::anonymisation_levels_test {
namespace {

using Method = AnonymisationLevels::Method;

Models anonymity(std::uint64_t k) {
  Models models;
  models.push_back(k_anonymity(k));
  return models;
}

// What leaves: by group and the cells it shows, how many records.
std::map<std::vector<std::string>, std::uint64_t> shown(const Recoding& recoding) {
  std::map<std::vector<std::string>, std::uint64_t> rows;
  for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
    std::vector<std::string> row = {std::to_string(recoding.groups[i])};
    for (const auto& column : recoding.columns) row.push_back(column.values[column.codes[i]]);
    rows[row] += recoding.counts[i];
  }
  return rows;
}

std::unique_ptr<ProtectionForTest> flat_protection(const std::vector<std::string>& names,
                                                   const Rows& rows,
                                                   std::vector<std::uint64_t> counts) {
  auto world = std::make_unique<ProtectionForTest>();
  world->table = table_of(names, rows);
  world->counts = std::move(counts);
  for (const auto& column : world->table.columns) {
    world->hierarchies.push_back(
        make_hierarchy("flat", column.dictionary, column.counts(), column.name));
  }
  world->connect();
  return world;
}

TEST(AnonymisationLevels, MondrianIsThatOfEveryKAlone) {
  SeededRandom random(5, 0);
  for (int trial = 0; trial < 20; ++trial) {
    const auto world = random_protection(1 + random.below(3), 40, random);
    AnonymisationLevels levels(world->input, Method::mondrian);
    for (std::uint64_t k = 1; k <= std::min<std::uint64_t>(9, world->records()); ++k) {
      EXPECT_EQ(shown(levels.at(k)), shown(mondrian(world->input, anonymity(k), {})))
          << "trial " << trial << ", k " << k;
    }
  }
}

// Real numbers, so that no two distances are the same.
TEST(AnonymisationLevels, MicroaggregationIsThatOfEveryKAlone) {
  SeededRandom random(6, 0);
  for (int trial = 0; trial < 8; ++trial) {
    Rows rows;
    std::vector<std::uint64_t> counts;
    const std::size_t n = 1 + random.below(150);
    for (std::size_t i = 0; i < n; ++i) {
      rows.push_back({std::to_string(random.uniform()), std::to_string(random.normal(5, 2)),
                      i % 7 == 3 ? "" : std::to_string(random.uniform() * 10),
                      trial % 2 == 0 ? "same" : "c" + std::to_string(random.below(3))});
      counts.push_back(1 + random.below(3));
    }
    const auto world = flat_protection({"a", "b", "c", "d"}, rows, counts);
    AnonymisationLevels levels(world->input, Method::microaggregate);
    MicroaggregationOptions whole;
    whole.bucket = 0;
    for (const std::uint64_t k : {2, 3, 5, 8, 13, 40}) {
      if (k > world->records()) break;
      EXPECT_EQ(shown(levels.at(k)),
                shown(microaggregate(world->input, anonymity(k), whole).recoding))
          << "trial " << trial << ", k " << k;
    }
  }
}

TEST(AnonymisationLevels, EveryClassHoldsKWhateverTies) {
  SeededRandom random(7, 0);
  for (int trial = 0; trial < 12; ++trial) {
    const auto world = random_protection(1 + random.below(3), 60, random);
    for (const auto method : {Method::microaggregate, Method::mondrian}) {
      AnonymisationLevels levels(world->input, method);
      for (std::uint64_t k = 1; k <= std::min<std::uint64_t>(12, world->records()); ++k) {
        const Recoding recoding = levels.at(k);
        std::map<std::vector<std::string>, std::uint64_t> classes;
        std::vector<std::uint64_t> left = world->counts;
        for (const auto& [row, count] : shown(recoding)) {
          classes[{row.begin() + 1, row.end()}] += count;
          left[std::stoul(row[0])] -= count;
        }
        for (const auto& [cells, count] : classes) EXPECT_GE(count, k);
        EXPECT_EQ(left, std::vector<std::uint64_t>(left.size(), 0));
      }
    }
  }
}

TEST(AnonymisationLevels, RefusesFewerRecordsThanKAndGoingBack) {
  const auto world = flat_protection({"a"}, {{"1"}, {"2"}, {"3"}}, {1, 1, 1});
  AnonymisationLevels levels(world->input, Method::microaggregate);
  EXPECT_EQ(levels.at(3).class_count, 1U);
  EXPECT_THROW((void)levels.at(2), Error);
  EXPECT_THROW((void)levels.at(4), Error);
}

}  // namespace
}  // namespace pratique::tables::anonymisation_levels_test
