#include "pratique/dp/histogram/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pratique/core/error.h"
#include "pratique/dp/histogram/adaptive_grid.h"
#include "pratique/dp/histogram/dawa.h"
#include "pratique/dp/histogram/hierarchy_tree.h"
#include "pratique/dp/histogram/kdtree.h"
#include "pratique/dp/histogram/plane_tree.h"
#include "pratique/dp/histogram/sparse_cells.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {
namespace {

constexpr std::uint64_t kDenseCells = std::uint64_t{1} << 22U;
constexpr std::uint64_t kMostTreeCells = std::uint64_t{1} << 24U;
constexpr double kScaleShare = 0.05;

CellBox single_cell(const CellGrid& grid, std::uint64_t cell) {
  const auto place = grid.place_of(cell);
  return {place, place};
}

Histogram by_cells(const CellGrid& grid, const std::vector<CellCount>& counts,
                   std::uint64_t max_rows, Epsilon epsilon, Noise& noise) {
  Histogram histogram{.method = "cells", .boxes = {}};
  const DiscreteLaplace laplace(epsilon.over(max_rows));
  histogram.deviation_of_box = std::sqrt(laplace.variance());
  if (grid.cells() > kDenseCells) {
    RandomBits of_occupied = noise.phase("occupied cells");
    RandomBits of_empty = noise.phase("empty cells");
    const auto listed =
        sparse_noisy_cells(grid.cells(), counts, epsilon.over(max_rows), of_occupied, of_empty);
    histogram.threshold = listed.threshold;
    for (const auto& [cell, count] : listed.cells) {
      histogram.boxes.push_back({single_cell(grid, cell), static_cast<double>(count)});
    }
    return histogram;
  }
  RandomBits random = noise.phase("cells");
  const auto exact = dense(grid, counts);
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
    histogram.boxes.push_back(
        {single_cell(grid, cell), static_cast<double>(exact[cell] + laplace.draw(random))});
  }
  return histogram;
}

Histogram by_tree(const CellGrid& grid, const std::vector<CellCount>& counts,
                  std::uint64_t max_rows, Epsilon epsilon, TreeEstimate estimate, Noise& noise) {
  RandomBits random = noise.phase("intervals");
  const LineEstimate line = noisy_tree(dense(grid, counts), max_rows, epsilon, estimate, random);
  Histogram histogram{.method = "hb",
                      .boxes = {},
                      .deviation_of_box = line.deviation_of_cell,
                      .deviation_at_most = line.deviation_of_interval,
                      .tree = CountedTree{best_branching(grid.cells()), line.variances}};
  for (std::uint64_t cell = 0; cell < grid.cells(); ++cell) {
    histogram.boxes.push_back({single_cell(grid, cell), line.cells[cell]});
  }
  return histogram;
}

Histogram by_plane_tree(const CellGrid& grid, const std::vector<CellCount>& counts,
                        std::uint64_t max_rows, Epsilon epsilon, TreeEstimate estimate,
                        Noise& noise) {
  const std::uint64_t rows = grid.sizes()[0];
  const std::uint64_t columns = grid.sizes()[1];
  const std::uint64_t branching = estimate == TreeEstimate::consistent
                                      ? best_plane_branching(rows, columns)
                                      : adaptive_plane_branching(rows, columns);
  const PlaneTree tree = plane_tree(rows, columns, branching);
  const auto exact = dense(grid, counts);
  std::vector<std::int64_t> leaves;
  for (const auto cell : tree.cells) leaves.push_back(exact[cell]);
  RandomBits random = noise.phase("boxes of a tree");
  const auto counted = noisy_tree(tree.shape, leaves, max_rows, epsilon, estimate, random);
  Histogram histogram{.method = "hb",
                      .boxes = {},
                      .deviation_of_box = std::sqrt(counted.variances.back()),
                      .tree = CountedTree{branching, counted.variances}};
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    histogram.boxes.push_back({single_cell(grid, tree.cells[i]), counted.leaves[i]});
  }
  return histogram;
}

Histogram counted_boxes(std::string method, const std::vector<CountedBox>& boxes) {
  Histogram histogram{.method = std::move(method), .boxes = {}};
  double variance = 0;
  for (const auto& box : boxes) {
    histogram.boxes.push_back({box.box, box.count});
    variance += box.variance / static_cast<double>(boxes.size());
  }
  histogram.deviation_of_box = std::sqrt(variance);
  return histogram;
}

Histogram by_adaptive_grid(const CellGrid& grid, const std::vector<CellCount>& counts,
                           std::uint64_t max_rows, Epsilon epsilon, Noise& noise) {
  RandomBits of_scale = noise.phase("scale of grids");
  RandomBits of_first = noise.phase("first grid");
  RandomBits of_second = noise.phase("second grid");
  return counted_boxes(
      "grid", noisy_adaptive_grid(grid, counts, max_rows, epsilon, of_scale, of_first, of_second));
}

Histogram by_dawa(const CellGrid& grid, const std::vector<CellCount>& counts,
                  std::uint64_t max_rows, Epsilon epsilon, Noise& noise) {
  RandomBits of_partition = noise.phase("partition");
  RandomBits of_counts = noise.phase("intervals");
  const auto line = noisy_dawa(dense(grid, counts), max_rows, epsilon, of_partition, of_counts);
  Histogram histogram{
      .method = "dawa", .boxes = {}, .deviation_of_box = line.deviation_of_interval};
  for (const auto& [first, length, count] : line.intervals) {
    histogram.boxes.push_back({{{first}, {first + length - 1}}, count});
  }
  return histogram;
}

Histogram by_kdtree(const CellGrid& grid, const std::vector<CellCount>& counts,
                    std::uint64_t max_rows, Epsilon epsilon, const HistogramSettings& settings,
                    Noise& noise, Progress& progress) {
  RandomBits of_cells = noise.phase("cells");
  RandomBits of_boxes = noise.phase("boxes");
  const auto boxes =
      noisy_kdtree(grid, counts, max_rows, epsilon,
                   {.split = settings.split, .xi0 = settings.xi0, .xi1 = settings.xi1}, of_cells,
                   of_boxes, progress);
  return counted_boxes("kdtree", boxes);
}

}  // namespace

std::size_t levels_of(const CellGrid& grid, const CountedTree& tree) {
  if (grid.dimensions() == 1) return line_shape(grid.cells()).levels();
  return plane_height(std::max(grid.sizes()[0], grid.sizes()[1]), tree.branching);
}

double variance_over(const CellGrid& grid, const CountedTree& tree,
                     const std::vector<char>& cells) {
  if (grid.dimensions() == 1) {
    return variance_over(line_shape(grid.cells()), tree.variances, cells);
  }
  const PlaneTree plane = plane_tree(grid.sizes()[0], grid.sizes()[1], tree.branching);
  std::vector<char> leaves;
  for (const auto cell : plane.cells) leaves.push_back(cells[cell]);
  return variance_over(plane.shape, tree.variances, std::move(leaves));
}

void require_fitting(const CellGrid& grid, const HistogramSettings& settings) {
  constexpr std::array<std::string_view, 6> kMethods = {"cells", "kdtree", "hb",
                                                        "dawa",  "grid",   "auto"};
  if (std::find(kMethods.begin(), kMethods.end(), settings.method) == kMethods.end()) {
    throw Error::input("there is no such method of histograms")
        .hint(fmt::format("There are {}.", fmt::join(kMethods, ", ")));
  }
  if (settings.method == "hb" && (grid.dimensions() > 2 || grid.cells() > kMostTreeCells)) {
    throw Error::input("--method hb is for one or two columns, with at most 2^24 cells")
        .hint("Use --method kdtree or cells for more columns.");
  }
  if (settings.method == "grid" && (grid.dimensions() != 2 || grid.cells() > kMostTreeCells)) {
    throw Error::input("--method grid is for two columns, with at most 2^24 cells")
        .hint("Use --method hb for one column, kdtree or cells for more than two.");
  }
  if (settings.method == "dawa" && (grid.dimensions() != 1 || grid.cells() > kMostDawaCells)) {
    throw Error::input("--method dawa is for one column, with at most 2^17 values")
        .hint("Use --method hb for more values, kdtree or cells for several columns.");
  }
  if (settings.method == "kdtree" && grid.cells() > kMostKdCells) {
    throw Error::input("the domains make too many cells for a kd-tree")
        .hint("Use --method cells, which lists only cells above a threshold, or narrower domains.");
  }
}

Histogram make_histogram(const CellGrid& grid, const std::vector<CellCount>& counts,
                         std::uint64_t max_rows, Epsilon epsilon, const HistogramSettings& settings,
                         Noise& noise, Progress& progress) {
  require_fitting(grid, settings);
  if (settings.method == "cells") return by_cells(grid, counts, max_rows, epsilon, noise);
  if (settings.method == "kdtree") {
    return by_kdtree(grid, counts, max_rows, epsilon, settings, noise, progress);
  }
  if (settings.method == "dawa") return by_dawa(grid, counts, max_rows, epsilon, noise);
  if (settings.method == "grid") return by_adaptive_grid(grid, counts, max_rows, epsilon, noise);
  if (settings.method == "hb" && grid.dimensions() == 2) {
    return by_plane_tree(grid, counts, max_rows, epsilon, TreeEstimate::consistent, noise);
  }
  if (settings.method == "hb") {
    return by_tree(grid, counts, max_rows, epsilon, TreeEstimate::consistent, noise);
  }
  if (grid.dimensions() == 1 && grid.cells() <= kMostTreeCells) {
    return by_tree(grid, counts, max_rows, epsilon, TreeEstimate::adaptive, noise);
  }
  if (grid.dimensions() == 2 && grid.cells() <= kMostTreeCells) {
    return by_plane_tree(grid, counts, max_rows, epsilon, TreeEstimate::adaptive, noise);
  }
  if (grid.cells() > kDenseCells) return by_cells(grid, counts, max_rows, epsilon, noise);
  const auto [scale, rest] = epsilon.split(kScaleShare);
  RandomBits random = noise.phase("scale");
  std::int64_t people = 0;
  for (const auto& count : counts) people += count.count;
  const double noisy =
      static_cast<double>(people + DiscreteLaplace(scale.over(max_rows)).draw(random));
  const double noise_of_cell = std::sqrt(DiscreteLaplace(rest.over(max_rows)).variance());
  if (noisy / static_cast<double>(grid.cells()) > 4 * noise_of_cell) {
    return by_cells(grid, counts, max_rows, rest, noise);
  }
  return by_kdtree(grid, counts, max_rows, rest, settings, noise, progress);
}

}  // namespace pratique::dp
