// Whichever of several methods loses least.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/tables/method/method.h"

namespace pratique::tables {

// Of mondrian, the clusterings, optimal and local, by the method's metric, lm or ncp. The quick
// ones come first; none is begun after the time limit, and its note says what each lost.
[[nodiscard]] Protected best_of_methods(const ProtectionInput& input, const Models& models,
                                        const Method& method, Progress& progress);

}  // namespace pratique::tables
