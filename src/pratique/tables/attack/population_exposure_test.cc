#include "pratique/tables/attack/population_exposure.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pratique/tables/testing/recoding_for_test.h"

namespace pratique::tables::population_exposure_test {
namespace {

TEST(PopulationExposure, CountsWhomTheCellsContain) {
  // Records of 20 (two), 30 and 50; people of 20 (one), 21 and 30 (two).
  ProtectionWorld world({{"20"}, {"30"}, {"50"}, {"20"}, {"21"}, {"30"}}, {"flat"},
                        {2, 1, 1, 0, 0, 0});
  const std::vector<std::uint64_t> people = {0, 0, 0, 1, 1, 2};
  world.input.population = &people;
  const auto before = population_exposure_before(world.input);
  EXPECT_EQ(before.records, 4U);
  EXPECT_EQ(before.unique, 2U);
  EXPECT_EQ(before.unmatched, 1U);
  EXPECT_EQ(before.fewest_people, 1U);
  EXPECT_DOUBLE_EQ(before.risks, 1 + 1 + 0.5);

  // 20 and 30 leave as 20..30, which four people fit; 50 is suppressed.
  Recoding recoding;
  recoding.groups = {0, 1};
  recoding.counts = {2, 1};
  recoding.class_of = {0, 0};
  recoding.class_count = 1;
  write_cells(world.input, CellStyle::free, recoding);
  const auto after = to_json(population_exposure_after(world.input, recoding));
  EXPECT_EQ(after["fewest_people"], 4);
  EXPECT_DOUBLE_EQ(after["linkage_risk_mean"].get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(after["linkage_risk_max"].get<double>(), 0.25);
  EXPECT_EQ(after["unique"], 0);
}

}  // namespace
}  // namespace pratique::tables::population_exposure_test
