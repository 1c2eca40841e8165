#include "pratique/tables/method/internal/node_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pratique/core/parallel.h"
#include "pratique/tables/method/internal/hashed_classes.h"

namespace pratique::tables::internal {

bool before(const CountedNode& a, const CountedNode& b) {
  if (a.feasible != b.feasible) return a.feasible;
  if (a.feasible && a.cost != b.cost) return a.cost < b.cost;
  if (a.suppressed != b.suppressed) return a.suppressed < b.suppressed;
  return a.levels < b.levels;
}

NodeSearch::NodeSearch(const ProtectionInput& input, const Models& models,
                       const OptimalOptions& options, double bound, bool hashed, Progress& progress)
    : options_(options),
      bound_(bound),
      progress_(progress),
      time_(options.time_limit, progress),
      lattice_(Lattice::of(input.attributes)),
      records_(records_of(input)) {
  codes_.reserve(input.attributes.size());
  for (const auto& attribute : input.attributes) codes_.emplace_back(attribute);
  classes_ = hashed ? hashed_classes(input, codes_, models)
                    : NodeClasses::make(input, codes_, models, options.memory_bytes);
  metric_ = NodeMetric::make(options.metric, input, codes_, options.suppressed_cell,
                             static_cast<std::uint64_t>(std::floor(
                                 options.suppression * static_cast<double>(records_) + 1e-9)));
  if (input.population != nullptr) {
    all_in_population_ = true;
    for (std::size_t group = 0; group < input.groups(); ++group) {
      if ((*input.counts)[group] > 0 && (*input.population)[group] == 0) all_in_population_ = false;
    }
  }
  all_monotone_ = all_monotone(models);
}

bool NodeSearch::hopeless(double bound) const {
  if (bound >= options_.below_cost * (1 - 1e-12)) return true;
  return best_ && bound > best_->cost + 1e-12 * std::max(1.0, best_->cost);
}

std::vector<std::optional<CountedNode>> NodeSearch::count(const std::vector<Levels>& nodes) {
  std::vector<std::optional<CountedNode>> counted(nodes.size());
  const bool must = checked_ == 0;
  parallel_blocks(nodes.size(), 1, [&](std::size_t i, std::size_t) {
    if (!must && time_.is_over()) return;
    progress_.advance(1);
    const NodeOutcome outcome = classes_->count(nodes[i], [&](std::uint64_t suppressed) {
      if (skip_infeasible_ && over_limit(suppressed)) return true;
      return may_give_up_ &&
             (over_limit(suppressed) || hopeless(metric_->lower_bound(nodes[i], suppressed)));
    });
    CountedNode node;
    node.levels = nodes[i];
    if (outcome.complete) node.cost = metric_->cost(nodes[i], outcome);
    node.suppressed = outcome.suppressed;
    node.classes = outcome.classes;
    node.floor = outcome.surely_suppressed;
    if (all_monotone_ && outcome.suppressed > 0) {
      node.floor = std::max<std::uint64_t>(1, node.floor);
    }
    // Somebody is left out at every lower node, too: were the parts of a class here that have
    // people all to satisfy the models, the class would. (Records without people could spoil it.)
    if (all_monotone_ && outcome.absent && all_in_population_) node.floor = records_ + 1;
    node.feasible =
        outcome.complete && !over_limit(node.suppressed) && (outcome.classes > 0 || records_ == 0);
    counted[i] = std::move(node);
  });
  for (const auto& node : counted) {
    if (!node) continue;
    ++checked_;
    if (!node->feasible || (best_ && !before(*node, *best_))) continue;
    best_ = *node;
    progress_.tell(bound_ > 0 ? fmt::format("best {:.4g}, none below {:.4g}", best_->cost, bound_)
                              : fmt::format("best {:.4g}", best_->cost));
  }
  return counted;
}

const CountedNode* NodeSearch::known(const Levels& levels) const {
  const auto place = known_.find(levels);
  return place == known_.end() ? nullptr : &place->second;
}

std::vector<Levels> NodeSearch::below(const Levels& levels) {
  std::vector<Levels> lower;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    if (levels[a] == 0) continue;
    lower.push_back(levels);
    --lower.back()[a];
  }
  return lower;
}

void NodeSearch::descend() {
  auto at = count({lattice_.top()}).front();
  remember(*at);
  while (!over_limit(at->floor)) {
    std::optional<CountedNode> next;
    for (auto& node : count(below(at->levels))) {
      if (!node) continue;
      remember(*node);
      if (!next || before(*node, *next)) next = std::move(node);
    }
    if (!next || !before(*next, *at)) return;
    at = std::move(next);
  }
}

std::optional<OptimalNode> NodeSearch::result(std::string best_effort) const {
  if (!best_ || best_->cost >= options_.below_cost) return std::nullopt;
  OptimalNode node;
  node.nodes_total = lattice_.size();
  node.best_effort = is_best_possible() ? "" : std::move(best_effort);
  node.exact = node.best_effort.empty();
  node.levels = best_->levels;
  node.suppressed = best_->suppressed;
  node.classes = best_->classes;
  node.cost = best_->cost;
  node.lower_bound =
      node.exact || !unproven_ ? best_->cost : std::min(best_->cost, std::max(bound_, *unproven_));
  node.nodes_checked = checked_;
  return node;
}

}  // namespace pratique::tables::internal
