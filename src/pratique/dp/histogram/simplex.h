// The nearest point with coordinates of at least 0 that add up to `total` (Held, Wolfe and Crowder
// 1974). All 0 where the total is not above 0.
#pragma once

#include <span>

namespace pratique::dp {

void project_to_simplex(std::span<double> values, double total);

}  // namespace pratique::dp
