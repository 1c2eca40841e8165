#include "pratique/tables/metric/anatomy_error.h"

#include <gtest/gtest.h>

#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::anatomy_error_test {
namespace {

// Two groups of two: 20 and 30 with flu and gout, 20 and 40 with flu and cold.
TEST(AnatomyError, SpreadsTheValuesOfAGroupOverItsRecords) {
  const ProtectionWorld world({{"20", "flu"}, {"30", "gout"}, {"20", "cold"}, {"40", "flu"}},
                              {"flat"});
  Recoding groups;
  groups.groups = {0, 1, 2, 3};
  groups.counts = {1, 1, 1, 1};
  groups.class_of = {0, 0, 1, 1};
  groups.class_count = 2;
  const Attribute& age = world.input.attributes[0];
  const auto at = [&](const char* value) {
    const auto rank = age.rank[*world.table.columns[0].dictionary.find(value)];
    return CountQuery::Predicate{.attribute = 0, .spans = {{rank, rank}}};
  };
  const auto ill = [&](const char* value) {
    return std::pair<std::size_t, Code>(0, *world.table.columns[1].dictionary.find(value));
  };
  const auto error = [&](const CountQuery& query) {
    return anatomy_relative_error(world.input, groups, {query});
  };
  EXPECT_DOUBLE_EQ(error({.predicates = {at("20")}, .sensitive = {}}), 0);
  EXPECT_DOUBLE_EQ(error({.predicates = {}, .sensitive = ill("flu")}), 0);
  // Half of a flu in each group: one, as it is.
  EXPECT_DOUBLE_EQ(error({.predicates = {at("20")}, .sensitive = ill("flu")}), 0);
  // Half a cold, and there is one.
  EXPECT_DOUBLE_EQ(error({.predicates = {at("20")}, .sensitive = ill("cold")}), 0.5);
  // Nobody: left out, and the mean is that of the others.
  const CountQuery nobody{.predicates = {at("40")}, .sensitive = ill("cold")};
  EXPECT_DOUBLE_EQ(error(nobody), 0);
  EXPECT_DOUBLE_EQ(anatomy_relative_error(world.input, groups,
                                          {nobody,
                                           {.predicates = {at("20")}, .sensitive = ill("cold")},
                                           {.predicates = {at("20")}, .sensitive = ill("flu")}}),
                   0.25);
}

}  // namespace
}  // namespace pratique::tables::anatomy_error_test
