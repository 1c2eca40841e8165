#include "pratique/tables/method/internal/large_lattice.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "pratique/crypto/random.h"

namespace pratique::tables::internal {
namespace {

class Explorer {
 public:
  explicit Explorer(NodeSearch& search) : search_(search), lattice_(search.lattice()) {}

  void explore() {
    search_.leave_unproven(search_.metric().lower_bound(lattice_.bottom(), 0));
    breed(1);
    search_.skip_infeasible(false);
    if (search_.best()) (void)exchange(*search_.best());
    (void)climb();
    // Who says how long it may take wants that used: from the beginning, with other draws, every
    // other time without what is best so far.
    const bool until_the_end =
        search_.options().best_effort_nodes == std::numeric_limits<std::uint64_t>::max() &&
        search_.options().time_limit;
    for (std::uint64_t seed = 2; until_the_end && !exhausted(); ++seed) breed(seed);
  }

 private:
  [[nodiscard]] bool exhausted() const {
    return search_.checked() >= search_.options().best_effort_nodes || search_.is_best_possible() ||
           search_.time().is_over();
  }

  // Those of the nodes that were counted, now or before.
  std::vector<CountedNode> counted_among(const std::vector<Levels>& nodes) {
    std::vector<CountedNode> all;
    std::vector<Levels> unknown;
    for (const auto& levels : nodes) {
      if (const CountedNode* known = search_.known(levels)) {
        all.push_back(*known);
      } else {
        unknown.push_back(levels);
      }
    }
    for (auto& node : search_.count(unknown)) {
      if (!node) continue;
      search_.remember(*node);
      all.push_back(std::move(*node));
    }
    return all;
  }

  std::optional<CountedNode> best_among(const std::vector<Levels>& nodes) {
    std::optional<CountedNode> best;
    for (auto& node : counted_among(nodes)) {
      if (!best || before(node, *best)) best = std::move(node);
    }
    return best;
  }

  // Down from a node as long as that is better, to where it ends.
  CountedNode descend_from(CountedNode at) {
    while (!exhausted()) {
      auto lower = best_among(NodeSearch::below(at.levels));
      if (!lower || !before(*lower, at)) break;
      at = std::move(*lower);
    }
    return at;
  }

  // One attribute up, by one level or by more, and another down: where going down alone has come to
  // its end, the levels of one may pay for those of another. From what is better, all the way down.
  CountedNode exchange(CountedNode from) {
    for (bool better = from.feasible; better && !exhausted();) {
      better = false;
      for (std::size_t up = 0; up < lattice_.heights().size() && !better && !exhausted(); ++up) {
        Levels raised = from.levels;
        while (raised[up] + 1 < lattice_.heights()[up] && !better && !exhausted()) {
          ++raised[up];
          std::vector<Levels> nodes;
          for (auto& levels : NodeSearch::below(raised)) {
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
  std::optional<CountedNode> climb() {
    std::optional<CountedNode> at = best_among({lattice_.bottom()});
    while (at && !at->feasible && !exhausted()) {
      std::vector<Levels> higher;
      for (std::size_t a = 0; a < at->levels.size(); ++a) {
        if (at->levels[a] + 1 == lattice_.heights()[a]) continue;
        higher.push_back(at->levels);
        ++higher.back()[a];
      }
      std::optional<CountedNode> next;
      double most = 0;
      const double before_it = search_.metric().lower_bound(at->levels, 0);
      for (const auto& node : counted_among(higher)) {
        const double kept = static_cast<double>(at->suppressed) -
                            static_cast<double>(std::min(node.suppressed, at->suppressed));
        const double price = search_.metric().lower_bound(node.levels, 0) - before_it;
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
  CountedNode descend_by(const std::vector<std::size_t>& order, CountedNode at) {
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
      std::optional<CountedNode> lower;
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
  void breed(std::uint64_t seed) {
    constexpr std::size_t kMost = 24;
    constexpr int kInVain = 400;
    search_.skip_infeasible(true);
    SeededRandom random(seed);
    const auto& heights = lattice_.heights();
    std::vector<std::size_t> order(heights.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<CountedNode> pool;
    if (search_.best() && seed % 2 == 1) pool.push_back(*search_.best());
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
      CountedNode bred = descend_by(order, std::move(*at));
      if (std::any_of(pool.begin(), pool.end(),
                      [&](const CountedNode& other) { return other.levels == bred.levels; }))
        continue;
      if (search_.best() && bred.levels == search_.best()->levels) in_vain = 0;
      pool.push_back(std::move(bred));
      if (pool.size() <= kMost) continue;
      pool.erase(std::max_element(pool.begin(), pool.end(), before));
    }
  }

  NodeSearch& search_;
  const Lattice& lattice_;
};

}  // namespace

void explore_large_lattice(NodeSearch& search) { Explorer(search).explore(); }

}  // namespace pratique::tables::internal
