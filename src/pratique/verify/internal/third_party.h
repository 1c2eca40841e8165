// What the third party sees that got the submitted lists and chose what is published of them.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "pratique/verify/internal/link_graph.h"
#include "pratique/verify/internal/trail_lists.h"

namespace pratique::verify {

// Published groups, null trails last, each with the submitted trails it was made of and how often.
using MadeOf = std::vector<std::map<std::vector<Code>, std::uint32_t>>;

[[nodiscard]] MadeOf made_of(const TrailLists& lists, std::uint32_t null_trails);

// Definition 24: B = Q P^t. Q links submitted trails to people, P published trails to the submitted
// ones they were made of.
[[nodiscard]] LinkGraph central_graph(const TrailLists& lists, const MadeOf& groups,
                                      bool has_null_group, Progress& progress);

// The fewest partners by all that it can know: over the maximum matchings of submitted samples and
// people, each with any assignment of published samples to submitted ones of the same published
// trail.
[[nodiscard]] std::optional<std::uint64_t> fewest_joint_partners(const TrailLists& lists,
                                                                 const MadeOf& groups,
                                                                 bool has_null_group,
                                                                 Progress& progress);

}  // namespace pratique::verify
