#include "pratique/tables/method/internal/neighbour_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

namespace pratique::tables {
namespace {

constexpr std::uint32_t kLeafSize = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

NeighbourTree::NeighbourTree(const ProtectionInput& input, const StandardSpace& space,
                             const Items& items)
    : space_(space), items_(items), leaf_(items.size()) {
  for (const auto& item : items_) places_.push_back(space.at(item.group));
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!items_.empty()) {
    numbers_ = places_.front().place.size();
    categories_ = places_.front().code.size();
    build(0, static_cast<std::uint32_t>(items_.size()), kNone);
  }
  full_ = boxes_;
  for (const auto& attribute : input.attributes) {
    if (attribute.kind == Attribute::Kind::category) {
      frequencies_.emplace_back(attribute.column->dictionary.size());
    }
  }
  restore();
}

void NeighbourTree::clear_box(std::uint32_t node) {
  const auto number = static_cast<std::ptrdiff_t>(node * numbers_);
  std::fill_n(boxes_.low.begin() + number, numbers_, kInfinity);
  std::fill_n(boxes_.high.begin() + number, numbers_, -kInfinity);
  std::fill_n(boxes_.missing.begin() + number, numbers_, 0);
  std::fill_n(boxes_.code.begin() + static_cast<std::ptrdiff_t>(node * categories_), categories_,
              kNone);
}

void NeighbourTree::add_item_to_box(std::uint32_t node, std::uint32_t item) {
  const auto& place = places_[item];
  for (std::size_t p = 0; p < numbers_; ++p) {
    const std::size_t at = node * numbers_ + p;
    if (std::isnan(place.place[p])) {
      boxes_.missing[at] = 1;
    } else {
      boxes_.low[at] = std::min(boxes_.low[at], place.place[p]);
      boxes_.high[at] = std::max(boxes_.high[at], place.place[p]);
    }
  }
  for (std::size_t c = 0; c < categories_; ++c) {
    Code& code = boxes_.code[node * categories_ + c];
    code = code == kNone || code == place.code[c] ? place.code[c] : kMixed;
  }
}

void NeighbourTree::add_child_to_box(std::uint32_t node, std::uint32_t child) {
  for (std::size_t p = 0; p < numbers_; ++p) {
    const std::size_t at = node * numbers_ + p;
    const std::size_t from = child * numbers_ + p;
    boxes_.low[at] = std::min(boxes_.low[at], boxes_.low[from]);
    boxes_.high[at] = std::max(boxes_.high[at], boxes_.high[from]);
    boxes_.missing[at] = static_cast<char>(boxes_.missing[at] != 0 || boxes_.missing[from] != 0);
  }
  for (std::size_t c = 0; c < categories_; ++c) {
    Code& code = boxes_.code[node * categories_ + c];
    const Code other = boxes_.code[child * categories_ + c];
    if (other != kNone) code = code == kNone || code == other ? other : kMixed;
  }
}

void NeighbourTree::shrink_boxes(std::uint32_t leaf) {
  clear_box(leaf);
  for (std::uint32_t at = nodes_[leaf].begin; at < nodes_[leaf].end; ++at) {
    if (left_[order_[at]] > 0) add_item_to_box(leaf, order_[at]);
  }
  for (std::uint32_t node = nodes_[leaf].parent; node != kNone; node = nodes_[node].parent) {
    clear_box(node);
    add_child_to_box(node, nodes_[node].left);
    add_child_to_box(node, nodes_[node].right);
  }
}

std::uint32_t NeighbourTree::build(std::uint32_t begin, std::uint32_t end, std::uint32_t parent) {
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, kNone, kNone, parent, 0});
  boxes_.low.resize(nodes_.size() * numbers_);
  boxes_.high.resize(nodes_.size() * numbers_);
  boxes_.missing.resize(nodes_.size() * numbers_);
  boxes_.code.resize(nodes_.size() * categories_);
  clear_box(id);
  for (std::uint32_t at = begin; at < end; ++at) add_item_to_box(id, order_[at]);
  double widest = 0;
  std::size_t along = 0;
  for (std::size_t p = 0; p < numbers_; ++p) {
    const std::size_t at = id * numbers_ + p;
    const double width =
        std::max(boxes_.high[at] - boxes_.low[at], boxes_.missing[at] != 0 ? 2.0 : 0.0);
    if (width > widest) {
      widest = width;
      along = p;
    }
  }
  for (std::size_t c = 0; c < categories_; ++c) {
    if (boxes_.code[id * categories_ + c] == kMixed && widest < 2) {
      widest = 2;  // as far as another category is
      along = numbers_ + c;
    }
  }
  if (end - begin <= kLeafSize || widest <= 0) {
    for (std::uint32_t at = begin; at < end; ++at) leaf_[order_[at]] = id;
    return id;
  }
  const std::uint32_t middle = begin + (end - begin) / 2;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (along >= numbers_) {
      return std::pair(places_[a].code[along - numbers_], a) <
             std::pair(places_[b].code[along - numbers_], b);
    }
    const double x = places_[a].place[along];
    const double y = places_[b].place[along];
    const auto key = [](double v) { return std::isnan(v) ? kInfinity : v; };
    return std::pair(key(x), a) < std::pair(key(y), b);
  };
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, before);
  const std::uint32_t left = build(begin, middle, id);
  const std::uint32_t right = build(middle, end, id);
  nodes_[id].left = left;
  nodes_[id].right = right;
  return id;
}

void NeighbourTree::restore() {
  left_.clear();
  boxes_ = full_;
  for (auto& node : nodes_) node.records = 0;
  sums_.assign(numbers_, 0);
  known_.assign(numbers_, 0);
  for (auto& counts : frequencies_) std::fill(counts.begin(), counts.end(), 0);
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const std::uint64_t count = items_[i].count;
    left_.push_back(count);
    nodes_[leaf_[i]].records += count;
    for (std::size_t p = 0; p < numbers_; ++p) {
      if (std::isnan(places_[i].place[p])) continue;
      sums_[p] += static_cast<double>(count) * places_[i].place[p];
      known_[p] += static_cast<double>(count);
    }
    for (std::size_t c = 0; c < frequencies_.size(); ++c) {
      frequencies_[c][places_[i].code[c]] += count;
    }
  }
  // Children stand after their parent.
  for (std::size_t n = nodes_.size(); n-- > 1;) {
    nodes_[nodes_[n].parent].records += nodes_[n].records;
  }
}

StandardSpace::Centre NeighbourTree::centre() const {
  StandardSpace::Centre centre;
  for (std::size_t p = 0; p < sums_.size(); ++p) {
    centre.place.push_back(known_[p] > 0 ? sums_[p] / known_[p] : std::nan(""));
  }
  for (const auto& counts : frequencies_) {
    centre.code.push_back(
        static_cast<Code>(std::max_element(counts.begin(), counts.end()) - counts.begin()));
  }
  return centre;
}

double NeighbourTree::least(std::uint32_t node, const StandardSpace::Centre& place) const {
  double sum = 0;
  for (std::size_t p = 0; p < numbers_; ++p) {
    const std::size_t box = node * numbers_ + p;
    const double at = place.place[p];
    if (std::isnan(at)) {
      if (boxes_.missing[box] == 0) sum += StandardSpace::kUnlike;
      continue;
    }
    const double off = std::max({0.0, boxes_.low[box] - at, at - boxes_.high[box]});
    sum += boxes_.missing[box] != 0 ? std::min(off * off, StandardSpace::kUnlike) : off * off;
  }
  for (std::size_t c = 0; c < categories_; ++c) {
    const Code code = boxes_.code[node * categories_ + c];
    if (code != kMixed && code != place.code[c]) sum += StandardSpace::kUnlike;
  }
  return sum;
}

double NeighbourTree::most(std::uint32_t node, const StandardSpace::Centre& place) const {
  double sum = 0;
  for (std::size_t p = 0; p < numbers_; ++p) {
    const std::size_t box = node * numbers_ + p;
    const double at = place.place[p];
    const bool any = boxes_.low[box] <= boxes_.high[box];
    if (std::isnan(at)) {
      if (any) sum += StandardSpace::kUnlike;
      continue;
    }
    const double off =
        any ? std::max(std::abs(boxes_.low[box] - at), std::abs(at - boxes_.high[box])) : 0;
    sum += boxes_.missing[box] != 0 ? std::max(off * off, StandardSpace::kUnlike) : off * off;
  }
  for (std::size_t c = 0; c < categories_; ++c) {
    if (boxes_.code[node * categories_ + c] != place.code[c]) sum += StandardSpace::kUnlike;
  }
  return sum;
}

std::uint32_t NeighbourTree::farthest(const StandardSpace::Centre& from) const {
  std::vector<std::pair<double, std::uint32_t>> pending;  // bound, node
  pending.emplace_back(kInfinity, 0);
  double best = -1;
  std::uint32_t farthest_item = kNone;
  while (!pending.empty()) {
    const auto [bound, id] = pending.back();
    pending.pop_back();
    // Rounding may put a bound a hair below the distance it bounds.
    if (nodes_[id].records == 0 || bound < best * (1 - 1e-12)) continue;
    const Node& node = nodes_[id];
    if (node.left == kNone) {
      for (std::uint32_t at = node.begin; at < node.end; ++at) {
        const std::uint32_t item = order_[at];
        if (left_[item] == 0) continue;
        const double distance = space_.squared_distance(items_[item].group, from);
        if (distance > best || (distance == best && item < farthest_item)) {
          best = distance;
          farthest_item = item;
        }
      }
      continue;
    }
    std::pair<double, std::uint32_t> nearer{most(node.left, from), node.left};
    std::pair<double, std::uint32_t> farther{most(node.right, from), node.right};
    if (nearer.first > farther.first) std::swap(nearer, farther);
    pending.push_back(nearer);
    pending.push_back(farther);  // the farther one is looked at first
  }
  return items_[farthest_item].group;
}

void NeighbourTree::take(std::uint32_t item, std::uint64_t records) {
  left_[item] -= records;
  for (std::uint32_t node = leaf_[item]; node != kNone; node = nodes_[node].parent) {
    nodes_[node].records -= records;
  }
  if (left_[item] == 0) shrink_boxes(leaf_[item]);
  const auto& place = places_[item];
  const auto weight = static_cast<double>(records);
  for (std::size_t p = 0; p < sums_.size(); ++p) {
    if (std::isnan(place.place[p])) continue;
    sums_[p] -= weight * place.place[p];
    known_[p] -= weight;
  }
  for (std::size_t c = 0; c < frequencies_.size(); ++c) frequencies_[c][place.code[c]] -= records;
}

Items NeighbourTree::take_nearest(const StandardSpace::Centre& to, std::uint64_t records) {
  // Nodes before items of the same distance, then the first item.
  struct Candidate {
    double distance;
    bool is_item;
    std::uint32_t id;
    bool operator>(const Candidate& other) const {
      if (distance != other.distance) return distance > other.distance;
      if (is_item != other.is_item) return is_item;
      return id > other.id;
    }
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  queue.push({0, false, 0});
  Items taken;
  while (records > 0) {
    const Candidate next = queue.top();
    queue.pop();
    if (next.is_item) {
      const std::uint64_t some = std::min(records, left_[next.id]);
      taken.push_back({items_[next.id].group, some});
      take(next.id, some);
      records -= some;
      continue;
    }
    const Node& node = nodes_[next.id];
    if (node.records == 0) continue;
    if (node.left == kNone) {
      for (std::uint32_t at = node.begin; at < node.end; ++at) {
        const std::uint32_t item = order_[at];
        if (left_[item] == 0) continue;
        queue.push({space_.squared_distance(items_[item].group, to), true, item});
      }
      continue;
    }
    // A hair less than the bound, so that rounding hides no item that ties.
    for (const std::uint32_t child : {node.left, node.right}) {
      if (nodes_[child].records > 0) {
        queue.push({least(child, to) * (1 - 1e-12), false, child});
      }
    }
  }
  return taken;
}

Items NeighbourTree::rest() const {
  Items left;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    if (left_[i] > 0) left.push_back({items_[i].group, left_[i]});
  }
  return left;
}

}  // namespace pratique::tables
