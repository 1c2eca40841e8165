#include "pratique/trails/distinct_trails.h"

#include <algorithm>
#include <bit>

namespace pratique::trails {
namespace {

std::uint64_t hash(std::span<const Location> trail) {
  std::uint64_t state = trail.size();
  for (const Location location : trail) {
    state = (state ^ location) * 0x9e3779b97f4a7c15ULL;
    state ^= state >> 29U;
  }
  return state * 0xbf58476d1ce4e5b9ULL;
}

constexpr std::uint32_t kNone = 0xffffffffU;

}  // namespace

DistinctTrails::DistinctTrails(const Side& side) {
  // Open addressing over the groups found so far; a slot keeps 32 bits of the hash beside the
  // group.
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t group = kNone;
  };
  std::vector<Slot> slots(std::bit_ceil(2 * side.elements() + 2));
  const std::size_t mask = slots.size() - 1;
  std::vector<std::uint32_t> group_of(side.elements(), kNone);
  std::vector<std::size_t> sizes;
  for (Element e = 0; e < side.elements(); ++e) {
    const auto trail = side.trail(e);
    if (trail.empty()) continue;
    const std::uint64_t h = hash(trail);
    const auto tag = static_cast<std::uint32_t>(h);
    for (std::size_t i = (h >> 20U) & mask;; i = (i + 1) & mask) {
      Slot& slot = slots[i];
      if (slot.group == kNone) {
        slot = {tag, static_cast<std::uint32_t>(sizes.size())};
        locations_.insert(locations_.end(), trail.begin(), trail.end());
        trail_starts_.push_back(locations_.size());
        sizes.push_back(0);
      } else if (slot.tag != tag || !std::ranges::equal(this->trail(slot.group), trail)) {
        continue;
      }
      group_of[e] = slot.group;
      ++sizes[slot.group];
      break;
    }
  }
  for (const auto size : sizes) member_starts_.push_back(member_starts_.back() + size);
  members_.resize(member_starts_.back());
  std::vector<std::size_t> next(member_starts_.begin(), member_starts_.end() - 1);
  for (Element e = 0; e < side.elements(); ++e) {
    if (group_of[e] != kNone) members_[next[group_of[e]]++] = e;
  }
}

}  // namespace pratique::trails
