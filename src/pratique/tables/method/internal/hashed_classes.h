// Counts the classes of nodes that have nothing to do with each other, for searches that jump about
// in a large lattice: where node_classes.h would roll up anew from far away, this goes through the
// records once for each node.
//
// A class is told by 64 bits: the sum of numbers drawn for its cells. Two classes of one node may
// share them, by a chance of about one in a billion even for a hundred thousand classes. So what it
// says guides a search; what the search ends with is counted exactly.
#pragma once

#include "pratique/tables/method/internal/node_classes.h"

namespace pratique::tables::internal {

// Whether the models look at nothing but records and their sensitive values, as this does.
[[nodiscard]] bool can_be_hashed(const Models& models);

[[nodiscard]] std::unique_ptr<NodeClasses> hashed_classes(const ProtectionInput& input,
                                                          const std::vector<LevelCodes>& codes,
                                                          const Models& models);

}  // namespace pratique::tables::internal
