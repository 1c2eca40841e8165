// What every search of a lattice has in common: nodes are counted on all cores, and the best of
// them is kept.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pratique/tables/method/internal/node_classes.h"
#include "pratique/tables/method/internal/node_metric.h"
#include "pratique/tables/method/internal/search_time.h"
#include "pratique/tables/method/optimal.h"

namespace pratique::tables::internal {

struct CountedNode {
  Levels levels;
  double cost = 0;
  std::uint64_t suppressed = 0;
  std::uint64_t classes = 0;
  std::uint64_t floor = 0;  // records that every lower node suppresses, at least
  bool feasible = false;
};

// Feasible nodes come first, then the order that optimal.h promises; among others those nearest to
// being feasible.
[[nodiscard]] bool before(const CountedNode& a, const CountedNode& b);

class NodeSearch {
 public:
  // No node costs less than `bound`. `hashed`: nodes are counted by hashed_classes.h.
  NodeSearch(const ProtectionInput& input, const Models& models, const OptimalOptions& options,
             double bound, bool hashed, Progress& progress);

  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] const NodeClasses& classes() const { return *classes_; }
  [[nodiscard]] const NodeMetric& metric() const { return *metric_; }
  [[nodiscard]] const SearchTime& time() const { return time_; }
  [[nodiscard]] const OptimalOptions& options() const { return options_; }
  [[nodiscard]] const std::optional<CountedNode>& best() const { return best_; }
  [[nodiscard]] std::uint64_t checked() const { return checked_; }

  [[nodiscard]] bool is_best_possible() const { return best_ && best_->cost <= bound_; }
  [[nodiscard]] bool over_limit(std::uint64_t suppressed) const {
    return static_cast<double>(suppressed) > options_.suppression * static_cast<double>(records_);
  }
  // Equal costs are looked at, for the sake of the order among them; bounds are rounded.
  [[nodiscard]] bool hopeless(double bound) const;

  // Counts the classes of all; the last ones are not there where time ran out. The first call
  // always counts, so that there is something to return.
  std::vector<std::optional<CountedNode>> count(const std::vector<Levels>& nodes);
  // Of nodes that were remembered.
  [[nodiscard]] const CountedNode* known(const Levels& levels) const;
  void remember(const CountedNode& node) { known_.emplace(node.levels, node); }

  // From the top to the best node below, while that is better.
  void descend();
  [[nodiscard]] static std::vector<Levels> below(const Levels& levels);

  void give_up_on_what_cannot_win(bool give_up) { may_give_up_ = give_up; }
  // How far from feasible a node is does not matter.
  void skip_infeasible(bool skip) { skip_infeasible_ = skip; }

  // A node that was not looked at costs no less than this.
  void leave_unproven(double bound) { unproven_ = unproven_ ? std::min(*unproven_, bound) : bound; }
  [[nodiscard]] bool all_proven() const { return !unproven_; }
  // The best, where `best_effort` says why others may be better; nothing where there is none.
  [[nodiscard]] std::optional<OptimalNode> result(std::string best_effort) const;

 private:
  const OptimalOptions& options_;
  double bound_;
  Progress& progress_;
  SearchTime time_;
  Lattice lattice_;
  std::uint64_t records_;
  std::vector<LevelCodes> codes_;
  std::unique_ptr<NodeClasses> classes_;
  std::unique_ptr<NodeMetric> metric_;
  bool all_monotone_ = false;
  bool all_in_population_ = false;  // every record has people of the population behind it

  std::map<Levels, CountedNode> known_;
  bool may_give_up_ = false;
  bool skip_infeasible_ = false;
  std::optional<CountedNode> best_;
  std::optional<double> unproven_;
  std::uint64_t checked_ = 0;
};

}  // namespace pratique::tables::internal
