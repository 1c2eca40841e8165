// A cut through the tree: the node that each code has become in all records.
#pragma once

#include <vector>

#include "pratique/codes/internal/rare_sets.h"
#include "pratique/codes/protection.h"

namespace pratique::codes {

// The records of the task with every code as it is.
[[nodiscard]] LabelledRecords label_with_codes(const Task& task);

// By code; `records` are left with the labels of the cut.
[[nodiscard]] std::vector<Node> find_cut(const Task& task, LabelledRecords& records,
                                         Progress& progress);

}  // namespace pratique::codes
