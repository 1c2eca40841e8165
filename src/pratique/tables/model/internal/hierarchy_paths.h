// A hierarchy as claims carry it: a path of labels for each leaf, leaf first, root last.
#pragma once

#include "pratique/core/json.h"
#include "pratique/data/hierarchy.h"

namespace pratique::tables {

[[nodiscard]] Json path_of(const Hierarchy& hierarchy, Hierarchy::Node leaf);
// In the order of their labels.
[[nodiscard]] Json all_paths(const Hierarchy& hierarchy);

}  // namespace pratique::tables
