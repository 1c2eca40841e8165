// A hierarchy over a column as a person looks at it: its levels, the tree with how many rows stand
// under each node, and the values of the column that it lacks, each with the values nearest to it.
// It names values of the data: it is for the steward who holds them, and no part of a release.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::tables {

struct HierarchyGap {
  std::string value;
  std::uint64_t rows = 0;
  std::vector<std::string> nearest;  // leaves, at most three
};

struct HierarchyView {
  std::uint64_t missing_values = 0;  // values of the column that the tree lacks
  std::uint64_t missing_rows = 0;
  std::vector<HierarchyGap> gaps;   // the most frequent, at most `most_gaps`
  std::vector<std::uint64_t> rows;  // under each node
};

[[nodiscard]] HierarchyView view_hierarchy(const Hierarchy& hierarchy, const Column& column,
                                           const std::vector<std::uint64_t>& counts,
                                           std::size_t most_gaps = 100);

// {height, leaves, levels[{level, values, examples}], tree{label, level, rows, leaves, children,
// more?}, gaps{values, rows, list[{value, rows, nearest}]}}. The tree has at most `nodes` nodes,
// those near the root first; `more` says how many children were left out.
[[nodiscard]] Json to_json(const HierarchyView& view, const Hierarchy& hierarchy,
                           std::size_t nodes);

}  // namespace pratique::tables
