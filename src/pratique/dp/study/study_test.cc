#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "pratique/crypto/random.h"
#include "pratique/dp/study/dpcube.h"
#include "pratique/dp/study/range_sums.h"

namespace pratique::dp::study_test {
namespace {

CellGrid small_grid() {
  return CellGrid({Domain::range("a", 0, 4), Domain::range("b", 0, 2), Domain::range("c", 0, 3)});
}

bool inside(const CellBox& box, const std::vector<std::uint64_t>& place) {
  for (std::size_t d = 0; d < place.size(); ++d) {
    if (place[d] < box.low[d] || place[d] > box.high[d]) return false;
  }
  return true;
}

// Every box of the grid.
std::vector<CellBox> all_boxes(const CellGrid& grid) {
  std::vector<CellBox> boxes = {{}};
  for (const auto size : grid.sizes()) {
    std::vector<CellBox> longer;
    for (const auto& box : boxes) {
      for (std::uint64_t low = 0; low < size; ++low) {
        for (std::uint64_t high = low; high < size; ++high) {
          longer.push_back(box);
          longer.back().low.push_back(low);
          longer.back().high.push_back(high);
        }
      }
    }
    boxes = std::move(longer);
  }
  return boxes;
}

TEST(RangeSums, AreThoseOfTheCellsInEveryBox) {
  const CellGrid grid = small_grid();
  SeededRandom random(1);
  std::vector<CellCount> counts;
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
    if (random.chance(0.6)) counts.push_back({cell, random.between(1, 50)});
  }
  const RangeSums sums(grid, counts);
  for (const auto& box : all_boxes(grid)) {
    double expected = 0;
    for (const auto& count : counts) {
      if (inside(box, grid.place_of(count.cell))) expected += static_cast<double>(count.count);
    }
    ASSERT_NEAR(sums.sum(box), expected, 1e-9);
  }
}

TEST(RangeSums, SpreadABoxEvenlyOverItsCells) {
  const CellGrid grid = small_grid();
  const std::vector<HistogramBox> boxes = {{{{0, 0, 0}, {1, 2, 3}}, 48},
                                           {{{2, 0, 1}, {4, 1, 3}}, 9}};
  const RangeSums sums(grid, boxes);
  for (const auto& box : all_boxes(grid)) {
    double expected = 0;
    for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
      const auto place = grid.place_of(cell);
      if (!inside(box, place)) continue;
      for (const auto& counted : boxes) {
        if (inside(counted.box, place))
          expected += counted.count / static_cast<double>(counted.box.cells());
      }
    }
    ASSERT_NEAR(sums.sum(box), expected, 1e-9);
  }
}

TEST(MadeCensus, HasTheRowsAskedForWithinItsDomains) {
  const CellGrid grid = census_grid();
  EXPECT_EQ(grid.cells(), 79U * 14U * 23U * 100U);
  const auto counts = made_census(grid, 20'000, 1);
  std::int64_t rows = 0;
  double age = 0;
  std::array<double, 2> income{};
  std::array<double, 2> people{};
  for (const auto& [cell, count] : counts) {
    const auto place = grid.place_of(cell);
    rows += count;
    age += static_cast<double>(count) * static_cast<double>(place[0]) / 20'000;
    const std::size_t learned = place[1] >= 8 ? 1 : 0;
    income.at(learned) += static_cast<double>(count) * static_cast<double>(place[3]);
    people.at(learned) += static_cast<double>(count);
  }
  EXPECT_EQ(rows, 20'000);
  // beta(2, 3) has mean 0.4; a cell is 0.5 below its numbers on average. The deviation of the mean
  // over 20,000 people is 79 * 0.2 / 141 = 0.11.
  EXPECT_NEAR(age, 0.4 * 79 - 0.5, 0.5);
  EXPECT_GT(income[1] / people[1], 1.2 * income[0] / people[0]);
}

// On cells that are told with noise alone, a question's error is that of a sum of Laplace noise.
TEST(RunStudy, ErrorsOfCellsAreThoseOfTheirNoise) {
  const CellGrid grid({Domain::range("x", 0, 0)});
  const std::vector<StudySetting> settings = {{"cells", "cells", 0.1, 0.5, {}, {}, 10}};
  const auto rows = run_study(grid, {{0, 1000}}, settings, 4000, 3, Progress::silent());
  // E|X| of discrete Laplace noise with ratio r = exp(-epsilon) is 2 r / (1 - r^2).
  const double r = std::exp(-0.1);
  const double expected = 2 * r / (1 - r * r);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NEAR(rows[0].absolute.mean, expected, 5 * expected / std::sqrt(4000.0));
  EXPECT_LT(rows[0].absolute.low, rows[0].absolute.mean);
  EXPECT_GT(rows[0].absolute.high, rows[0].absolute.mean);
  EXPECT_NEAR(rows[0].relative.mean, rows[0].absolute.mean / 1000, 0.002);
  EXPECT_NEAR(rows[0].boxes, 1, 1e-9);
}

TEST(RunStudy, MoreBudgetMakesLessError) {
  const CellGrid grid({Domain::range("x", 0, 63), Domain::range("y", 0, 15)});
  std::vector<CellCount> counts;
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell)
    counts.push_back({cell, static_cast<std::int64_t>(cell % 64 < 8 ? 200 : 5)});
  std::vector<StudySetting> settings;
  for (const double alpha : {0.01, 0.1, 1.0})
    settings.push_back({"alpha", "kdtree", alpha, 0.5, {}, {}, 200});
  const auto rows = run_study(grid, counts, settings, 20, 1, Progress::silent());
  EXPECT_GT(rows[0].absolute.mean, 2 * rows[1].absolute.mean);
  EXPECT_GT(rows[1].absolute.mean, 2 * rows[2].absolute.mean);
}

// A domain with more cells than people, where most of what noise hides is hidden.
TEST(RunStudy, BoxesAnswerBetterThanCellsAndThanBoxesOfThePublishedRule) {
  const CellGrid grid = census_grid();
  const auto counts = made_census(grid, 200'000, 1);
  const std::vector<StudySetting> settings = {{"cells", "cells", 0.1, 0.5, {}, {}, 300},
                                              {"xi1", "kdtree", 0.1, 0.5, 300, 80, 300},
                                              {"ours", "kdtree", 0.1, 0.5, {}, {}, 300}};
  const auto rows = run_study(grid, counts, settings, 2, 1, Progress::silent());
  EXPECT_LT(2 * rows[2].absolute.mean, rows[0].absolute.mean);
  EXPECT_LT(2 * rows[2].absolute.mean, rows[1].absolute.mean);
}

}  // namespace
}  // namespace pratique::dp::study_test
