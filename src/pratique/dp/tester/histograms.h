// Histograms as a whole, under the tester: boxes and counts together, so that a cut on true counts
// would show.
#pragma once

#include <string>
#include <vector>

#include "pratique/dp/tester/tester.h"

namespace pratique::dp {

// A few cells with many, few and no people, each with one person more.
[[nodiscard]] std::vector<NeighbourPair> pairs_of_histograms(const std::string& method,
                                                             Epsilon epsilon);

}  // namespace pratique::dp
