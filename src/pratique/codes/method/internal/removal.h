// Goes on where no cut without rare sets is finer: lowers nodes of a cut all the same, and removes
// from records what becomes rare, as far as is allowed.
//
// Nodes are lowered one after the other, whichever gains most for each code that is removed, as
// long as it gains anything; a removed code costs as much as one that became the root. Lowering a
// node makes no set rare but those with one of its children; so from records with such a set the
// child goes, until no such set is left.
#pragma once

#include <vector>

#include "pratique/codes/method/internal/rare_sets.h"
#include "pratique/codes/method/protection.h"

namespace pratique::codes {

// How many codes of all patients the task allows to remove (Parameters::suppression).
[[nodiscard]] std::uint64_t codes_that_may_go(const Task& task);

// `records` have the labels of `cut`, by code, and no rare sets; and so they have afterwards. The
// number of codes that were removed.
[[nodiscard]] std::uint64_t lower_by_removal(const Task& task, LabelledRecords& records,
                                             std::vector<Node>& cut, std::uint64_t allowed,
                                             Progress& progress);

}  // namespace pratique::codes
