// The best full-domain generalisation with record suppression, exact over the whole lattice.
//
// At a node of the lattice the records of classes that break a model are suppressed. A node is
// feasible when no more than the share S of the records is (and not all of them), and nobody of the
// population is in no class where a model asks for that. The result is the
// feasible node of least cost; of equal costs the one that suppresses fewer records; of those the
// first in lexicographic order of levels.
//
// Search goes down from the top, every node after those above it, and looks at a node's classes
// only if it could still win. What rules a node out, without counting it:
// - Models that bound the parts of a class that breaks them (Model::most_kept): the classes of
// lower
//   nodes are such parts, so what a class surely loses there bounds what these nodes suppress from
//   below, and with it their cost. Where a model survives growth it is the whole class.
// - Models that are all monotone: a node that suppresses nothing has above it only nodes that
//   suppress nothing. So below a node that suppresses something every node does, which decides S =
//   0. With S > 0 that says nothing: a class that satisfies the model may be joined, higher up, to
//   one that does not.
// - Models that need everybody of the population in a class (delta-presence from below), where all
//   models are monotone: a node that leaves people out has below it only nodes that do.
// - The metric's bound: the loss of the levels themselves, were as few suppressed as possible.
// Other models are exact, too; only the metric's bound prunes there. A first greedy descent from
// the top finds a cost to prune with. Nodes of a rank are counted on all cores; what is counted
// does not depend on the number of threads.
//
// With a time limit, or where the lattice is too large, the search may end early: the result is
// then the best node found, not proven to be the best, and lower_bound is what no node can beat
// (internal/column_bound.h). A lattice that is too large is searched from both ends. From where
// going down ends, one attribute goes up and others down again, as long as that is better. From the
// bottom, levels rise where they keep most records for what they cost. Then, until the time is over
// or it was in vain for long, nodes that descending cannot better are bred: children take levels
// after either parent, some rise at random, and go down again. The same options give the same node,
// unless time ended it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "pratique/core/progress.h"
#include "pratique/tables/method/lattice.h"
#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

enum class LevelMetric {
  lm,          // mean loss of a cell (metrics.h), 1 in a suppressed record
  ncp,         // mean penalty of a cell (metrics.h), 1 in a suppressed record
  dm,          // discernibility (metrics.h)
  c_avg,       // records that stay / classes: k times C_AVG (LeFevre et al. 2006)
  suppressed,  // records that do not stay
};

struct OptimalOptions {
  double suppression = 0;  // the share of records that may be left out
  LevelMetric metric = LevelMetric::lm;
  std::optional<double> time_limit = {};  // seconds
  // Beyond these the search is a best effort.
  std::size_t most_attributes = 15;
  std::uint64_t largest_lattice = std::uint64_t{1} << 22U;
  std::uint64_t best_effort_nodes = 4000;  // how many of them it looks at
  // Nodes of the lattices that the bound is searched in.
  std::uint64_t largest_part = 4096;
  // For classes kept to roll up from; 0: four times what those of the bottom take, and 6 MB.
  std::size_t memory_bytes = 0;
  // What a cell of a suppressed record costs by LM and NCP: less than 1 where suppressed records
  // get another chance (local.h).
  double suppressed_cell = 1;
  const char* step = "searching";  // what it is called while it runs
  // Nodes may be counted by hashing (internal/hashed_classes.h), which may take two classes for one
  // and a node for cheaper than it is: its cost is no more than that of the best node.
  bool for_bound = false;
  // Only nodes that cost less are looked for.
  double below_cost = std::numeric_limits<double>::infinity();
};

struct OptimalNode {
  Levels levels;
  std::uint64_t suppressed = 0;
  std::uint64_t classes = 0;
  double cost = 0;
  double lower_bound = 0;  // the cost itself when exact
  bool exact = true;
  std::string best_effort;  // why it is not exact; empty when it is
  Lattice::Index nodes_total = 0;
  std::uint64_t nodes_checked = 0;  // whose classes were counted
};

struct OptimalResult {
  OptimalNode node;
  Recoding recoding;
};

// Throws Error (a check that failed) when no node is feasible: it says which model fails at the top
// of the lattice, where all records are one class, and by how much.
[[nodiscard]] OptimalResult optimal(const ProtectionInput& input, const Models& models,
                                    const OptimalOptions& options = {},
                                    Progress& progress = Progress::silent());

// The node alone; nothing where no node is feasible.
[[nodiscard]] std::optional<OptimalNode> optimal_node(const ProtectionInput& input,
                                                      const Models& models,
                                                      const OptimalOptions& options = {},
                                                      Progress& progress = Progress::silent());

}  // namespace pratique::tables
