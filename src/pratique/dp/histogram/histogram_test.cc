#include "pratique/dp/histogram/histogram.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "pratique/core/error.h"
#include "pratique/dp/histogram/adaptive_grid.h"
#include "pratique/dp/histogram/hierarchy_tree.h"
#include "pratique/dp/histogram/kdtree.h"
#include "pratique/dp/histogram/plane_tree.h"
#include "pratique/dp/histogram/sparse_cells.h"
#include "pratique/dp/mechanism/discrete_laplace.h"
#include "pratique/dp/tester/tester.h"

namespace pratique::dp::histogram_test {
namespace {

RandomBits seeded(std::uint64_t seed, std::uint64_t stream = 0) {
  return RandomBits(std::make_unique<SeededNoise>(seed, stream));
}

CellGrid line(std::uint64_t cells) {
  return CellGrid({Domain::range("x", 0, static_cast<double>(cells) - 1)});
}

std::vector<CellCount> counts_of(const std::vector<std::int64_t>& cells) {
  std::vector<CellCount> counts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != 0) counts.push_back({i, cells[i]});
  }
  return counts;
}

// Mean over runs of the root mean squared error of all prefixes, at epsilon 0.1.
double prefix_error(const std::vector<std::int64_t>& truth, TreeEstimate estimate) {
  constexpr int kRuns = 150;
  double total = 0;
  for (int run = 0; run < kRuns; ++run) {
    RandomBits random = seeded(static_cast<std::uint64_t>(run), 8);
    const auto line = noisy_tree(truth, 1, Epsilon::from(0.1), estimate, random);
    double difference = 0;
    double squares = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      difference += line.cells[i] - static_cast<double>(truth[i]);
      squares += difference * difference;
    }
    total += std::sqrt(squares / static_cast<double>(truth.size()));
  }
  return total / kRuns;
}

std::vector<std::int64_t> shaped(std::int64_t people, const std::function<double(int)>& weight) {
  std::vector<std::int64_t> cells(1024);
  double all = 0;
  for (int i = 0; i < 1024; ++i) all += weight(i);
  double sum = 0;
  std::int64_t given = 0;
  for (int i = 0; i < 1024; ++i) {
    sum += weight(i);
    cells[static_cast<std::size_t>(i)] =
        std::llround(sum / all * static_cast<double>(people)) - given;
    given += cells[static_cast<std::size_t>(i)];
  }
  return cells;
}

double clustered(int i) {
  double weight = 0;
  for (const int centre : {100, 240, 500, 730, 900}) {
    weight += std::exp(-std::pow((i - centre) / 5.0, 2));
  }
  return weight;
}

double smooth(int i) { return std::exp(-std::pow((i - 400) / 180.0, 2)); }

TEST(Domains, AreReadAsDeclared) {
  const Domain ages = Domain::parse("age=17..90");
  EXPECT_EQ(ages.cells(), 74U);
  EXPECT_EQ(ages.cell_of("17"), 0U);
  EXPECT_EQ(ages.cell_of("018"), 1U);
  EXPECT_EQ(ages.cell_of("91"), std::nullopt);
  EXPECT_EQ(ages.cell_of("17.5"), std::nullopt);
  EXPECT_EQ(ages.cell_of(""), std::nullopt);
  EXPECT_EQ(ages.value_of(73), "90");
  const Domain words = Domain::parse("sex=F|M");
  EXPECT_EQ(words.cells(), 2U);
  EXPECT_EQ(words.cell_of("M"), 1U);
  EXPECT_EQ(words.cell_of("m"), std::nullopt);
  for (const char* bad : {"age", "=1..2", "age=9..1", "sex=F|F", "sex=/nowhere", "age=1..1e99"}) {
    EXPECT_THROW((void)Domain::parse(bad), Error) << bad;
  }
  EXPECT_THROW((void)Domain::parse("x=0.5..3").cells(), Error);
}

TEST(CellGrid, NumbersCellsBackAndForth) {
  const CellGrid grid(
      {Domain::range("a", 0, 2), Domain::of("b", {"x", "y"}), Domain::range("c", 5, 8)});
  EXPECT_EQ(grid.cells(), 24U);
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
    EXPECT_EQ(grid.number_of(grid.place_of(cell)), cell);
  }
  EXPECT_EQ(grid.whole().cells(), 24U);
}

TEST(BestBranching, IsThatOfThePaperForItsExample) {
  // By the formula: 2 levels of 32 give 31 * 8 - 2 * 33 * 4 / 3 = 160; 3 levels of 11, 198.
  EXPECT_EQ(best_branching(1024), 32U);
  EXPECT_EQ(best_branching(1), 2U);
}

// The estimate against least squares worked out by hand: with a tiny domain there is one level.
TEST(NoisyTree, IsFlatNoiseOnAFewCellsAndAddsUpOnMany) {
  const std::vector<std::int64_t> counts(100, 1000);
  RandomBits random = seeded(1);
  const auto line = noisy_tree(counts, 1, Epsilon::from(1), TreeEstimate::consistent, random);
  ASSERT_EQ(line.cells.size(), 100U);
  double sum = 0;
  for (const double cell : line.cells) {
    EXPECT_NEAR(cell, 1000, 60);
    sum += cell;
  }
  EXPECT_NEAR(sum, 100'000, 200);
}

TEST(NoisyTree, TheAdaptiveEstimateIsNeverMuchWorseAndFarBetterOnClusters) {
  for (const std::int64_t people : {1000, 100'000}) {
    for (const auto& shape : {clustered, smooth}) {
      const auto truth = shaped(people, shape);
      const double consistent = prefix_error(truth, TreeEstimate::consistent);
      const double adaptive = prefix_error(truth, TreeEstimate::adaptive);
      EXPECT_LT(adaptive, 1.1 * consistent) << people;
      if (shape == clustered) {
        EXPECT_LT(1.8 * adaptive, consistent) << people;
      }
    }
  }
  // 1,000 people in eight cells.
  const auto sparse = shaped(1000, [](int i) { return i % 128 == 37 ? 1.0 + i % 3 : 0; });
  EXPECT_LT(2 * prefix_error(sparse, TreeEstimate::adaptive),
            prefix_error(sparse, TreeEstimate::consistent));
}

TEST(LevelShares, AddUpToOneAndAreEqualInThePaper) {
  for (unsigned levels = 1; levels < 6; ++levels) {
    for (const auto estimate : {TreeEstimate::consistent, TreeEstimate::adaptive}) {
      const auto shares = level_shares(levels, estimate);
      ASSERT_EQ(shares.size(), levels);
      double sum = 0;
      for (const double share : shares) sum += share;
      EXPECT_NEAR(sum, 1, 1e-12);
      if (estimate == TreeEstimate::consistent) {
        EXPECT_EQ(shares.front(), shares.back());
      } else if (levels > 1) {
        EXPECT_NEAR(shares.back() / shares.front(), kLastToFirst, 1e-12);
      }
    }
  }
}

TEST(SparseCells, HaveTheDistributionOfNoiseOnEveryCell) {
  // A domain small enough to visit, with a threshold as for a large one.
  constexpr std::uint64_t kCells = 200'000;
  const Rational rate{1, 2};
  const std::int64_t threshold = sparse_threshold(kCells, rate);
  const std::vector<CellCount> occupied = {{0, 50}, {7, 3}, {8, 100}, {kCells - 1, 40}};
  RandomBits a = seeded(2);
  RandomBits b = seeded(3);
  std::map<std::int64_t, double> of_values;
  double listed = 0;
  double first_half = 0;
  constexpr int kRuns = 40;
  for (int run = 0; run < kRuns; ++run) {
    const auto sparse = sparse_noisy_cells(kCells, occupied, rate, a, b);
    EXPECT_EQ(sparse.threshold, threshold);
    std::uint64_t previous = 0;
    for (std::size_t i = 0; i < sparse.cells.size(); ++i) {
      const auto& [cell, count] = sparse.cells[i];
      ASSERT_LT(cell, kCells);
      if (i > 0) {
        ASSERT_GT(cell, previous);
      }
      previous = cell;
      ASSERT_GE(count, threshold);
      if (cell == 0 || cell == 7 || cell == 8 || cell == kCells - 1) continue;
      ++listed;
      ++of_values[count - threshold];
      first_half += cell < kCells / 2 ? 1 : 0;
    }
  }
  const double q = std::exp(-0.5);
  const double passes = std::pow(q, threshold) / (1 + q);
  const double expected = passes * (kCells - 4) * kRuns;
  EXPECT_NEAR(listed, expected, 6 * std::sqrt(expected));
  EXPECT_NEAR(first_half, expected / 2, 6 * std::sqrt(expected / 2));
  for (int above = 0; above < 5; ++above) {
    const double of_value = expected * (1 - q) * std::pow(q, above);
    EXPECT_NEAR(of_values[above], of_value, 6 * std::sqrt(of_value)) << above;
  }
}

TEST(SparseCells, AHugeDomainCostsNothing) {
  const CellGrid grid({Domain::range("a", 0, 1'999'999), Domain::range("b", 0, 1'999'999)});
  Noise noise(4);
  const auto histogram = make_histogram(grid, {{12'345'678'901, 5000}}, 1, Epsilon::from(1),
                                        {.method = "cells"}, noise);
  EXPECT_LT(histogram.boxes.size(), 2000U);
  EXPECT_GT(histogram.boxes.size(), 200U);
  const bool kept =
      std::any_of(histogram.boxes.begin(), histogram.boxes.end(), [&](const HistogramBox& box) {
        return grid.number_of(box.box.low) == 12'345'678'901 && std::abs(box.count - 5000) < 50;
      });
  EXPECT_TRUE(kept);
}

TEST(KdTree, LeavesAnEqualBlockWholeAndCutsWhereCountsChange) {
  // 1,024 equal cells at alpha 0.05: uncorrected, H would be about 20,000.
  const CellGrid grid = line(1024);
  RandomBits a = seeded(5);
  RandomBits b = seeded(6);
  const auto whole = noisy_kdtree(grid, counts_of(std::vector<std::int64_t>(1024, 30)), 1,
                                  Epsilon::from(0.1), {}, a, b, Progress::silent());
  EXPECT_LE(whole.size(), 3U);
  std::vector<std::int64_t> steps(1024, 0);
  std::fill(steps.begin() + 300, steps.begin() + 700, 2000);
  const auto cut =
      noisy_kdtree(grid, counts_of(steps), 1, Epsilon::from(0.1), {}, a, b, Progress::silent());
  double inside = 0;
  std::uint64_t cells = 0;
  for (const auto& box : cut) {
    cells += box.box.cells();
    if (box.box.low[0] >= 300 && box.box.high[0] < 700) inside += box.count;
  }
  EXPECT_EQ(cells, 1024U);
  EXPECT_NEAR(inside, 800'000, 4000);
  EXPECT_LE(cut.size(), 20U);
}

TEST(KdTree, CoversEveryCellOnceInSeveralDimensions) {
  const CellGrid grid(
      {Domain::range("a", 0, 19), Domain::range("b", 0, 14), Domain::range("c", 0, 9)});
  std::vector<CellCount> counts;
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
    const auto place = grid.place_of(cell);
    if (place[0] > 10 && place[1] < 5) counts.push_back({cell, 400});
  }
  RandomBits a = seeded(7);
  RandomBits b = seeded(8);
  const auto boxes =
      noisy_kdtree(grid, counts, 1, Epsilon::from(0.5), {}, a, b, Progress::silent());
  std::vector<int> covered(grid.cells());
  double sum = 0;
  for (const auto& box : boxes) {
    sum += box.count;
    for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
      const auto place = grid.place_of(cell);
      bool in = true;
      for (std::size_t d = 0; d < 3; ++d) {
        in = in && place[d] >= box.box.low[d] && place[d] <= box.box.high[d];
      }
      covered[cell] += in ? 1 : 0;
    }
  }
  for (const int times : covered) ASSERT_EQ(times, 1);
  EXPECT_NEAR(sum, 9 * 5 * 10 * 400, 2000);
}

TEST(CountCells, BoundsTheRowsOfAPersonAtRandom) {
  const CellGrid grid = line(10);
  Table table;
  table.columns.push_back({.name = "x", .dictionary = {}, .codes = {}});
  Column person{.name = "id", .dictionary = {}, .codes = {}};
  std::vector<std::uint64_t> counts;
  const auto add = [&](const char* who, const char* value, std::uint64_t times) {
    table.columns[0].codes.push_back(table.columns[0].dictionary.intern(value));
    person.codes.push_back(person.dictionary.intern(who));
    counts.push_back(times);
  };
  add("a", "1", 5);
  add("b", "2", 1);
  add("a", "3", 5);
  add("b", "77", 4);  // not in the domain
  std::map<std::uint64_t, std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomBits random = seeded(seed);
    std::int64_t total = 0;
    for (const auto& [cell, count] : count_cells(grid, table, counts, &person, 2, random)) {
      seen[cell] += count;
      total += count;
    }
    EXPECT_EQ(total, 3);  // two of a's, one of b's
  }
  EXPECT_EQ(seen[2], 200);
  EXPECT_EQ(seen[1] + seen[3], 400);
  EXPECT_NEAR(static_cast<double>(seen[1]), 200, 60);
  RandomBits random = seeded(1);
  EXPECT_EQ(count_cells(grid, table, counts, nullptr, 1, random).front().count, 5);
}

// Structure and counts together, on neighbours: a split on true counts would show.
TEST(Histograms, HoldOnNeighbours) {
  const CellGrid grid = line(4);
  const std::vector<std::int64_t> base = {9, 9, 0, 0};
  auto larger = base;
  ++larger[1];
  for (const char* method : {"cells", "hb", "dawa", "auto", "kdtree"}) {
    const auto sampler = [&](const std::vector<std::int64_t>& cells, std::uint64_t offset) {
      return Sampler([=, counts = counts_of(cells)](std::uint64_t run) {
        Noise noise(2 * run + offset);
        const auto histogram = make_histogram(line(4), counts, 1, Epsilon::from(1),
                                              {.method = method, .xi0 = 1}, noise);
        std::string label;
        for (const auto& [box, count] : histogram.boxes) {
          label += fmt::format("{}-{}:{:.0f} ", box.low[0], box.high[0],
                               std::clamp(count / 3, -6.0, 6.0));
        }
        return label;
      });
    };
    const auto verdict = test_privacy({{method, sampler(larger, 0), sampler(base, 1)}}, 1, 0, 3000);
    EXPECT_TRUE(verdict.holds) << method << " " << verdict.epsilon_bound;
  }
}

CellGrid plane(std::uint64_t rows, std::uint64_t columns) {
  return CellGrid({Domain::range("a", 0, static_cast<double>(rows - 1)),
                   Domain::range("b", 0, static_cast<double>(columns - 1))});
}

TEST(PlaneTree, HasEveryCellOnceBelowItsBox) {
  for (const auto& [rows, columns, branching] :
       {std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>{7, 5, 2},
        {9, 9, 3},
        {1, 6, 2},
        {4, 4, 4}}) {
    const PlaneTree tree = plane_tree(rows, columns, branching);
    std::vector<std::uint64_t> cells = tree.cells;
    std::sort(cells.begin(), cells.end());
    ASSERT_EQ(cells.size(), rows * columns);
    for (std::uint64_t i = 0; i < cells.size(); ++i) ASSERT_EQ(cells[i], i);
    // The leaves below a node are a box: as many as its sides make.
    for (std::size_t level = 0; level < tree.shape.first_child.size(); ++level) {
      const auto& nodes = tree.shape.first_child[level];
      for (std::size_t node = 0; node + 1 < nodes.size(); ++node) {
        std::size_t begin = nodes[node];
        std::size_t end = nodes[node + 1];
        for (std::size_t below = level + 1; below < tree.shape.first_child.size(); ++below) {
          begin = tree.shape.first_child[below][begin];
          end = tree.shape.first_child[below][end];
        }
        std::set<std::uint64_t> of_rows;
        std::set<std::uint64_t> of_columns;
        for (std::size_t leaf = begin; leaf < end; ++leaf) {
          of_rows.insert(tree.cells[leaf] / columns);
          of_columns.insert(tree.cells[leaf] % columns);
        }
        EXPECT_EQ(end - begin, of_rows.size() * of_columns.size());
      }
    }
  }
  EXPECT_EQ(adaptive_plane_branching(8, 3), 8U);    // one level
  EXPECT_EQ(adaptive_plane_branching(3, 30), 6U);   // two: 5 * 5 < 30
  EXPECT_EQ(adaptive_plane_branching(128, 9), 6U);  // three: 5 * 5 * 5 < 128
  // Flat noise on few cells; a side of 1,000 is cut into tens (the sum worked out for every b).
  EXPECT_EQ(plane_tree(10, 10, best_plane_branching(10, 10)).shape.levels(), 1U);
  EXPECT_EQ(best_plane_branching(1000, 1000), 10U);
  EXPECT_EQ(plane_tree(4, 4, 4).shape.levels(), 1U);
  EXPECT_EQ(plane_tree(4, 4, 2).shape.levels(), 2U);
}

// By hand: 4 x 4 cells by halves; on top four boxes of four cells.
TEST(PlaneTree, ASumOfCellsTakesTheFewestNodes) {
  const CellGrid grid = plane(4, 4);
  const CountedTree tree{.branching = 2, .variances = {3, 5}};
  const auto variance = [&](const std::vector<std::uint64_t>& cells) {
    std::vector<char> asked(16);
    for (const auto cell : cells) asked[cell] = 1;
    return variance_over(grid, tree, asked);
  };
  EXPECT_EQ(levels_of(grid, tree), 2U);
  EXPECT_EQ(variance({}), 0);
  EXPECT_EQ(variance({0}), 5);
  EXPECT_EQ(variance({0, 1, 4, 5}), 3);                              // the first box
  EXPECT_EQ(variance({0, 1, 4, 5, 2, 6}), 13);                       // and two cells of the second
  EXPECT_EQ(variance({1, 2, 5, 6}), 20);                             // across two
  EXPECT_EQ(variance_over(line(4), {2, {1.5}}, {1, 1, 0, 1}), 4.5);  // one level
}

TEST(AdaptiveGrid, CutsASideIntoNoMorePartsThanItHasCells) {
  for (const double boxes : {0.5, 1.0, 7.0, 100.0, 1e6}) {
    for (const std::uint64_t rows : {1U, 3U, 50U}) {
      for (const std::uint64_t columns : {1U, 4U, 60U}) {
        const Parts parts = parts_for(boxes, rows, columns);
        EXPECT_GE(parts.rows, 1U);
        EXPECT_LE(parts.rows, rows);
        EXPECT_GE(parts.columns, 1U);
        EXPECT_LE(parts.columns, columns);
        // As many as are wanted, where there are so many cells.
        EXPECT_GE(static_cast<double>(parts.rows * parts.columns),
                  std::min(boxes, static_cast<double>(rows * columns)));
      }
    }
  }
}

// Every cell is in one box, and with nearly no noise the boxes hold who is there.
TEST(Histograms, OfTwoColumnsCoverEveryCellOnce) {
  const CellGrid grid = plane(40, 23);
  std::vector<CellCount> counts;
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
    if (cell % 23 < 9) counts.push_back({cell, 50 + static_cast<std::int64_t>(cell % 7)});
  }
  std::int64_t people = 0;
  for (const auto& count : counts) people += count.count;
  for (const char* method : {"hb", "grid", "kdtree", "cells", "auto"}) {
    Noise noise(11);
    const auto made = make_histogram(grid, counts, 1, Epsilon::from(2), {.method = method}, noise);
    std::vector<int> covered(grid.cells());
    double all = 0;
    double left = 0;
    for (const auto& [box, count] : made.boxes) {
      all += count;
      for (std::uint64_t r = box.low[0]; r <= box.high[0]; ++r) {
        for (std::uint64_t c = box.low[1]; c <= box.high[1]; ++c) {
          ++covered[r * 23 + c];
          if (c < 9) left += count / static_cast<double>(box.cells());
        }
      }
    }
    for (const int times : covered) ASSERT_EQ(times, 1) << method;
    EXPECT_NEAR(all, static_cast<double>(people), 200) << method;
    EXPECT_NEAR(left, static_cast<double>(people), 0.05 * static_cast<double>(people)) << method;
    EXPECT_GT(made.deviation_of_box, 0);
  }
}

TEST(Histograms, OfTwoColumnsHoldOnNeighbours) {
  const std::vector<CellCount> base = {{0, 9}, {1, 9}};
  const std::vector<CellCount> larger = {{0, 9}, {1, 10}};
  for (const char* method : {"hb", "grid", "auto"}) {
    const auto sampler = [&](const std::vector<CellCount>& counts, std::uint64_t offset) {
      return Sampler([=](std::uint64_t run) {
        Noise noise(2 * run + offset);
        const auto made =
            make_histogram(plane(2, 3), counts, 1, Epsilon::from(1), {.method = method}, noise);
        std::string label;
        for (const auto& [box, count] : made.boxes) {
          if (box.low[0] > 0) continue;
          label += fmt::format("{}-{}:{:.0f} ", box.low[1], box.high[1],
                               std::clamp(count / 3, -6.0, 6.0));
        }
        return label;
      });
    };
    const auto verdict = test_privacy({{method, sampler(larger, 0), sampler(base, 1)}}, 1, 0, 3000);
    EXPECT_TRUE(verdict.holds) << method << " " << verdict.epsilon_bound;
  }
}

// The fused kd-tree never plateaus: as a share of the people its error falls with their number.
TEST(KdTree, ItsErrorFallsWithScale) {
  const CellGrid grid = plane(32, 32);
  double before = 1e9;
  for (const std::int64_t scale : {1, 30, 900}) {
    std::vector<CellCount> counts;
    double people = 0;
    for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
      const auto r = static_cast<std::int64_t>(cell / 32);
      const auto c = static_cast<std::int64_t>(cell % 32);
      const std::int64_t count =
          scale * std::max<std::int64_t>(0, 16 - std::abs(r - 10) - std::abs(c - 20));
      if (count > 0) counts.push_back({cell, count});
      people += static_cast<double>(count);
    }
    const auto exact = dense(grid, counts);
    double error = 0;
    constexpr int kDraws = 5;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      Noise noise(draw);
      const auto made =
          make_histogram(grid, counts, 1, Epsilon::from(0.1), {.method = "kdtree"}, noise);
      for (const auto& [box, count] : made.boxes) {
        for (std::uint64_t r = box.low[0]; r <= box.high[0]; ++r) {
          for (std::uint64_t c = box.low[1]; c <= box.high[1]; ++c) {
            error += std::abs(count / static_cast<double>(box.cells()) -
                              static_cast<double>(exact[r * 32 + c])) /
                     people / kDraws;
          }
        }
      }
    }
    EXPECT_LT(error, before / 2) << scale;
    before = error;
  }
}

TEST(Histograms, RefuseWhatDoesNotFit) {
  const CellGrid space(
      {Domain::range("a", 0, 9), Domain::range("b", 0, 9), Domain::range("c", 0, 9)});
  const auto refused = [](const CellGrid& grid, const char* method) {
    Noise noise(1);
    EXPECT_THROW((void)make_histogram(grid, {}, 1, Epsilon::from(1), {.method = method}, noise),
                 Error)
        << method;
  };
  for (const char* method : {"hb", "dawa", "grid", "z"}) refused(space, method);
  refused(plane(10, 10), "dawa");
  refused(line(10), "grid");
}

}  // namespace
}  // namespace pratique::dp::histogram_test
