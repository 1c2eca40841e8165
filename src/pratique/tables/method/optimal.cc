#include "pratique/tables/method/optimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/column_bound.h"
#include "pratique/tables/method/internal/hashed_classes.h"
#include "pratique/tables/method/internal/node_classes.h"
#include "pratique/tables/method/internal/node_metric.h"
#include "pratique/tables/method/internal/search_time.h"
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

// Why not all of it is searched; empty where it is.
std::string too_large(const Lattice& lattice, const OptimalOptions& options) {
  const std::size_t attributes = lattice.heights().size();
  if (attributes > options.most_attributes) {
    return fmt::format("{} quasi-identifiers are more than the {} that are searched exhaustively",
                       attributes, options.most_attributes);
  }
  if (lattice.size() > options.largest_lattice) {
    return fmt::format("the lattice has more than the {} nodes that are searched exhaustively",
                       options.largest_lattice);
  }
  return "";
}

class Search {
 public:
  // No node costs less than `bound`. `hashed`: nodes are counted by hashed_classes.h.
  Search(const ProtectionInput& input, const Models& models, const OptimalOptions& options,
         double bound, bool hashed, Progress& progress)
      : options_(options),
        bound_(bound),
        progress_(progress),
        time_(options.time_limit, progress),
        lattice_(Lattice::of(input.attributes)),
        records_(std::accumulate(input.counts->begin(), input.counts->end(), std::uint64_t{0})) {
    codes_.reserve(input.attributes.size());
    for (const auto& attribute : input.attributes) codes_.emplace_back(attribute);
    classes_ = hashed ? internal::hashed_classes(input, codes_, models)
                      : NodeClasses::make(input, codes_, models, options.memory_bytes);
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
    result.best_effort = too_large(lattice_, options_);
    const bool exhaustive = result.best_effort.empty();
    progress_.begin(options_.step, exhaustive ? lattice_.size() : options_.best_effort_nodes);
    descend();
    if (exhaustive) {
      may_give_up_ = true;
      sweep();
    } else {
      explore();
    }
    if (unproven_ && exhaustive) result.best_effort = time_.words();
    if (!best_ || best_->cost >= options_.below_cost) return std::nullopt;
    if (is_best_possible()) result.best_effort.clear();
    result.exact = result.best_effort.empty();
    result.levels = best_->levels;
    result.suppressed = best_->suppressed;
    result.classes = best_->classes;
    result.cost = best_->cost;
    result.lower_bound =
        result.exact ? best_->cost : std::min(best_->cost, std::max(bound_, *unproven_));
    result.nodes_checked = checked_;
    return result;
  }

 private:
  [[nodiscard]] bool is_best_possible() const { return best_ && best_->cost <= bound_; }
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
      if (!must && time_.is_over()) return;
      progress_.advance(1);
      const NodeOutcome outcome = classes_->count(nodes[i], [&](std::uint64_t suppressed) {
        if (skip_infeasible_ && over_limit(suppressed)) return true;
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
      if (!node->feasible || (best_ && !before(*node, *best_))) continue;
      best_ = *node;
      progress_.tell(bound_ > 0 ? fmt::format("best {:.4g}, none below {:.4g}", best_->cost, bound_)
                                : fmt::format("best {:.4g}", best_->cost));
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
    return checked_ >= options_.best_effort_nodes || is_best_possible() || time_.is_over();
  }

  // Those of the nodes that were counted, now or before.
  std::vector<Counted> counted_among(const std::vector<Levels>& nodes) {
    std::vector<Counted> all;
    std::vector<Levels> unknown;
    for (const auto& levels : nodes) {
      const auto known = known_.find(levels);
      if (known != known_.end()) {
        all.push_back(known->second);
      } else {
        unknown.push_back(levels);
      }
    }
    for (auto& node : count(unknown)) {
      if (!node) continue;
      known_.emplace(node->levels, *node);
      all.push_back(std::move(*node));
    }
    return all;
  }

  std::optional<Counted> best_among(const std::vector<Levels>& nodes) {
    std::optional<Counted> best;
    for (auto& node : counted_among(nodes)) {
      if (!best || before(node, *best)) best = std::move(node);
    }
    return best;
  }

  // Down from a node as long as that is better, to where it ends.
  Counted descend_from(Counted at) {
    while (!exhausted()) {
      auto lower = best_among(below(at.levels));
      if (!lower || !before(*lower, at)) break;
      at = std::move(*lower);
    }
    return at;
  }

  // One attribute up, by one level or by more, and another down: where going down alone has come to
  // its end, the levels of one may pay for those of another. From what is better, all the way down.
  Counted exchange(Counted from) {
    for (bool better = from.feasible; better && !exhausted();) {
      better = false;
      for (std::size_t up = 0; up < lattice_.heights().size() && !better && !exhausted(); ++up) {
        Levels raised = from.levels;
        while (raised[up] + 1 < lattice_.heights()[up] && !better && !exhausted()) {
          ++raised[up];
          std::vector<Levels> nodes;
          for (auto& levels : below(raised)) {
            if (levels[up] == raised[up]) nodes.push_back(std::move(levels));
          }
          auto next = best_among(nodes);
          // On from the cheapest of them, whether it is better yet or not.
          if (next && next->feasible) next = descend_from(std::move(*next));
          better = next && before(*next, from);
          if (better) from = std::move(*next);
        }
      }
    }
    return from;
  }

  // Up from the bottom, each time where a level costs least for each record that it keeps, until
  // so few are suppressed as may be; then down what turned out not to be needed.
  std::optional<Counted> climb() {
    std::optional<Counted> at = best_among({lattice_.bottom()});
    while (at && !at->feasible && !exhausted()) {
      std::vector<Levels> higher;
      for (std::size_t a = 0; a < at->levels.size(); ++a) {
        if (at->levels[a] + 1 == lattice_.heights()[a]) continue;
        higher.push_back(at->levels);
        ++higher.back()[a];
      }
      std::optional<Counted> next;
      double most = 0;
      const double before_it = metric_->lower_bound(at->levels, 0);
      for (const auto& node : counted_among(higher)) {
        const double kept = static_cast<double>(at->suppressed) -
                            static_cast<double>(std::min(node.suppressed, at->suppressed));
        const double price = metric_->lower_bound(node.levels, 0) - before_it;
        const double worth = (kept + 1e-3) / std::max(price, 1e-9);
        if (next && worth <= most) continue;
        most = worth;
        next = node;
      }
      at = std::move(next);
    }
    if (at && at->feasible) at = exchange(descend_from(std::move(*at)));
    return at;
  }

  // Down, attribute by attribute in this order, while that is better: not always to where
  // descending step by step leads, and for a tenth of the nodes.
  Counted descend_by(const std::vector<std::size_t>& order, Counted at) {
    constexpr std::size_t kTogether = 4;  // counted at once
    std::size_t refused = 0;              // in a row
    for (std::size_t next = 0; refused < order.size() && !exhausted();) {
      std::vector<Levels> nodes;
      std::size_t looked_at = 0;
      for (; looked_at < order.size() && nodes.size() < kTogether; ++looked_at) {
        const std::size_t a = order[(next + looked_at) % order.size()];
        if (at.levels[a] == 0) continue;
        nodes.push_back(at.levels);
        --nodes.back()[a];
      }
      if (nodes.empty()) break;
      std::optional<Counted> lower;
      for (auto& node : counted_among(nodes)) {
        if (before(node, at) && (!lower || before(node, *lower))) lower = std::move(node);
      }
      refused = lower ? 0 : refused + looked_at;
      if (!lower) next += looked_at;
      if (lower) at = std::move(*lower);
    }
    return at;
  }

  // Nodes that descending cannot better, bred: where two agree their child does too, elsewhere it
  // takes after either; some rise at random, some are new, and all go down again in another order.
  void breed() {
    constexpr std::size_t kMost = 24;
    constexpr int kInVain = 400;
    skip_infeasible_ = true;
    SeededRandom random(1);
    const auto& heights = lattice_.heights();
    std::vector<std::size_t> order(heights.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<Counted> pool;
    if (best_) pool.push_back(*best_);
    const auto raise_some = [&](Levels& levels) {
      for (std::uint64_t i = 1 + random.below(4); i > 0; --i) {
        const std::size_t a = random.below(levels.size());
        const auto room = static_cast<std::uint64_t>(heights[a] - 1 - levels[a]);
        if (room > 0) levels[a] += static_cast<int>(1 + random.below(room));
      }
    };
    for (int in_vain = 0; in_vain < kInVain && !exhausted(); ++in_vain) {
      random.shuffle(order);
      Levels child = lattice_.top();
      Levels above = child;
      if (pool.size() >= kMost / 2 || (!pool.empty() && random.chance(0.5))) {
        const Levels& mother = pool[random.below(pool.size())].levels;
        const Levels& father = pool[random.below(pool.size())].levels;
        for (std::size_t a = 0; a < heights.size(); ++a) {
          child[a] = random.chance(0.5) ? mother[a] : father[a];
          above[a] = std::max(mother[a], father[a]);
        }
        if (mother == father || random.chance(0.3)) raise_some(child);
      }
      auto at = best_among({child});
      if (at && !at->feasible) at = best_among({above});
      if (!at || !at->feasible) continue;
      Counted bred = descend_by(order, std::move(*at));
      if (std::any_of(pool.begin(), pool.end(),
                      [&](const Counted& other) { return other.levels == bred.levels; }))
        continue;
      if (best_ && bred.levels == best_->levels) in_vain = 0;
      pool.push_back(std::move(bred));
      if (pool.size() <= kMost) continue;
      pool.erase(std::max_element(pool.begin(), pool.end(), before));
    }
  }

  void explore() {
    leave_unproven(metric_->lower_bound(lattice_.bottom(), 0));
    breed();
    skip_infeasible_ = false;
    if (best_) (void)exchange(*best_);
    (void)climb();
  }

  const OptimalOptions& options_;
  double bound_;
  Progress& progress_;
  internal::SearchTime time_;
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
  bool may_give_up_ = false;      // on what cannot win
  bool skip_infeasible_ = false;  // and how far from feasible does not matter
  std::optional<Counted> best_;
  std::optional<double> unproven_;  // the least bound of a node that was not ruled out
  std::uint64_t checked_ = 0;
};

}  // namespace

std::optional<OptimalNode> optimal_node(const ProtectionInput& input, const Models& models,
                                        const OptimalOptions& options, Progress& progress) {
  constexpr double kForBound = 0.2;  // of the time
  const internal::SearchTime time(options.time_limit, progress);
  const bool bound_first = !too_large(Lattice::of(input.attributes), options).empty();
  OptimalOptions timed = options;
  double bound = 0;
  const auto find_bound = [&](double share) {
    timed.time_limit = time.share(share);
    bound = internal::bound_by_columns(input, models, timed, progress);
  };
  if (bound_first) find_bound(kForBound);
  timed.time_limit = time.share(bound_first ? 1 : 1 - kForBound);
  const bool hashed = bound_first && internal::only_count_records(models);
  auto node = Search(input, models, timed, bound, hashed, progress).run();
  if (node && hashed) {
    const Recoding exact = apply_levels(input, node->levels, models);
    if (exact.suppressed != node->suppressed || exact.class_count != node->classes)
      node = Search(input, models, timed, bound, false, progress).run();
  }
  if (node && !node->exact && !bound_first) find_bound(1);
  if (node && !node->exact) {
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
