// The four algorithms on groups. Each returns pairs of groups; all of them but `multiple` pair
// groups of one element only.
#pragma once

#include <functional>

#include "pratique/core/progress.h"
#include "pratique/trails/attack/internal/subtrails.h"

namespace pratique::trails {

struct GroupLink {
  std::size_t sub = 0;       // group
  std::size_t position = 0;  // of the super group in Subtrails
};

struct GroupAttack {
  std::vector<GroupLink> links = {};
  std::vector<std::uint64_t> partners =
      {};  // per sub group, at most count_to; empty for count_to 0
  // Sub groups, or members of them, that have nobody on the other side.
  std::vector<std::size_t> impossible = {};
};

// GroupLink::position is the super group itself here: equal trails need no order.
GroupAttack attack_complete(const DistinctTrails& sub, const DistinctTrails& super,
                            const std::vector<bool>& complete, std::uint64_t count_to);
GroupAttack attack_incomplete(const Subtrails& trails, std::uint64_t count_to, Progress& progress);
GroupAttack attack_multiple(const Subtrails& trails, std::uint64_t count_to, Progress& progress);
GroupAttack attack_exactly(const Subtrails& trails, std::uint64_t count_to, Progress& progress);

// How many elements on the super side each sub group may be, counted up to `limit`, when only
// supertrails in `among` that `allowed(sub, position)` are candidates. On all cores.
std::vector<std::uint64_t> count_candidates(
    const Subtrails& trails, const PositionSet& among, std::uint64_t limit,
    const std::function<bool(std::size_t sub, std::size_t position)>& allowed, Progress& progress);

}  // namespace pratique::trails
