#include "pratique/trails/attack/internal/matching.h"

#include <algorithm>

namespace pratique::trails {

Matching::Matching(const Subtrails& trails, const Peeling& peeling, Progress& progress)
    : trails_(trails),
      flows_(trails.super().size()),
      free_(trails.super().size()),
      unmatched_(trails.sub().size()),
      free_positions_(peeling.left()),
      free_cursor_(trails.sub().size(), 0) {
  for (std::size_t p = 0; p < free_.size(); ++p) free_[p] = peeling.capacity(p);
  for (std::size_t g = 0; g < unmatched_.size(); ++g) {
    if (peeling.left(g)) unmatched_[g] = trails.sub().capacity(g);
  }
  pair_equal_trails();

  // Long trails have few supertrails, so they choose first.
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t g = 0; g < unmatched_.size(); ++g) {
    if (unmatched_[g] > 0) waiting.push_back(g);
  }
  std::ranges::stable_sort(waiting, std::greater(),
                           [&](std::uint32_t g) { return trails.sub().trail(g).size(); });
  progress.begin("matching trails", waiting.size());
  for (const auto g : waiting) {
    pair_with_free(g);
    progress.advance(1);
  }

  for (bool augmented = true; augmented;) {
    std::erase_if(waiting, [&](std::uint32_t g) { return unmatched_[g] == 0; });
    augmented = augment_all(waiting, peeling.left(), progress);
  }
}

void Matching::pair_equal_trails() {
  for (std::size_t g = 0; g < unmatched_.size(); ++g) {
    const auto equal = trails_.super().find(trails_.sub().trail(g));
    if (!equal) continue;
    const std::size_t position = trails_.position_of(*equal);
    send(g, position, std::min(unmatched_[g], free_[position]));
  }
}

void Matching::pair_with_free(std::size_t sub) {
  while (unmatched_[sub] > 0) {
    const std::size_t position = trails_.next_supertrail(sub, free_positions_, free_cursor_[sub]);
    if (position == Subtrails::kNone) return;
    send(sub, position, std::min(unmatched_[sub], free_[position]));
  }
}

bool Matching::augment_all(const std::vector<std::uint32_t>& roots, const PositionSet& positions,
                           Progress& progress) {
  progress.begin("matching along alternating paths", roots.size());
  steps_.assign(trails_.sub().size(), {});
  for (const auto root : roots) steps_[root].root = root;
  PositionSet unvisited = positions;
  std::vector<std::uint32_t> reached = roots;
  bool augmented = false;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t sub = reached[i];
    progress.check();
    std::size_t elements = room(sub);
    while (elements > 0) {
      const std::size_t open = trails_.next_supertrail(sub, free_positions_, free_cursor_[sub]);
      if (open == Subtrails::kNone) break;
      augment(sub, open, std::min(elements, free_[open]));
      augmented = true;
      elements = room(sub);
    }
    if (i < roots.size()) progress.advance(1);
    if (elements == 0) continue;
    trails_.for_each_supertrail(sub, unvisited, [&](std::size_t position) {
      unvisited.erase(position);
      for (const Flow& flow : flows_[position]) {
        if (steps_[flow.sub].root != kNobody) continue;
        steps_[flow.sub] = {sub, static_cast<std::uint32_t>(position), steps_[sub].root};
        reached.push_back(flow.sub);
      }
      return true;
    });
  }
  return augmented;
}

// How many elements of its root could still come along the way the search came to `last`.
std::size_t Matching::room(std::size_t last) const {
  const std::size_t root = steps_[last].root;
  std::size_t elements = unmatched_[root];
  for (std::size_t sub = last; elements > 0 && sub != root; sub = steps_[sub].before) {
    elements = std::min(elements, sent(sub, steps_[sub].position));
  }
  return elements;
}

// Everybody on the way back from `last` to the root makes room for the one before; `last` goes to
// `open`.
void Matching::augment(std::size_t last, std::size_t open, std::size_t elements) {
  const std::size_t root = steps_[last].root;
  std::size_t goes_to = open;
  for (std::size_t sub = last; sub != root; sub = steps_[sub].before) {
    take_back(sub, steps_[sub].position, elements);
    send(sub, goes_to, elements);
    goes_to = steps_[sub].position;
  }
  send(root, goes_to, elements);
}

void Matching::send(std::size_t sub, std::size_t position, std::size_t elements) {
  if (elements == 0) return;
  auto& flows = flows_[position];
  const auto there = std::ranges::find(flows, sub, &Flow::sub);
  if (there == flows.end()) {
    flows.push_back({static_cast<std::uint32_t>(sub), static_cast<std::uint32_t>(elements)});
  } else {
    there->elements += static_cast<std::uint32_t>(elements);
  }
  unmatched_[sub] -= elements;
  free_[position] -= elements;
  if (free_[position] == 0) free_positions_.erase(position);
}

void Matching::take_back(std::size_t sub, std::size_t position, std::size_t elements) {
  auto& flows = flows_[position];
  const auto there = std::ranges::find(flows, sub, &Flow::sub);
  there->elements -= static_cast<std::uint32_t>(elements);
  if (there->elements == 0) {
    *there = flows.back();
    flows.pop_back();
  }
  unmatched_[sub] += elements;
  free_[position] += elements;
}

std::size_t Matching::sent(std::size_t sub, std::size_t position) const {
  const auto& flows = flows_[position];
  const auto there = std::ranges::find(flows, sub, &Flow::sub);
  return there == flows.end() ? 0 : there->elements;
}

}  // namespace pratique::trails
