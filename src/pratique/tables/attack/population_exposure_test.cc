#include "pratique/tables/attack/population_exposure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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

RC_GTEST_PROP(PopulationExposure, IsWhatEveryPersonInEveryClassMakesIt, ()) {
  auto random = any_random();
  Rows rows(1 + random.below(30));
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> people;
  for (auto& row : rows) {
    row = {std::to_string(random.below(12)), std::string(1, "abc"[random.below(3)])};
    counts.push_back(random.below(3));
    people.push_back(random.below(4));
  }
  ProtectionWorld world(rows, {"flat", "flat"}, counts);
  world.input.population = &people;
  Recoding recoding;
  recoding.class_count = 1 + static_cast<ClassId>(random.below(4));
  std::vector<bool> used(recoding.class_count, false);
  for (std::uint32_t group = 0; group < rows.size(); ++group) {
    const auto id = static_cast<ClassId>(random.below(recoding.class_count));
    if (counts[group] == 0) continue;
    recoding.groups.push_back(group);
    recoding.counts.push_back(counts[group]);
    recoding.class_of.push_back(id);
    used[id] = true;
  }
  if (std::find(used.begin(), used.end(), false) != used.end()) return;
  write_cells(world.input, random.chance(0.5) ? CellStyle::free : CellStyle::labels, recoding);

  PopulationExposure expected;
  for (ClassId id = 0; id < recoding.class_count; ++id) {
    std::uint64_t records = 0;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < recoding.groups.size(); ++i) {
      if (recoding.class_of[i] != id) continue;
      records += recoding.counts[i];
      entry = i;
    }
    std::uint64_t fitting = 0;
    for (std::size_t group = 0; group < rows.size(); ++group) {
      bool fits = true;
      for (std::size_t a = 0; a < 2; ++a) {
        const RecodedColumn& column = recoding.columns[a];
        const auto cell = GeneralisedValue::parse(column.values[column.codes[entry]]);
        fits = fits && cell.contains(rows[group][a], world.input.attributes[a].hierarchy);
      }
      if (fits) fitting += people[group];
    }
    expected.add(records, fitting);
  }
  const auto exposure = population_exposure_after(world.input, recoding);
  RC_ASSERT(exposure.records == expected.records);
  RC_ASSERT(exposure.unique == expected.unique);
  RC_ASSERT(exposure.unmatched == expected.unmatched);
  RC_ASSERT(exposure.fewest_people == expected.fewest_people);
  RC_ASSERT(std::abs(exposure.risks - expected.risks) < 1e-9);
}

}  // namespace
}  // namespace pratique::tables::population_exposure_test
