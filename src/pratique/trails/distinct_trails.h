// The different trails of one side, each with the elements that have it. Equal trails cannot be
// told apart, so algorithms work on these and never on single elements.
#pragma once

#include <optional>

#include "pratique/trails/world.h"

namespace pratique::trails {

class DistinctTrails {
 public:
  DistinctTrails() = default;
  // Elements that were seen nowhere have no trail and are in no group.
  explicit DistinctTrails(const Side& side);

  [[nodiscard]] std::size_t size() const { return trail_starts_.size() - 1; }
  [[nodiscard]] std::span<const Location> trail(std::size_t group) const {
    return slice(locations_, trail_starts_, group);
  }
  [[nodiscard]] std::span<const Element> members(std::size_t group) const {
    return slice(members_, member_starts_, group);
  }
  [[nodiscard]] std::size_t capacity(std::size_t group) const { return members(group).size(); }
  // The group with exactly this trail.
  [[nodiscard]] std::optional<std::size_t> find(std::span<const Location> trail) const;
  // All elements that were seen.
  [[nodiscard]] std::size_t elements() const { return members_.size(); }

 private:
  template <class Item>
  static std::span<const Item> slice(const std::vector<Item>& items,
                                     const std::vector<std::size_t>& starts, std::size_t group) {
    return std::span(items).subspan(starts[group], starts[group + 1] - starts[group]);
  }

  // Open addressing over the groups; a slot keeps 32 bits of the hash beside the group.
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t group = kNone;
  };
  // The slot that has the trail, or the empty one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::span<const Location> trail, std::uint64_t hash) const;

  std::vector<Slot> slots_ = std::vector<Slot>(1);
  std::vector<std::size_t> trail_starts_ = {0};
  std::vector<Location> locations_;
  std::vector<std::size_t> member_starts_ = {0};
  std::vector<Element> members_;
};

}  // namespace pratique::trails
