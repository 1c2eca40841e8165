// A cut through the tree: the node that each code has become in all records.
#pragma once

#include <vector>

#include "pratique/codes/method/internal/rare_sets.h"
#include "pratique/codes/method/protection.h"

namespace pratique::codes {

// The records of the task with every code as it is.
[[nodiscard]] LabelledRecords label_with_codes(const Task& task);

// In the records `with` the node, it is replaced by those of its children that the record has codes
// under.
void lower_all(LabelledRecords& records, const Task& task, Node node,
               std::span<const std::uint32_t> with);

// What became of every code in every record: the label there that is over it, if any.
[[nodiscard]] Recoding recode_by_labels(const Task& task, const LabelledRecords& records);

// By code; `records` are left with the labels of the cut.
[[nodiscard]] std::vector<Node> find_cut(const Task& task, LabelledRecords& records,
                                         Progress& progress);

}  // namespace pratique::codes
