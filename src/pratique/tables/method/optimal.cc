#include "pratique/tables/method/optimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "pratique/tables/method/full_domain.h"
#include "pratique/tables/method/internal/column_bound.h"
#include "pratique/tables/method/internal/hashed_classes.h"
#include "pratique/tables/method/internal/large_lattice.h"
#include "pratique/tables/method/internal/node_search.h"
#include "pratique/tables/method/internal/unsatisfied.h"

namespace pratique::tables {
namespace {

using internal::CountedNode;
using internal::NodeSearch;
using Index = Lattice::Index;

// Fixed, so that which nodes are counted does not depend on the number of threads.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kNodesOfInnerLoop = 512;

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

// Looks at every node that could still win.
class Sweep {
 public:
  explicit Sweep(NodeSearch& search) : search_(search), lattice_(search.lattice()) {}

  // Every node after all nodes above it. The attributes that pivots take first (node_classes.h) are
  // the outer loop, so that pivots are made once; the others are gone through rank by rank, so that
  // a whole rank can be counted at once.
  void sweep() {
    const auto& order = search_.classes().order();
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

 private:
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
    if (search_.over_limit(floors_[index])) return;
    if (const CountedNode* known = search_.known(levels)) {
      raise_floor(index, known->floor);
      return;
    }
    const double bound = search_.metric().lower_bound(levels, floors_[index]);
    if (!search_.hopeless(bound)) pending_.push_back({index, bound});
  }

  void count_pending() {
    std::vector<Levels> batch;
    std::vector<Pending> taken;
    for (std::size_t next = 0; next < pending_.size();) {
      batch.clear();
      taken.clear();
      for (; next < pending_.size() && batch.size() < kBatch; ++next) {
        if (search_.hopeless(pending_[next].bound)) continue;
        taken.push_back(pending_[next]);
        batch.push_back(lattice_.levels(pending_[next].index));
      }
      const auto counted = search_.count(batch);
      for (std::size_t i = 0; i < taken.size(); ++i) {
        if (counted[i]) {
          raise_floor(taken[i].index, counted[i]->floor);
        } else {
          search_.leave_unproven(taken[i].bound);
        }
      }
    }
  }

  struct Pending {
    Index index;
    double bound;
  };
  NodeSearch& search_;
  const Lattice& lattice_;
  std::vector<std::uint32_t> floors_;  // by node: how many records it suppresses at least
  std::vector<Pending> pending_;
};

std::optional<OptimalNode> search_lattice(const ProtectionInput& input, const Models& models,
                                          const OptimalOptions& options, double bound, bool hashed,
                                          Progress& progress) {
  NodeSearch search(input, models, options, bound, hashed, progress);
  std::string best_effort = too_large(search.lattice(), options);
  const bool exhaustive = best_effort.empty();
  progress.begin(options.step, exhaustive ? search.lattice().size() : options.best_effort_nodes);
  search.descend();
  if (exhaustive) {
    search.give_up_on_what_cannot_win(true);
    Sweep(search).sweep();
    if (!search.all_proven()) best_effort = search.time().words();
  } else {
    internal::explore_large_lattice(search);
  }
  return search.result(std::move(best_effort));
}

}  // namespace

std::optional<OptimalNode> optimal_node(const ProtectionInput& input, const Models& models,
                                        const OptimalOptions& options, Progress& progress) {
  constexpr double kForBound = 0.3;  // of the time
  if (options.for_bound)
    return search_lattice(input, models, options, 0, internal::can_be_hashed(models), progress);
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
  const bool hashed = bound_first && internal::can_be_hashed(models);
  auto node = search_lattice(input, models, timed, bound, hashed, progress);
  if (node && hashed) {
    const Recoding exact = apply_levels(input, node->levels, models);
    if (exact.suppressed != node->suppressed || exact.class_count != node->classes) {
      timed.time_limit = time.share(1);
      node = search_lattice(input, models, timed, bound, false, progress);
    }
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
