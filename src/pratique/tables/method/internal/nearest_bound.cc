#include "pratique/tables/method/internal/nearest_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

#include "pratique/core/parallel.h"
#include "pratique/tables/method/internal/loss_space.h"
#include "pratique/tables/method/internal/search_time.h"
#include "pratique/tables/metric/metrics.h"

namespace pratique::tables::internal {
namespace {

using Node = Hierarchy::Node;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What of an attribute two records, or a record and a box of them, lose at least in one cell.
class Axis {
 public:
  // From what a record has there: a place on a line, or a value or leaf.
  struct Box {
    double low = kInfinite;
    double high = -kInfinite;
    Node node = kNobody;  // the only value, kMixed, or what is over all leaves
    bool missing = false;
  };

  Axis(const Attribute& attribute, CellStyle style, Loss loss)
      : attribute_(attribute), codes_(attribute.column->codes) {
    const double leaves = static_cast<double>(attribute.hierarchy->leaf_count());
    if (style == CellStyle::labels) {
      kind_ = Kind::tree;
      losses_ = loss == Loss::ncp ? node_penalties(attribute) : node_losses(attribute);
      make_table();
      return;
    }
    // Two leaves are the least that a cell of two values has.
    if (leaves > 1)
      two_values_ = attribute.weight * (loss == Loss::ncp ? 2 / leaves : 1 / (leaves - 1));
    if (attribute.kind == Attribute::Kind::category) return;
    kind_ = Kind::line;
    double low = kInfinite;
    double high = -kInfinite;
    for (const double position : attribute.position) {
      if (std::isnan(position)) continue;
      low = std::min(low, position);
      high = std::max(high, position);
    }
    for (std::size_t code = 0; code < attribute.position.size(); ++code) {
      const double position = attribute.position[code];
      double place = std::nan("");
      if (!std::isnan(position)) {
        place = loss == Loss::lm ? attribute.rank[code] / std::max(1.0, leaves - 1)
                : high > low     ? (position - low) / (high - low)
                                 : 0;
      }
      places_.push_back(place * attribute.weight);
    }
  }

  void add(Box& box, std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line:
        if (std::isnan(places_[code])) {
          box.missing = true;
        } else {
          box.low = std::min(box.low, places_[code]);
          box.high = std::max(box.high, places_[code]);
        }
        break;
      case Kind::values:
        box.node = box.node == kNobody || box.node == code ? code : kMixed;
        break;
      case Kind::tree:
        box.node =
            box.node == kNobody ? attribute_.leaf[code] : over(box.node, attribute_.leaf[code]);
        break;
    }
  }

  // How much it helps to cut a box here.
  [[nodiscard]] double width(const Box& box) const {
    switch (kind_) {
      case Kind::line:
        return box.low > box.high ? 0 : box.high - box.low + (box.missing ? two_values_ : 0);
      case Kind::values:
        return box.node == kMixed ? two_values_ : 0;
      case Kind::tree:
        return losses_[box.node];
    }
    return 0;
  }

  // Where the order of a cut has the group.
  [[nodiscard]] double order(std::uint32_t group) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line:
        return std::isnan(places_[code]) ? kInfinite : places_[code];
      case Kind::values:
        return code;
      case Kind::tree:
        return attribute_.rank[code];
    }
    return 0;
  }

  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const {
    const Code x = codes_[a];
    const Code y = codes_[b];
    if (x == y) return 0;
    switch (kind_) {
      case Kind::line:
        if (std::isnan(places_[x]) || std::isnan(places_[y])) return two_values_;
        return std::abs(places_[x] - places_[y]);
      case Kind::values:
        return two_values_;
      case Kind::tree:
        return losses_[over(attribute_.leaf[x], attribute_.leaf[y])];
    }
    return 0;
  }

  // To whatever is in the box, at least.
  [[nodiscard]] double distance(std::uint32_t group, const Box& box) const {
    const Code code = codes_[group];
    switch (kind_) {
      case Kind::line: {
        if (std::isnan(places_[code])) return box.missing ? 0 : two_values_;
        const double off = std::max({0.0, box.low - places_[code], places_[code] - box.high});
        return box.missing ? std::min(off, two_values_) : off;
      }
      case Kind::values:
        return box.node == kMixed || box.node == code ? 0 : two_values_;
      case Kind::tree: {
        const Node both = over(attribute_.leaf[code], box.node);
        return both == box.node ? 0 : losses_[both];
      }
    }
    return 0;
  }

 private:
  enum class Kind { line, values, tree };
  static constexpr Node kNobody = 0xffffffffU;
  static constexpr Node kMixed = 0xfffffffeU;

  // The lowest node over both.
  [[nodiscard]] Node over(Node a, Node b) const {
    return table_.empty() ? LossSpace::climb(*attribute_.hierarchy, a, b) : table_[a * nodes_ + b];
  }
  void make_table() {
    constexpr std::size_t kLargest = 512;
    nodes_ = attribute_.hierarchy->node_count();
    if (nodes_ > kLargest) return;
    for (Node a = 0; a < nodes_; ++a) {
      for (Node b = 0; b < nodes_; ++b)
        table_.push_back(static_cast<std::uint16_t>(LossSpace::climb(*attribute_.hierarchy, a, b)));
    }
  }

  const Attribute& attribute_;
  const std::vector<Code>& codes_;
  Kind kind_ = Kind::values;
  double two_values_ = 0;
  std::vector<double> places_;  // by code, on a line from 0 to 1; missing: not a number
  std::vector<double> losses_;  // by node
  std::size_t nodes_ = 0;
  std::vector<std::uint16_t> table_;  // of over(), where that is small
};

class BoxTree {
 public:
  BoxTree(const ProtectionInput& input, CellStyle style, Loss loss) : counts_(*input.counts) {
    for (const auto& attribute : input.attributes) axes_.emplace_back(attribute, style, loss);
    for (std::uint32_t group = 0; group < counts_.size(); ++group) {
      if (counts_[group] > 0) order_.push_back(group);
    }
    if (!order_.empty()) build(0, static_cast<std::uint32_t>(order_.size()));
  }

  [[nodiscard]] const std::vector<std::uint32_t>& groups() const { return order_; }

  // The distance within which so many records are, those of the group itself included; less where
  // that took more than `looks` distances.
  [[nodiscard]] double nearest(std::uint32_t group, std::uint64_t records,
                               std::uint64_t looks) const {
    struct Candidate {
      double distance;
      bool is_group;
      std::uint32_t id;
      bool operator>(const Candidate& other) const { return distance > other.distance; }
    };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    queue.push({0, false, 0});
    std::uint64_t near = 0;
    while (!queue.empty()) {
      const Candidate next = queue.top();
      queue.pop();
      if (next.is_group) {
        near += counts_[next.id];
        if (near >= records) return next.distance;
        continue;
      }
      const Branch& branch = branches_[next.id];
      const std::uint64_t cost = branch.left == 0 ? branch.end - branch.begin : 2;
      if (looks < cost) return next.distance;
      looks -= cost;
      if (branch.left == 0) {
        for (std::uint32_t at = branch.begin; at < branch.end; ++at) {
          queue.push({distance(group, order_[at]), true, order_[at]});
        }
        continue;
      }
      for (const std::uint32_t child : {branch.left, branch.right}) {
        // A hair less, for the rounding of sums.
        queue.push({std::max(next.distance, to_box(group, child) * (1 - 1e-12)), false, child});
      }
    }
    return static_cast<double>(axes_.size());  // fewer records than a class needs
  }

 private:
  struct Branch {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
  };

  std::uint32_t build(std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t kLeaf = 8;
    const auto id = static_cast<std::uint32_t>(branches_.size());
    branches_.push_back({begin, end});
    boxes_.resize(boxes_.size() + axes_.size());
    std::size_t widest = 0;
    double width = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      Axis::Box& box = boxes_[id * axes_.size() + a];
      for (std::uint32_t at = begin; at < end; ++at) axes_[a].add(box, order_[at]);
      if (axes_[a].width(box) <= width) continue;
      width = axes_[a].width(box);
      widest = a;
    }
    if (end - begin <= kLeaf || width <= 0) return id;
    const std::uint32_t middle = begin + (end - begin) / 2;
    const auto key = [&](std::uint32_t group) {
      return std::pair(axes_[widest].order(group), group);
    };
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) { return key(x) < key(y); });
    const std::uint32_t left = build(begin, middle);
    const std::uint32_t right = build(middle, end);
    branches_[id].left = left;
    branches_[id].right = right;
    return id;
  }

  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const {
    double sum = 0;
    for (const Axis& axis : axes_) sum += axis.distance(a, b);
    return sum;
  }
  [[nodiscard]] double to_box(std::uint32_t group, std::uint32_t branch) const {
    double sum = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      sum += axes_[a].distance(group, boxes_[branch * axes_.size() + a]);
    }
    return sum;
  }

  const std::vector<std::uint64_t>& counts_;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> order_;  // groups
  std::vector<Branch> branches_;
  std::vector<Axis::Box> boxes_;  // by branch, attribute
};

}  // namespace

double nearest_bound(const ProtectionInput& input, std::uint64_t least_records, CellStyle style,
                     Loss loss, Progress& progress, std::uint64_t looks,
                     std::optional<double> time_limit) {
  const SearchTime time(time_limit, progress);
  constexpr std::size_t kMostGroups = 100'000;
  if (least_records < 2 || input.attributes.empty() || input.groups() > kMostGroups) return 0;
  const BoxTree tree(input, style, loss);
  const auto& groups = tree.groups();
  if (groups.empty()) return 0;
  const std::uint64_t looks_each =
      std::clamp<std::uint64_t>(looks / input.attributes.size() / groups.size(), 64, 1U << 14U);
  constexpr std::size_t kGrain = 256;
  progress.begin("bounding the loss", groups.size());
  std::vector<double> sums((groups.size() + kGrain - 1) / kGrain, 0);
  parallel_blocks(groups.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t count = (*input.counts)[groups[i]];
      if (count >= least_records || time.is_over()) continue;
      sums[begin / kGrain] +=
          static_cast<double>(count) * tree.nearest(groups[i], least_records, looks_each);
    }
    progress.advance(end - begin);
  });
  const double records = static_cast<double>(
      std::accumulate(input.counts->begin(), input.counts->end(), std::uint64_t{0}));
  const double cells = records * static_cast<double>(input.attributes.size());
  return std::accumulate(sums.begin(), sums.end(), 0.0) / cells * (1 - 1e-9);
}

}  // namespace pratique::tables::internal
