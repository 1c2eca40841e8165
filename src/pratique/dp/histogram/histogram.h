// Private histograms of a declared domain.
//
// All methods take exact cell counts, of which a person's rows change at most `max_rows` in all,
// and give boxes with counts. Which boxes there are is part of what leaves, and so private, too.
//
// - cells: discrete Laplace noise of rate epsilon / max_rows on every cell (parallel composition
// over
//   cells: all counts together differ by at most max_rows). Where the domain has more than 2^22
//   cells, only cells whose noisy count reaches a threshold are listed; all others read as 0. Empty
//   cells are not visited: how many of them pass, and how far, is drawn at once (Cormode et al.
//   2012). An empty cell passes with probability p = P(X >= T), so the gap to the next that passes
//   is geometric with ratio 1 - p, and what it shows is T plus a geometric number. What leaves has
//   exactly the distribution of noise on every cell, cut off afterwards: same guarantee, and it
//   costs only the cells that are listed. T follows from the number of cells and epsilon alone.
// - kdtree: the two phases of DPCube (Xiao, Xiong and Yuan 2010), see kdtree.h.
// - hb: a tree of intervals over one dimension, of boxes over two; see hierarchy_tree.h and
//   plane_tree.h.
// - dawa: intervals that are about uniform, found privately, and counted; one dimension; see
// dawa.h.
// - grid: two grids, the second one finer where people are; two dimensions; see adaptive_grid.h.
// - automatic: of one and two dimensions, a tree like hb's with the adaptive estimate; of more, by
//   what a twentieth of epsilon tells of the number of people: cells where a cell is likely to hold
//   more of them than noise, and else kdtree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/histogram/cells.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

struct HistogramBox {
  CellBox box;
  double count = 0;
};

struct HistogramSettings {
  std::string method = "auto";
  double split = 0.5;              // of kdtree: the first phase's share
  std::optional<double> xi0 = {};  // none: from epsilon
  std::optional<double> xi1 = {};
};

// Of hb and auto: the tree that was counted, for whoever asks how far off a sum of cells is.
struct CountedTree {
  std::uint64_t branching = 2;
  std::vector<double> variances;  // of the noise of every level, from the top
};

struct Histogram {
  std::string method;  // that was used
  std::vector<HistogramBox> boxes;
  double deviation_of_box = 0;   // of the noise of one line, typically
  double deviation_at_most = 0;  // of any sum over lines, where it is bounded; 0: it grows
  std::optional<std::int64_t> threshold = {};  // of sparse cells
  std::optional<CountedTree> tree = {};        // over all cells, one per line
};

// Of one or two dimensions.
[[nodiscard]] std::size_t levels_of(const CellGrid& grid, const CountedTree& tree);
// Of the sum over these cells, by their numbers.
[[nodiscard]] double variance_over(const CellGrid& grid, const CountedTree& tree,
                                   const std::vector<char>& cells);

// Throws Error::input where the method does not fit the domain; before anything is charged.
void require_fitting(const CellGrid& grid, const HistogramSettings& settings);

[[nodiscard]] Histogram make_histogram(const CellGrid& grid, const std::vector<CellCount>& counts,
                                       std::uint64_t max_rows, Epsilon epsilon,
                                       const HistogramSettings& settings, Noise& noise,
                                       Progress& progress = Progress::silent());

}  // namespace pratique::dp
