// Every pair that is in all, and every pair that is in some, maximum matching, from one of them.
//
// Peeling comes first: what it takes out is in every maximum matching, and leaves the rest smaller.
// Residual graph of a maximum flow: from a sub group to its supertrails, from a super group to the
// subs that go there, from a super group with a free element to the sink, and from the sink to
// every super group that is used. All subs are matched, so the source takes no part. A pair of
// groups that is not used now is used by some maximum flow when both ends are in one strongly
// connected component. Elements of a group are interchangeable: whoever is in a used pair of groups
// is a partner of everybody at the other end, and only a pair of single elements can be in every
// matching. It is when it is used now and its ends are in different components; for that, a sub of
// one element has no edge to where it goes.
//
// Components by Tarjan (1972). The edges to supertrails are not kept: supertrails not yet visited
// are asked for one by one, and once there are none, those still on the stack are walked over for
// the lowest number. Numbers that cannot be beaten end the walk, which spares most of it.
#include <algorithm>

#include "pratique/trails/attack/internal/algorithms.h"
#include "pratique/trails/attack/internal/matching.h"

namespace pratique::trails {
namespace {

constexpr std::uint32_t kUnvisited = 0xffffffffU;

class Components {
 public:
  Components(const Subtrails& trails, const Peeling& peeling, const Matching& matching,
             Progress& progress)
      : trails_(trails),
        matching_(matching),
        progress_(progress),
        subs_(trails.sub().size()),
        sink_(subs_ + trails.super().size()),
        number_(sink_ + 1, kUnvisited),
        low_(sink_ + 1, 0),
        component_(sink_ + 1, kUnvisited),
        unvisited_(peeling.left()),
        cursor_(subs_, 0),
        on_stack_(trails.super().size(), false) {
    progress_.begin("finding what every matching shares", number_.size());
    // The sink first: it is at the bottom of what is often the largest component. Subs are reached
    // from where they go.
    visit_all_from(sink_);
    for (std::size_t position = 0; position < sink_ - subs_; ++position) {
      if (peeling.left().contains(position)) visit_all_from(subs_ + position);
    }
  }

  [[nodiscard]] bool together(std::size_t sub, std::size_t position) const {
    return component_[sub] == component_[subs_ + position] && component_[sub] != kUnvisited;
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::uint32_t next = 0;  // of the sink's positions or of a position's subs
  };

  void visit_all_from(std::size_t root) {
    if (number_[root] != kUnvisited) return;
    bottom_ = count_;
    push(root);
    while (!frames_.empty()) {
      const std::size_t node = frames_.back().node;
      const std::size_t child = next_child(frames_.back());
      if (child != Subtrails::kNone) {
        push(child);
        continue;
      }
      if (node < subs_) lower_by_supertrails(node);
      frames_.pop_back();
      if (low_[node] == number_[node]) pop_component(node);
      if (!frames_.empty() && component_[node] == kUnvisited) {
        lower(frames_.back().node, low_[node]);
      }
    }
  }

  void push(std::size_t node) {
    number_[node] = low_[node] = count_++;
    stack_.push_back(static_cast<std::uint32_t>(node));
    frames_.push_back({static_cast<std::uint32_t>(node)});
    if (node >= subs_ && node < sink_) {
      unvisited_.erase(node - subs_);
      on_stack_.insert(node - subs_);
    }
    if (count_ % 4096 == 0) progress_.set(count_);
  }

  void pop_component(std::size_t root) {
    std::size_t node = sink_ + 1;
    while (node != root) {
      node = stack_.back();
      stack_.pop_back();
      component_[node] = static_cast<std::uint32_t>(root);
      if (node >= subs_ && node < sink_) on_stack_.erase(node - subs_);
    }
  }

  // A neighbour not yet visited; on the way, the number of those on the stack is taken over, but
  // for supertrails.
  std::size_t next_child(Frame& frame) {
    const std::size_t node = frame.node;
    if (node == sink_) {
      while (frame.next < sink_ - subs_) {
        const std::size_t position = frame.next++;
        if (matching_.into(position).empty()) continue;
        const std::size_t child = subs_ + position;
        if (number_[child] == kUnvisited) return child;
        if (component_[child] == kUnvisited) lower(node, low_[child]);
      }
      return Subtrails::kNone;
    }
    if (node < subs_) {
      const std::size_t position = trails_.next_supertrail(node, unvisited_, cursor_[node]);
      return position == Subtrails::kNone ? position : subs_ + position;
    }
    const std::size_t position = node - subs_;
    if (frame.next == 0 && matching_.free(position) > 0) {
      if (number_[sink_] == kUnvisited) return sink_;
      if (component_[sink_] == kUnvisited) lower(node, low_[sink_]);
    }
    const auto& into = matching_.into(position);
    while (frame.next < into.size()) {
      const std::size_t child = into[frame.next++].sub;
      if (number_[child] == kUnvisited) return child;
      if (component_[child] == kUnvisited) lower(node, low_[child]);
    }
    return Subtrails::kNone;
  }

  void lower_by_supertrails(std::size_t sub) {
    if (low_[sub] == bottom_) return;
    const std::size_t came_from = frames_[frames_.size() - 2].node - subs_;
    const std::size_t skipped = trails_.sub().capacity(sub) == 1 ? came_from : Subtrails::kNone;
    trails_.for_each_supertrail(sub, on_stack_, [&](std::size_t position) {
      if (position != skipped) lower(sub, low_[subs_ + position]);
      return low_[sub] > bottom_;
    });
  }

  void lower(std::size_t node, std::uint32_t number) { low_[node] = std::min(low_[node], number); }

  const Subtrails& trails_;
  const Matching& matching_;
  Progress& progress_;
  std::size_t subs_;  // nodes: sub groups, then super positions, then the sink
  std::size_t sink_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> component_;
  PositionSet unvisited_;
  std::vector<std::uint32_t> cursor_;  // by sub group, for Subtrails::next_supertrail
  PositionSet on_stack_;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::uint32_t count_ = 0;
  std::uint32_t bottom_ = 0;  // the number of the root: nothing on the stack has a lower one
};

}  // namespace

GroupAttack attack_exactly(const Subtrails& trails, std::uint64_t count_to, Progress& progress) {
  GroupAttack result;
  const Peeling peeling(trails, Peeling::Rule::groups, progress);
  result.impossible = peeling.impossible();
  if (!result.impossible.empty()) return result;
  const Matching matching(trails, peeling, progress);
  for (std::size_t sub = 0; sub < trails.sub().size(); ++sub) {
    if (matching.unmatched(sub) > 0) result.impossible.push_back(sub);
  }
  if (!result.impossible.empty()) return result;

  const Components components(trails, peeling, matching, progress);
  // Where every maximum matching sends the same elements.
  std::vector<GroupLink> always = peeling.taken();
  const std::size_t positions = trails.super().size();
  for (std::size_t position = 0; position < positions; ++position) {
    for (const auto& flow : matching.into(position)) {
      if (!components.together(flow.sub, position)) always.push_back({flow.sub, position});
    }
  }
  for (const auto& link : always) {
    if (trails.sub().capacity(link.sub) == 1 && trails.super_capacity(link.position) == 1) {
      result.links.push_back(link);
    }
  }
  if (count_to == 0) return result;

  result.partners = count_candidates(
      trails, peeling.left(), count_to,
      [&](std::size_t sub, std::size_t position) { return components.together(sub, position); },
      progress);
  for (const auto& link : always) {
    auto& partners = result.partners[link.sub];
    partners = std::min<std::uint64_t>(count_to, partners + trails.super_capacity(link.position));
  }
  return result;
}

}  // namespace pratique::trails
