// The search of a lattice that is too large to look at all of it: a best effort (optimal.h says how
// it goes about it).
#pragma once

#include "pratique/tables/method/internal/node_search.h"

namespace pratique::tables::internal {

// After NodeSearch::descend; the best is the search's.
void explore_large_lattice(NodeSearch& search);

}  // namespace pratique::tables::internal
