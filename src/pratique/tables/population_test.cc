#include "pratique/tables/population.h"

#include <gtest/gtest.h>

#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::population_test {
namespace {

TEST(Population, JoinsAsGroupsOfNoRecords) {
  GroupedTable table;
  table.groups = table_of({"age", "illness"}, {{"20", "flu"}, {"30", "gout"}});
  table.counts = {2, 1};
  GroupedTable people;
  people.groups = table_of({"age"}, {{"30"}, {"40"}});
  people.counts = {7, 9};
  EXPECT_EQ(add_population(table, people, {"age"}), (std::vector<std::uint64_t>{0, 0, 7, 9}));
  EXPECT_EQ(table.counts, (std::vector<std::uint64_t>{2, 1, 0, 0}));
  EXPECT_EQ(table.rows(), 3U);
  const Column& age = table.groups.columns[0];
  EXPECT_EQ(age.text(2), "30");
  EXPECT_EQ(age.codes[2], age.codes[1]);
  EXPECT_EQ(age.text(3), "40");
  EXPECT_EQ(table.groups.columns[1].text(3), "");
}

}  // namespace
}  // namespace pratique::tables::population_test
