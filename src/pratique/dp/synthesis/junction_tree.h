// A junction tree: cliques of columns such that every measured marginal lies in one, and the
// cliques that share a column are connected through cliques that have it, too (Lauritzen and
// Spiegelhalter 1988). Columns are eliminated one by one, always one that joins the fewest columns
// that were not joined before (min-fill).
//
// Joining two parts of the graph by one edge adds that edge as a clique and enlarges none: a tree
// of pairs on top of given marginals needs no more than these marginals and its pairs.
#pragma once

#include <vector>

#include "pratique/dp/synthesis/marginal.h"

namespace pratique::dp {

struct JunctionTree {
  struct Link {
    std::size_t parent;
    std::size_t child;
    ColumnSet separator;  // what both have; empty between parts that know nothing of each other
  };
  std::vector<ColumnSet> cliques;
  std::vector<Link> links;  // from clique 0 outwards: a parent before its children

  // The first clique that has all of these columns. Throws std::logic_error where none has.
  [[nodiscard]] std::size_t clique_with(const ColumnSet& columns) const;
};

// Every column is in a clique, also those that no marginal names.
[[nodiscard]] JunctionTree junction_tree(std::size_t columns,
                                         const std::vector<ColumnSet>& marginals);

}  // namespace pratique::dp
