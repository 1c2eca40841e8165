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

}  // namespace

std::size_t DistinctTrails::slot_of(std::span<const Location> trail, std::uint64_t h) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(h);
  std::size_t i = (h >> 20U) & mask;
  while (slots_[i].group != kNone &&
         (slots_[i].tag != tag || !std::ranges::equal(this->trail(slots_[i].group), trail))) {
    i = (i + 1) & mask;
  }
  return i;
}

std::optional<std::size_t> DistinctTrails::find(std::span<const Location> trail) const {
  const Slot& slot = slots_[slot_of(trail, hash(trail))];
  return slot.group == kNone ? std::nullopt : std::optional<std::size_t>(slot.group);
}

DistinctTrails::DistinctTrails(const Side& side) : slots_(std::bit_ceil(2 * side.elements() + 2)) {
  std::vector<std::uint32_t> group_of(side.elements(), kNone);
  std::vector<std::size_t> sizes;
  for (Element e = 0; e < side.elements(); ++e) {
    const auto trail = side.trail(e);
    if (trail.empty()) continue;
    const std::uint64_t h = hash(trail);
    Slot& slot = slots_[slot_of(trail, h)];
    if (slot.group == kNone) {
      slot = {static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(sizes.size())};
      locations_.insert(locations_.end(), trail.begin(), trail.end());
      trail_starts_.push_back(locations_.size());
      sizes.push_back(0);
    }
    group_of[e] = slot.group;
    ++sizes[slot.group];
  }
  for (const auto size : sizes) member_starts_.push_back(member_starts_.back() + size);
  members_.resize(member_starts_.back());
  std::vector<std::size_t> next(member_starts_.begin(), member_starts_.end() - 1);
  for (Element e = 0; e < side.elements(); ++e) {
    if (group_of[e] != kNone) members_[next[group_of[e]]++] = e;
  }
}

}  // namespace pratique::trails
