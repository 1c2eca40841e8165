#include "pratique/tables/method/randomisation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/tables/testing/table_for_test.h"

namespace pratique::tables::randomisation_test {
namespace {

GroupedTable table() {
  return {table_of({"income", "illness"}, {{"14", "flu"}, {"26", "gout"}, {"14", "gout"}}),
          {2, 1, 3}};
}

std::map<std::string, std::uint64_t> counts_of(const GroupedTable& grouped,
                                               const std::string& column) {
  std::map<std::string, std::uint64_t> counts;
  const Column& values = grouped.groups.column(column);
  for (std::size_t row = 0; row < grouped.counts.size(); ++row) {
    counts[std::string(values.text(row))] += grouped.counts[row];
  }
  return counts;
}

TEST(Randomisation, RecordsAreKeptAndGroupedAgain) {
  Randomisation wanted;
  wanted.perturbations.emplace("income", parse_perturbation("round:20"));
  SeededNoise noise(1);
  const auto perturbed = randomise(table(), wanted, {}, noise);
  EXPECT_EQ(perturbed.table.rows(), 6U);
  EXPECT_EQ(counts_of(perturbed.table, "income"),
            (std::map<std::string, std::uint64_t>{{"20", 6}}));
  EXPECT_EQ(counts_of(perturbed.table, "illness"),
            (std::map<std::string, std::uint64_t>{{"flu", 2}, {"gout", 4}}));
  EXPECT_EQ(perturbed.table.counts.size(), 2U);  // 20 flu, 20 gout
  ASSERT_EQ(perturbed.columns.size(), 1U);
  EXPECT_EQ(perturbed.columns[0].changed, 1);
  // Six off by six; five of 14 and one of 26: mean 16, variance (5 * 4 + 100) / 6 = 20.
  EXPECT_NEAR(*perturbed.columns[0].squared_error, 36.0 / 20, 1e-12);
}

TEST(Randomisation, TheStrictestBeliefDecides) {
  Randomisation wanted;
  wanted.beliefs = {{"illness", 0.1, 0.5}, {"illness", 0, 0, 0.2}};
  SeededNoise noise(7);
  const auto perturbed = randomise(table(), wanted, {}, noise);
  EXPECT_EQ(perturbed.table.rows(), 6U);
  ASSERT_EQ(perturbed.columns.size(), 1U);
  // rho 0.1 to 0.5 allows 9; a growth of 0.2 allows (1.2 / 0.8)^2 = 2.25.
  EXPECT_NEAR(perturbed.columns[0].gamma, 2.25, 1e-6);
  const Json claims = belief_claims(wanted.beliefs, perturbed.columns);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0]["model"], "rho1-to-rho2");
  EXPECT_EQ(claims[1]["delta"], 0.2);
  EXPECT_EQ(claims[1]["values"].size(), 2U);
}

TEST(Randomisation, AColumnIsRandomisedOnce) {
  Randomisation wanted;
  wanted.perturbations.emplace("illness", parse_perturbation("pram:0.5"));
  wanted.beliefs = {{"illness", 0.1, 0.5}};
  SeededNoise noise(1);
  EXPECT_THROW((void)randomise(table(), wanted, {}, noise), Error);
}

}  // namespace
}  // namespace pratique::tables::randomisation_test
