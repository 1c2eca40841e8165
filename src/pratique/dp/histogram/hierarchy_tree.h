// Counts of a line of cells by a tree of intervals: HB (Qardaji, Yang and Li 2013) with the
// consistency of Hay et al. (2010).
//
// The cells are the leaves of a tree in which every node has `branching` children; the counts of
// every level but the root are told with a share of epsilon. A person's rows are in one node per
// level each, so a level's counts differ by at most the rows per person, and the levels together
// are epsilon-differentially private by sequential composition.
//
// What follows is computed from the noisy counts alone and costs nothing:
// - consistent: the least-squares estimate in which every node is the sum of its children. Up: a
//   node's count and the sum of its children, each weighted by the inverse of its variance. Down:
//   what is missing is spread over the children by their variances.
// - adaptive: down the tree, small counts among the children of a node are set to 0 where all of
//   them together look like noise around nothing; the others are moved to the nearest counts that
//   are at least 0 and add up to the node. Where there are few people in few places, most of the
//   noise goes; where there are many everywhere, next to nothing changes. Its shares of epsilon
//   fall from the first level to the last, by the factor kLastToFirst in all (the tree of the paper
//   has equal ones): an interval is a sum of nodes, and it is the large nodes of which zeros and
//   differences must be told apart first. The factor follows from nothing in the data.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/noise.h"

namespace pratique::dp {

// The branching that makes the mean error of an interval's count least, by the formula of the
// paper.
[[nodiscard]] std::uint64_t best_branching(std::uint64_t cells);

struct LineEstimate {
  std::vector<double> cells;
  std::vector<double> variances = {};  // of the noise of every level, from the top
  double deviation_of_cell = 0;
  double deviation_of_interval = 0;  // at most, of any interval
};

enum class TreeEstimate { consistent, adaptive };

// The share of a level of so many; they add up to 1.
inline constexpr double kLastToFirst = 0.54;
[[nodiscard]] std::vector<double> level_shares(unsigned levels, TreeEstimate estimate);

// A tree over any cells: the leaves are these, in an order in which the children of every node
// stand together.
struct TreeShape {
  // Of every level but the leaves, from the top: where the children of each node begin on the next
  // level, and at the end how many there are.
  std::vector<std::vector<std::size_t>> first_child;

  [[nodiscard]] std::size_t levels() const { return first_child.size() + 1; }
};
// The tree of the paper, over a line.
[[nodiscard]] TreeShape line_shape(std::uint64_t cells);

struct TreeCounts {
  std::vector<double> leaves;
  std::vector<double> variances;  // of the noise of every level, from the top
};
[[nodiscard]] TreeCounts noisy_tree(const TreeShape& shape, const std::vector<std::int64_t>& leaves,
                                    std::uint64_t max_rows, Epsilon epsilon, TreeEstimate estimate,
                                    RandomBits& random);

// Of the sum over these leaves, by the fewest nodes that make it up: what the consistent estimate
// has at most.
[[nodiscard]] double variance_over(const TreeShape& shape, const std::vector<double>& variances,
                                   std::vector<char> leaves);

[[nodiscard]] LineEstimate noisy_tree(const std::vector<std::int64_t>& counts,
                                      std::uint64_t max_rows, Epsilon epsilon,
                                      TreeEstimate estimate, RandomBits& random);

}  // namespace pratique::dp
