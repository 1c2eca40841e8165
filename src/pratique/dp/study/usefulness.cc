#include "pratique/dp/study/usefulness.h"

#include <algorithm>
#include <cmath>

namespace pratique::dp {

Usefulness usefulness(const std::vector<double>& largest_errors) {
  constexpr double kDoubtOfUsefulness = 0.05;
  if (largest_errors.empty()) return {};
  return {*std::max_element(largest_errors.begin(), largest_errors.end()),
          1 - std::pow(kDoubtOfUsefulness, 1 / static_cast<double>(largest_errors.size()))};
}

}  // namespace pratique::dp
