#include "pratique/tables/method/optimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>

#include "pratique/core/parallel.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/column_bound.h"
#include "pratique/tables/method/internal/node_classes.h"
#include "pratique/tables/method/internal/node_metric.h"
#include "pratique/tables/method/internal/unsatisfied.h"

namespace pratique::tables {
namespace {

using internal::LevelCodes;
using internal::NodeClasses;
using internal::NodeMetric;
using internal::NodeOutcome;
using Index = Lattice::Index;

// Fixed, so that which nodes are counted does not depend on the number of threads.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kNodesOfInnerLoop = 512;

struct Counted {
  Levels levels;
  double cost = 0;
  std::uint64_t suppressed = 0;
  std::uint64_t classes = 0;
  std::uint64_t floor = 0;  // records that every lower node suppresses, at least
  bool feasible = false;
};

// Feasible nodes come first, then the order that optimal.h promises; among others those nearest to
// being feasible.
bool before(const Counted& a, const Counted& b) {
  if (a.feasible != b.feasible) return a.feasible;
  if (a.feasible && a.cost != b.cost) return a.cost < b.cost;
  if (a.suppressed != b.suppressed) return a.suppressed < b.suppressed;
  return a.levels < b.levels;
}

class Search {
 public:
  Search(const ProtectionInput& input, const Models& models, const OptimalOptions& options,
         Progress& progress)
      : options_(options),
        progress_(progress),
        began_(std::chrono::steady_clock::now()),
        lattice_(Lattice::of(input.attributes)),
        records_(std::accumulate(input.counts->begin(), input.counts->end(), std::uint64_t{0})) {
    codes_.reserve(input.attributes.size());
    for (const auto& attribute : input.attributes) codes_.emplace_back(attribute);
    classes_ = NodeClasses::make(input, codes_, models, options.memory_bytes);
    metric_ = NodeMetric::make(options.metric, input, codes_, options.suppressed_cell,
                               static_cast<std::uint64_t>(std::floor(
                                   options.suppression * static_cast<double>(records_) + 1e-9)));
    if (input.population != nullptr) {
      all_in_population_ = true;
      for (std::size_t group = 0; group < input.groups(); ++group) {
        if ((*input.counts)[group] > 0 && (*input.population)[group] == 0)
          all_in_population_ = false;
      }
    }
    all_monotone_ = all_monotone(models);
  }

  std::optional<OptimalNode> run() {
    OptimalNode result;
    result.nodes_total = lattice_.size();
    const std::size_t attributes = lattice_.heights().size();
    if (attributes > options_.most_attributes) {
      result.best_effort = fmt::format(
          "{} quasi-identifiers are more than the {} that are "
          "searched exhaustively",
          attributes, options_.most_attributes);
    } else if (lattice_.size() > options_.largest_lattice) {
      result.best_effort = fmt::format(
          "the lattice has more than the {} nodes that are searched "
          "exhaustively",
          options_.largest_lattice);
    }
    const bool exhaustive = result.best_effort.empty();
    progress_.begin("searching", exhaustive ? lattice_.size() : options_.best_effort_nodes);
    descend();
    if (exhaustive) {
      may_give_up_ = true;
      sweep();
    } else {
      explore();
    }
    if (unproven_ && exhaustive) result.best_effort = "the time limit was reached";
    result.exact = result.best_effort.empty();
    if (!best_ || best_->cost >= options_.below_cost) return std::nullopt;
    result.levels = best_->levels;
    result.suppressed = best_->suppressed;
    result.classes = best_->classes;
    result.cost = best_->cost;
    result.lower_bound = result.exact ? best_->cost : std::min(best_->cost, *unproven_);
    result.nodes_checked = checked_;
    return result;
  }

 private:
  [[nodiscard]] bool out_of_time() const {
    if (!options_.time_limit) return false;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
    return took.count() > *options_.time_limit;
  }
  [[nodiscard]] bool over_limit(std::uint64_t suppressed) const {
    return static_cast<double>(suppressed) > options_.suppression * static_cast<double>(records_);
  }
  // Equal costs are looked at, for the sake of the order among them; bounds are rounded.
  [[nodiscard]] bool hopeless(double bound) const {
    if (bound >= options_.below_cost * (1 - 1e-12)) return true;
    return best_ && bound > best_->cost + 1e-12 * std::max(1.0, best_->cost);
  }
  void leave_unproven(double bound) { unproven_ = unproven_ ? std::min(*unproven_, bound) : bound; }

  // Counts the classes of all; the last ones are not there where time ran out. The first call
  // always counts, so that there is something to return.
  std::vector<std::optional<Counted>> count(const std::vector<Levels>& nodes) {
    std::vector<std::optional<Counted>> counted(nodes.size());
    const bool must = checked_ == 0;
    parallel_blocks(nodes.size(), 1, [&](std::size_t i, std::size_t) {
      if (!must && out_of_time()) return;
      progress_.advance(1);
      const NodeOutcome outcome = classes_->count(nodes[i], [&](std::uint64_t suppressed) {
        return may_give_up_ &&
               (over_limit(suppressed) || hopeless(metric_->lower_bound(nodes[i], suppressed)));
      });
      Counted node;
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
      node.feasible = outcome.complete && !over_limit(node.suppressed) &&
                      (outcome.classes > 0 || records_ == 0);
      counted[i] = std::move(node);
    });
    for (const auto& node : counted) {
      if (!node) continue;
      ++checked_;
      if (node->feasible && (!best_ || before(*node, *best_))) best_ = *node;
    }
    return counted;
  }

  [[nodiscard]] static std::vector<Levels> below(const Levels& levels) {
    std::vector<Levels> lower;
    for (std::size_t a = 0; a < levels.size(); ++a) {
      if (levels[a] == 0) continue;
      lower.push_back(levels);
      --lower.back()[a];
    }
    return lower;
  }

  // From the top to the best node below, while that is better.
  void descend() {
    auto at = count({lattice_.top()}).front();
    known_.emplace(at->levels, *at);
    while (!over_limit(at->floor)) {
      std::optional<Counted> next;
      for (auto& node : count(below(at->levels))) {
        if (!node) continue;
        known_.emplace(node->levels, *node);
        if (!next || before(*node, *next)) next = std::move(node);
      }
      if (!next || !before(*next, *at)) return;
      at = std::move(next);
    }
  }

  // Every node after all nodes above it. The attributes that pivots take first (node_classes.h) are
  // the outer loop, so that pivots are made once; the others are gone through rank by rank, so that
  // a whole rank can be counted at once.
  void sweep() {
    const auto& order = classes_->order();
    std::vector<int> heights;
    heights.reserve(order.size());
    for (const std::size_t a : order) heights.push_back(lattice_.heights()[a]);
    std::size_t outer = heights.size();
    for (std::size_t nodes = 1; outer > 0; --outer) {
      nodes *= static_cast<std::size_t>(heights[outer - 1]);
      if (nodes > kNodesOfInnerLoop) break;
    }
    const auto split = heights.begin() + static_cast<std::ptrdiff_t>(outer);
    const Lattice blocks(std::vector<int>(heights.begin(), split));
    const Lattice block(std::vector<int>(split, heights.end()));
    floors_.assign(lattice_.size(), 0);
    Levels levels(order.size());
    for (Index b = blocks.size(); b-- > 0;) {
      const Levels first = blocks.levels(b);
      for (std::size_t a = 0; a < outer; ++a) levels[order[a]] = first[a];
      for (int rank = block.highest_rank(); rank >= 0; --rank) {
        pending_.clear();
        block.visit_rank(rank, [&](Index, const Levels& rest) {
          for (std::size_t a = outer; a < order.size(); ++a) levels[order[a]] = rest[a - outer];
          visit(levels);
        });
        count_pending();
      }
    }
  }

  void raise_floor(Index index, std::uint64_t floor) {
    const auto most = std::uint64_t{std::numeric_limits<std::uint32_t>::max()};
    floors_[index] = std::max(floors_[index], static_cast<std::uint32_t>(std::min(floor, most)));
  }

  void visit(const Levels& levels) {
    const Index index = lattice_.index(levels);
    for (std::size_t a = 0; a < levels.size(); ++a) {
      if (levels[a] + 1 == lattice_.heights()[a]) continue;
      raise_floor(index, floors_[index + lattice_.stride(a)]);
    }
    if (over_limit(floors_[index])) return;
    const auto known = known_.find(levels);
    if (known != known_.end()) {
      raise_floor(index, known->second.floor);
      return;
    }
    const double bound = metric_->lower_bound(levels, floors_[index]);
    if (!hopeless(bound)) pending_.push_back({index, bound});
  }

  void count_pending() {
    std::vector<Levels> batch;
    std::vector<Pending> taken;
    for (std::size_t next = 0; next < pending_.size();) {
      batch.clear();
      taken.clear();
      for (; next < pending_.size() && batch.size() < kBatch; ++next) {
        if (hopeless(pending_[next].bound)) continue;
        taken.push_back(pending_[next]);
        batch.push_back(lattice_.levels(pending_[next].index));
      }
      const auto counted = count(batch);
      for (std::size_t i = 0; i < taken.size(); ++i) {
        if (counted[i]) {
          raise_floor(taken[i].index, counted[i]->floor);
        } else {
          leave_unproven(taken[i].bound);
        }
      }
    }
  }

  [[nodiscard]] bool exhausted() const {
    return checked_ >= options_.best_effort_nodes || out_of_time();
  }

  // Counts those that were not counted yet and could still win; gives the best of all that were.
  std::optional<Counted> best_among(std::vector<Levels> nodes) {
    std::optional<Counted> best;
    const auto offer = [&](const Counted& node) {
      if (!best || before(node, *best)) best = node;
    };
    std::vector<Levels> unknown;
    for (auto& levels : nodes) {
      const auto known = known_.find(levels);
      if (known != known_.end()) {
        offer(known->second);
      } else if (!hopeless(metric_->lower_bound(levels, 0))) {
        unknown.push_back(std::move(levels));
      }
    }
    for (const auto& node : count(unknown)) {
      if (!node) continue;
      known_.emplace(node->levels, *node);
      offer(*node);
    }
    return best;
  }

  // One attribute up, by one level or by more, and another down: where going down alone has come to
  // its end, the levels of one may pay for those of another. From what is better, all the way down.
  void exchange() {
    for (bool better = best_.has_value(); better && !exhausted();) {
      better = false;
      for (std::size_t up = 0; up < lattice_.heights().size() && !better && !exhausted(); ++up) {
        const Counted from = *best_;
        Levels raised = from.levels;
        while (raised[up] + 1 < lattice_.heights()[up] && !better && !exhausted()) {
          ++raised[up];
          std::vector<Levels> nodes;
          for (auto& levels : below(raised)) {
            if (levels[up] == raised[up]) nodes.push_back(std::move(levels));
          }
          auto next = best_among(nodes);
          // On from the cheapest of them, whether it is better yet or not.
          while (next && next->feasible && !exhausted()) {
            auto lower = best_among(below(next->levels));
            if (!lower || !before(*lower, *next)) break;
            next = std::move(lower);
          }
          better = before(*best_, from);
        }
      }
    }
  }

  // Then best first from all that was seen.
  void explore() {
    leave_unproven(metric_->lower_bound(lattice_.bottom(), 0));
    exchange();
    const auto later = [](const Counted& a, const Counted& b) { return before(b, a); };
    std::priority_queue<Counted, std::vector<Counted>, decltype(later)> queue(later);
    for (const auto& [levels, node] : known_) queue.push(node);
    std::set<Levels> seen;
    for (const auto& [levels, node] : known_) seen.insert(levels);
    while (!queue.empty() && !exhausted()) {
      const Counted node = queue.top();
      queue.pop();
      if (over_limit(node.floor)) continue;
      std::vector<Levels> lower;
      for (auto& levels : below(node.levels)) {
        if (seen.insert(levels).second) lower.push_back(std::move(levels));
      }
      for (auto& counted : count(lower)) {
        if (counted) queue.push(std::move(*counted));
      }
    }
  }

  const OptimalOptions& options_;
  Progress& progress_;
  std::chrono::steady_clock::time_point began_;
  Lattice lattice_;
  std::uint64_t records_;
  std::vector<LevelCodes> codes_;
  std::unique_ptr<NodeClasses> classes_;
  std::unique_ptr<NodeMetric> metric_;
  bool all_monotone_ = false;
  bool all_in_population_ = false;  // every record has people of the population behind it

  struct Pending {
    Index index;
    double bound;
  };
  std::map<Levels, Counted> known_;
  std::vector<std::uint32_t> floors_;  // by node: how many records it suppresses at least
  std::vector<Pending> pending_;
  bool may_give_up_ = false;
  std::optional<Counted> best_;
  std::optional<double> unproven_;  // the least bound of a node that was not ruled out
  std::uint64_t checked_ = 0;
};

}  // namespace

std::optional<OptimalNode> optimal_node(const ProtectionInput& input, const Models& models,
                                        const OptimalOptions& options, Progress& progress) {
  auto node = Search(input, models, options, progress).run();
  if (node && !node->exact) {
    const double bound = internal::bound_by_columns(input, models, options, progress);
    node->lower_bound = std::min(node->cost, std::max(node->lower_bound, bound));
  }
  return node;
}

OptimalResult optimal(const ProtectionInput& input, const Models& models,
                      const OptimalOptions& options, Progress& progress) {
  auto node = optimal_node(input, models, options, progress);
  if (!node) internal::throw_unsatisfied(input, models);
  Recoding recoding = apply_levels(input, node->levels, models);
  return {std::move(*node), std::move(recoding)};
}

}  // namespace pratique::tables
