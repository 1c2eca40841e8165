#include "pratique/verify/internal/maximum_matchings.h"

#include <algorithm>
#include <limits>

namespace pratique::verify {
namespace {

using Index = std::uint32_t;
constexpr Index kNone = std::numeric_limits<Index>::max();

// Flow from one left group into the right group that holds this entry.
struct Inflow {
  Index left;
  std::uint32_t amount;
};

// Blocking flows along shortest augmenting paths (Dinitz 1970).
class Flow {
 public:
  explicit Flow(const GroupGraph& graph)
      : graph_(graph),
        left_spare_(graph.left_size),
        right_spare_(graph.right_size),
        inflows_(graph.right_size.size()),
        left_level_(graph.left_size.size()),
        right_level_(graph.right_size.size()) {}

  void maximise(Progress& progress) {
    take_what_is_free();
    while (find_levels()) {
      progress.check();
      next_link_.assign(graph_.first.begin(), graph_.first.end() - 1);
      next_inflow_.assign(inflows_.size(), 0);
      for (Index left = 0; left < left_spare_.size(); ++left) {
        while (left_spare_[left] > 0 && augment(left)) {
        }
      }
      merge_inflows();
    }
  }

  [[nodiscard]] const GroupGraph& graph() const { return graph_; }
  [[nodiscard]] const std::vector<Inflow>& inflows(Index right) const { return inflows_[right]; }
  [[nodiscard]] bool left_has_spare(Index left) const { return left_spare_[left] > 0; }
  [[nodiscard]] bool right_has_spare(Index right) const { return right_spare_[right] > 0; }
  [[nodiscard]] bool left_is_used(Index left) const {
    return left_spare_[left] < graph_.left_size[left];
  }
  [[nodiscard]] bool right_is_used(Index right) const {
    return right_spare_[right] < graph_.right_size[right];
  }
  [[nodiscard]] std::uint64_t value() const {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < left_spare_.size(); ++g) {
      sum += graph_.left_size[g] - left_spare_[g];
    }
    return sum;
  }

 private:
  void take_what_is_free() {
    for (Index left = 0; left < left_spare_.size(); ++left) {
      for (auto link = graph_.first[left]; link < graph_.first[left + 1]; ++link) {
        if (left_spare_[left] == 0) break;
        const Index right = graph_.linked[link];
        const std::uint32_t amount = std::min(left_spare_[left], right_spare_[right]);
        if (amount == 0) continue;
        left_spare_[left] -= amount;
        right_spare_[right] -= amount;
        inflows_[right].push_back({left, amount});
      }
    }
  }

  // The distance of every group from the left groups with something to spare, up to the nearest
  // right group that can take it.
  bool find_levels() {
    std::fill(left_level_.begin(), left_level_.end(), kNone);
    std::fill(right_level_.begin(), right_level_.end(), kNone);
    std::vector<Index> frontier;
    for (Index left = 0; left < left_spare_.size(); ++left) {
      if (left_spare_[left] == 0) continue;
      left_level_[left] = 0;
      frontier.push_back(left);
    }
    bool reached = false;
    for (Index level = 0; !frontier.empty() && !reached; level += 2) {
      std::vector<Index> next;
      for (const Index left : frontier) {
        for (auto link = graph_.first[left]; link < graph_.first[left + 1]; ++link) {
          const Index right = graph_.linked[link];
          if (right_level_[right] != kNone) continue;
          right_level_[right] = level + 1;
          reached = reached || right_spare_[right] > 0;
          for (const Inflow& inflow : inflows_[right]) {
            if (inflow.amount == 0 || left_level_[inflow.left] != kNone) continue;
            left_level_[inflow.left] = level + 2;
            next.push_back(inflow.left);
          }
        }
      }
      frontier.swap(next);
    }
    return reached;
  }

  struct Step {
    Index left;
    Index right;
    std::size_t inflow;  // of `right`, to be taken back; what follows starts at its left group
  };

  // Depth first, without recursion: a path may be as long as there are groups.
  bool augment(Index root) {
    path_.clear();
    Index left = root;
    while (true) {
      const std::size_t steps = path_.size();
      for (auto& link = next_link_[left]; link < graph_.first[left + 1]; ++link) {
        const Index right = graph_.linked[link];
        if (right_level_[right] != left_level_[left] + 1) continue;
        if (right_spare_[right] > 0) {
          path_.push_back({left, right, 0});
          push_along_path();
          return true;
        }
        auto& at = next_inflow_[right];
        while (at < inflows_[right].size() && !leads_on(right, inflows_[right][at])) ++at;
        if (at == inflows_[right].size()) continue;
        path_.push_back({left, right, at});
        left = inflows_[right][at].left;
        break;
      }
      if (path_.size() > steps) continue;
      if (path_.empty()) return false;
      ++next_inflow_[path_.back().right];
      left = path_.back().left;
      path_.pop_back();
    }
  }

  [[nodiscard]] bool leads_on(Index right, const Inflow& inflow) const {
    return inflow.amount > 0 && left_level_[inflow.left] == right_level_[right] + 1;
  }

  void push_along_path() {
    std::uint32_t amount =
        std::min(left_spare_[path_.front().left], right_spare_[path_.back().right]);
    for (std::size_t s = 0; s + 1 < path_.size(); ++s) {
      amount = std::min(amount, inflows_[path_[s].right][path_[s].inflow].amount);
    }
    left_spare_[path_.front().left] -= amount;
    right_spare_[path_.back().right] -= amount;
    for (std::size_t s = 0; s < path_.size(); ++s) {
      auto& inflows = inflows_[path_[s].right];
      if (s + 1 < path_.size()) inflows[path_[s].inflow].amount -= amount;
      inflows.push_back({path_[s].left, amount});
    }
  }

  void merge_inflows() {
    for (auto& inflows : inflows_) {
      std::sort(inflows.begin(), inflows.end(),
                [](const Inflow& a, const Inflow& b) { return a.left < b.left; });
      std::size_t kept = 0;
      for (const Inflow& inflow : inflows) {
        if (inflow.amount == 0) continue;
        if (kept > 0 && inflows[kept - 1].left == inflow.left) {
          inflows[kept - 1].amount += inflow.amount;
        } else {
          inflows[kept++] = inflow;
        }
      }
      inflows.resize(kept);
    }
  }

  const GroupGraph& graph_;
  std::vector<std::uint32_t> left_spare_;
  std::vector<std::uint32_t> right_spare_;
  std::vector<std::vector<Inflow>> inflows_;
  std::vector<Index> left_level_;
  std::vector<Index> right_level_;
  std::vector<std::uint64_t> next_link_;
  std::vector<std::size_t> next_inflow_;
  std::vector<Step> path_;
};

// Strongly connected components of the residual graph (Tarjan 1972), without recursion. Nodes: left
// groups, right groups, source, sink.
class ResidualComponents {
 public:
  explicit ResidualComponents(const Flow& flow)
      : flow_(flow),
        left_(static_cast<Index>(flow.graph().left_size.size())),
        right_(static_cast<Index>(flow.graph().right_size.size())),
        order_(left_ + right_ + 2, kNone),
        lowest_(order_.size()),
        component_(order_.size(), kNone) {
    for (Index node = 0; node < order_.size(); ++node) {
      if (order_[node] == kNone) visit(node);
    }
  }

  [[nodiscard]] bool together(Index left, Index right) const {
    return component_[left] == component_[left_ + right];
  }

 private:
  static constexpr Index kNothingHere = kNone - 1;

  // The node that edge number `edge` of `node` leads to; kNone after the last.
  [[nodiscard]] Index target(Index node, std::uint64_t edge) const {
    const GroupGraph& graph = flow_.graph();
    const Index source = left_ + right_;
    const Index sink = source + 1;
    if (node < left_) {
      const auto links = graph.first[node + 1] - graph.first[node];
      if (edge < links) return left_ + graph.linked[graph.first[node] + edge];
      if (edge > links) return kNone;
      return flow_.left_is_used(node) ? source : kNothingHere;
    }
    if (node < source) {
      const auto& inflows = flow_.inflows(node - left_);
      if (edge < inflows.size()) {
        return inflows[edge].amount > 0 ? inflows[edge].left : kNothingHere;
      }
      if (edge > inflows.size()) return kNone;
      return flow_.right_has_spare(node - left_) ? sink : kNothingHere;
    }
    if (node == source) {
      if (edge == left_) return kNone;
      return flow_.left_has_spare(static_cast<Index>(edge)) ? static_cast<Index>(edge)
                                                            : kNothingHere;
    }
    if (edge == right_) return kNone;
    return flow_.right_is_used(static_cast<Index>(edge)) ? left_ + static_cast<Index>(edge)
                                                         : kNothingHere;
  }

  void visit(Index root) {
    struct Frame {
      Index node;
      std::uint64_t edge;
    };
    std::vector<Frame> frames;
    const auto enter = [&](Index node) {
      order_[node] = lowest_[node] = visited_++;
      open_.push_back(node);
      frames.push_back({node, 0});
    };
    enter(root);
    while (!frames.empty()) {
      const Index node = frames.back().node;
      const Index next = target(node, frames.back().edge++);
      if (next == kNothingHere) continue;
      if (next != kNone) {
        if (order_[next] == kNone) {
          enter(next);
        } else if (component_[next] == kNone) {
          lowest_[node] = std::min(lowest_[node], order_[next]);
        }
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        Index& above = lowest_[frames.back().node];
        above = std::min(above, lowest_[node]);
      }
      if (lowest_[node] != order_[node]) continue;
      Index member = kNone;
      do {
        member = open_.back();
        open_.pop_back();
        component_[member] = order_[node];
      } while (member != node);
    }
  }

  const Flow& flow_;
  Index left_;
  Index right_;
  Index visited_ = 0;
  std::vector<Index> order_;
  std::vector<Index> lowest_;
  std::vector<Index> component_;
  std::vector<Index> open_;
};

}  // namespace

MaximumMatchings maximum_matchings(const GroupGraph& graph, Progress& progress) {
  Flow flow(graph);
  flow.maximise(progress);
  const ResidualComponents components(flow);
  MaximumMatchings result{.edges = flow.value(), .in_union = {}};
  result.in_union.resize(graph.linked.size());
  // Flow on a link puts both its ends into one component already: forward and back.
  for (Index left = 0; left < graph.left_size.size(); ++left) {
    for (auto link = graph.first[left]; link < graph.first[left + 1]; ++link) {
      result.in_union[link] = components.together(left, graph.linked[link]) ? 1 : 0;
    }
  }
  return result;
}

}  // namespace pratique::verify
