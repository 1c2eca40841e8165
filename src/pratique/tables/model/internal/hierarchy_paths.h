// A hierarchy as claims carry it: a path of labels for each leaf, leaf first, root last.
#pragma once

#include <set>

#include "pratique/core/json.h"
#include "pratique/data/hierarchy.h"

namespace pratique::tables {

[[nodiscard]] Json path_of(const Hierarchy& hierarchy, Hierarchy::Node leaf);
// In the order of their labels.
[[nodiscard]] Json all_paths(const Hierarchy& hierarchy);
// Of these leaves, in an order that tells nothing, and of nodes over none of them: there the node
// stands in place of what is below it.
[[nodiscard]] Json paths_through(const Hierarchy& hierarchy,
                                 const std::set<Hierarchy::Node>& leaves,
                                 const std::set<Hierarchy::Node>& nodes);

}  // namespace pratique::tables
