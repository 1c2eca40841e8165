// What no node of a lattice too large to search can beat, from parts of the columns.
//
// Take some of the columns, and a node of all. With models that survive growth, whatever is a class
// that holds by all columns is in a class that holds by some of them: no more records are
// suppressed there, and a cell costs what it did, or less than a suppressed one. So these columns'
// share of the cost is no less than what the best node over them alone costs. The columns are
// parted into sets whose lattices are small enough to search all of; the bound is the mean over all
// columns.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/tables/method/optimal.h"

namespace pratique::tables::internal {

// By LM or NCP; 0 where the argument does not hold: for other metrics and models.
[[nodiscard]] double bound_by_columns(const ProtectionInput& input, const Models& models,
                                      const OptimalOptions& options, Progress& progress);

}  // namespace pratique::tables::internal
