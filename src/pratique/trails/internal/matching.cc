#include "pratique/trails/internal/matching.h"

#include <algorithm>

namespace pratique::trails {

Matching::Matching(const Subtrails& trails, const Peeling& peeling, Progress& progress)
    : trails_(trails),
      flows_(trails.super().size()),
      free_(trails.super().size()),
      unmatched_(trails.sub().size()),
      free_positions_(peeling.left()) {
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

  for (bool found = true; found;) {
    std::erase_if(waiting, [&](std::uint32_t g) { return unmatched_[g] == 0; });
    progress.begin("matching along alternating paths", waiting.size());
    unvisited_ = peeling.left();
    found = false;
    for (const auto g : waiting) {
      while (unmatched_[g] > 0 && augment(g)) found = true;
      progress.advance(1);
    }
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
    const std::size_t position = trails_.first_supertrail(sub, free_positions_);
    if (position == Subtrails::kNone) return;
    send(sub, position, std::min(unmatched_[sub], free_[position]));
  }
}

// Sends elements of `root` along one path: root, a supertrail, somebody who goes there and can go
// elsewhere, and so on to a supertrail with a free element.
bool Matching::augment(std::size_t root) {
  struct Step {
    std::size_t sub;
    std::size_t position;  // where the sub before goes; nothing for the root
    std::size_t next;      // of those who go to the position
  };
  // Step i: the sub of step i - 1 goes to `position` instead of this sub.
  std::vector<Step> path = {{root, Subtrails::kNone, 0}};
  while (!path.empty()) {
    const std::size_t sub = path.back().sub;
    const std::size_t open = trails_.first_supertrail(sub, free_positions_);
    if (open != Subtrails::kNone) {
      std::size_t elements = std::min(unmatched_[root], free_[open]);
      for (std::size_t i = 1; i < path.size(); ++i) {
        elements = std::min(elements, sent(path[i].sub, path[i].position));
      }
      for (std::size_t i = path.size() - 1; i > 0; --i) {
        take_back(path[i].sub, path[i].position, elements);
        send(path[i].sub, i + 1 < path.size() ? path[i + 1].position : open, elements);
      }
      send(root, path.size() > 1 ? path[1].position : open, elements);
      return true;
    }
    const std::size_t position = trails_.first_supertrail(sub, unvisited_);
    if (position != Subtrails::kNone) {
      unvisited_.erase(position);
      path.push_back({flows_[position].front().sub, position, 1});
      continue;
    }
    // This sub leads nowhere; try the next one of its position.
    while (!path.empty()) {
      Step& step = path.back();
      if (step.position != Subtrails::kNone && step.next < flows_[step.position].size()) {
        step.sub = flows_[step.position][step.next++].sub;
        break;
      }
      path.pop_back();
      if (!path.empty()) break;  // the sub before looks for another position
    }
  }
  return false;
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
