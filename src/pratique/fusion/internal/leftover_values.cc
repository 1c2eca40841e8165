#include "pratique/fusion/internal/leftover_values.h"

#include <algorithm>
#include <limits>
#include <set>

namespace pratique::fusion::internal {
namespace {

// Dinic's algorithm. An arrow and its reverse stand beside each other.
class Flow {
 public:
  explicit Flow(std::size_t nodes) : out_(nodes) {}

  // Its number; the reverse has the next.
  std::size_t add(std::size_t from, std::size_t to, std::uint64_t room) {
    arrows_.push_back({to, room});
    arrows_.push_back({from, 0});
    out_[from].push_back(arrows_.size() - 2);
    out_[to].push_back(arrows_.size() - 1);
    return arrows_.size() - 2;
  }
  std::uint64_t fill(std::size_t source, std::size_t sink) {
    std::uint64_t all = 0;
    while (levels_from(source)[sink] != kFar) {
      next_.assign(out_.size(), 0);
      while (const auto more = push(source, sink, kFar)) all += more;
    }
    return all;
  }
  [[nodiscard]] std::uint64_t used(std::size_t arrow) const { return arrows_[arrow + 1].room; }
  [[nodiscard]] std::uint64_t spare(std::size_t arrow) const { return arrows_[arrow].room; }

  // By node, the number of its strongly connected part of the residual graph (Tarjan, without
  // recursion).
  [[nodiscard]] std::vector<std::size_t> parts() const {
    const std::size_t none = out_.size();
    std::vector<std::size_t> part(out_.size(), none);
    std::vector<std::size_t> order(out_.size(), none);
    std::vector<std::size_t> low(out_.size(), none);
    std::vector<std::size_t> at(out_.size(), 0);
    std::vector<std::size_t> open;
    std::vector<std::size_t> path;
    std::size_t seen = 0;
    std::size_t parts = 0;
    for (std::size_t start = 0; start < out_.size(); ++start) {
      if (order[start] != none) continue;
      path = {start};
      while (!path.empty()) {
        const std::size_t node = path.back();
        if (order[node] == none) {
          order[node] = low[node] = seen++;
          open.push_back(node);
        }
        if (at[node] < out_[node].size()) {
          const Arrow& arrow = arrows_[out_[node][at[node]++]];
          if (arrow.room == 0) continue;
          if (order[arrow.to] == none) {
            path.push_back(arrow.to);
          } else if (part[arrow.to] == none) {
            low[node] = std::min(low[node], order[arrow.to]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[node]);
        if (low[node] != order[node]) continue;
        while (true) {
          const std::size_t member = open.back();
          open.pop_back();
          part[member] = parts;
          if (member == node) break;
        }
        ++parts;
      }
    }
    return part;
  }

 private:
  static constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();
  struct Arrow {
    std::size_t to;
    std::uint64_t room;
  };

  const std::vector<std::uint64_t>& levels_from(std::size_t source) {
    level_.assign(out_.size(), kFar);
    level_[source] = 0;
    std::vector<std::size_t> queue = {source};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const auto number : out_[queue[i]]) {
        const Arrow& arrow = arrows_[number];
        if (arrow.room == 0 || level_[arrow.to] != kFar) continue;
        level_[arrow.to] = level_[queue[i]] + 1;
        queue.push_back(arrow.to);
      }
    }
    return level_;
  }
  // Its depth is at most the number of levels: a few, and two more for each detour.
  std::uint64_t push(std::size_t node, std::size_t sink, std::uint64_t most) {
    if (node == sink) return most;
    for (; next_[node] < out_[node].size(); ++next_[node]) {
      const std::size_t number = out_[node][next_[node]];
      const std::size_t to = arrows_[number].to;
      if (arrows_[number].room == 0 || level_[to] != level_[node] + 1) continue;
      const auto pushed = push(to, sink, std::min(most, arrows_[number].room));
      if (pushed == 0) continue;
      arrows_[number].room -= pushed;
      arrows_[number ^ 1U].room += pushed;
      return pushed;
    }
    return 0;
  }

  std::vector<std::vector<std::size_t>> out_;
  std::vector<Arrow> arrows_;
  std::vector<std::uint64_t> level_;
  std::vector<std::size_t> next_;
};

// The flow of the header's definition. Of `asked` classes so many people are alone as they say; of
// others as many as there are besides, wherever they are.
class AloneFlow {
 public:
  AloneFlow(const LeftOver& rest, std::uint64_t people, std::optional<std::size_t> asked,
            std::uint64_t alone)
      : people_(people) {
    std::uint64_t surplus = 0;
    for (const auto& [value, count] : rest.surplus) surplus += count;
    for (const auto& part : rest.classes) {
      for (const auto& [value, count] : *part.values) node_of_.emplace(value, 0);
    }
    std::size_t nodes = kFirstClass + rest.classes.size();
    for (auto& [value, node] : node_of_) node = nodes++;
    flow_ = Flow(nodes);
    if (surplus > people) return;
    flow_.add(kCancelled, kSink, people - surplus);
    for (const auto& [value, node] : node_of_) {
      if (const auto more = rest.surplus.find(value); more != rest.surplus.end())
        flow_.add(node, kSink, more->second);
      if (const auto same = rest.common.find(value); same != rest.common.end())
        flow_.add(node, kCancelled, same->second);
    }
    if (asked) flow_.add(kSource, kOthers, people - alone);
    for (std::size_t c = 0; c < rest.classes.size(); ++c) {
      const bool is_other = asked && *asked != c;
      flow_.add(is_other ? kOthers : kSource, kFirstClass + c,
                is_other ? people
                : asked  ? alone
                         : rest.classes[c].alone);
      first_arrow_.push_back(0);
      for (const auto& [value, count] : *rest.classes[c].values) {
        const std::size_t arrow = flow_.add(kFirstClass + c, node_of_.at(value), count);
        if (first_arrow_.back() == 0) first_arrow_.back() = arrow;
      }
    }
    filled_ = flow_.fill(kSource, kSink);
  }

  [[nodiscard]] std::uint64_t filled() const { return filled_; }
  [[nodiscard]] bool fits() const { return filled_ == people_; }

  struct Left {
    bool alone = false;    // fewer than l values are left to those who are alone in the class
    bool in_both = false;  // and to those who are in both releases
  };
  [[nodiscard]] Left left_in(std::size_t c, const LeftOver& rest,
                             std::span<const std::uint32_t> said_by, std::uint64_t l) {
    if (part_.empty()) part_ = flow_.parts();
    std::set<std::uint32_t> said;
    std::set<std::uint32_t> of_alone;
    std::set<std::uint32_t> of_both;
    std::size_t arrow = first_arrow_[c];
    for (const auto& [value, count] : *rest.classes[c].values) {
      const std::uint32_t says = said_by.empty() ? value : said_by[value];
      const bool either = part_[kFirstClass + c] == part_[node_of_.at(value)];
      said.insert(says);
      if (either || flow_.used(arrow) > 0) of_alone.insert(says);
      if (either || flow_.spare(arrow) > 0) of_both.insert(says);
      arrow += 2;
    }
    if (said.size() < l) return {};  // which no difference is needed for
    return {of_alone.size() < l, of_both.size() < l};
  }

 private:
  static constexpr std::size_t kSource = 0;
  static constexpr std::size_t kSink = 1;
  static constexpr std::size_t kCancelled = 2;
  static constexpr std::size_t kOthers = 3;
  static constexpr std::size_t kFirstClass = 4;

  std::uint64_t people_;
  std::uint64_t filled_ = 0;
  std::map<std::uint32_t, std::size_t> node_of_;  // by value
  Flow flow_{0};
  std::vector<std::size_t> first_arrow_;  // by class, to its first value
  std::vector<std::size_t> part_;
};

// Each class by itself: the only one of its people who is alone, where that can be.
Narrowed narrowed_wherever(const LeftOver& rest, std::span<const std::uint32_t> said_by,
                           std::uint64_t l) {
  // A flow for each class is too dear where there are thousands; differences of so many
  // classes are looked at in parts as well, where one release's lie within those of the other.
  constexpr std::size_t kMostClasses = 500;
  const std::uint64_t people = *rest.alone_in_all;
  if (people == 0 || rest.classes.size() > kMostClasses) return {};
  Narrowed narrowed;
  for (std::size_t c = 0; c < rest.classes.size(); ++c) {
    AloneFlow flow(rest, people, c, 1);
    if (flow.fits() && flow.left_in(c, rest, said_by, l).alone) ++narrowed.alone;
  }
  narrowed.alone = std::min(narrowed.alone, people);
  return narrowed;
}

}  // namespace

Narrowed narrowed_by(const LeftOver& rest, std::span<const std::uint32_t> said_by,
                     std::uint64_t l) {
  if (rest.alone_in_all) return narrowed_wherever(rest, said_by, l);
  std::uint64_t people = 0;
  for (const auto& part : rest.classes) people += part.alone;
  if (people == 0) return {};
  AloneFlow flow(rest, people, std::nullopt, 0);
  if (!flow.fits()) return {};
  Narrowed narrowed;
  for (std::size_t c = 0; c < rest.classes.size(); ++c) {
    const auto left = flow.left_in(c, rest, said_by, l);
    if (left.alone) narrowed.alone += rest.classes[c].alone;
    if (left.in_both) narrowed.in_both += rest.classes[c].in_both;
  }
  return narrowed;
}

}  // namespace pratique::fusion::internal
