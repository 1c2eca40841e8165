#include "pratique/dp/histogram/simplex.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace pratique::dp {

void project_to_simplex(std::span<double> values, double total) {
  if (total <= 0) {
    std::fill(values.begin(), values.end(), 0);
    return;
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0;
  double shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - total) / static_cast<double>(i + 1);
    if (sorted[i] - candidate > 0) shift = candidate;
  }
  for (double& value : values) value = std::max(0.0, value - shift);
}

}  // namespace pratique::dp
