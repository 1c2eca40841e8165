// The graph of possible links between the two sides of a trail release, and how many partners each
// element has in it.
#pragma once

#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/verify/internal/maximum_matchings.h"
#include "pratique/verify/internal/seen_at.h"

namespace pratique::verify {

// Left: the distinct trails of the reserved side (the de-identified one when neither is), and after
// them, when elements were never published, one group of null trails. Right: those of the other.
struct LinkGraph {
  GroupGraph groups;
  bool has_null_group = false;
  bool both_complete = false;  // neither side is reserved

  [[nodiscard]] std::size_t null_group() const { return groups.left_size.size() - 1; }
  [[nodiscard]] bool is_null(std::size_t left) const {
    return has_null_group && left == null_group();
  }
};

// A left group, and the trails it may come from: its own, or in the central view the submitted
// ones. It links to each right trail that one of these may be a part of.
struct LeftGroup {
  std::uint32_t size = 0;
  std::vector<std::vector<Code>> ancestors;
};

// Without null trails: has_null_group is for the caller to say. `complete`: locations where a blank
// on the left is an absence.
[[nodiscard]] LinkGraph link_parts(const std::vector<LeftGroup>& left, const DistinctSets& right,
                                   std::size_t locations, const std::vector<Code>& complete,
                                   Progress& progress);
[[nodiscard]] LinkGraph link_equals(const DistinctSets& left, const DistinctSets& right);

// Partners of each member of a group in some maximum matching; nothing for what needs no
// protection: null trails, elements all of whose partners are null trails, and empty groups.
struct Partners {
  std::vector<std::optional<std::uint64_t>> left;
  std::vector<std::optional<std::uint64_t>> right;
  std::uint64_t impossible = 0;  // elements that must have a counterpart and can have none
};

[[nodiscard]] Partners count_partners(const LinkGraph& graph, Progress& progress);

}  // namespace pratique::verify
