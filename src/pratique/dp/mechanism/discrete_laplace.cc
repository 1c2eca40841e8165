#include "pratique/dp/mechanism/discrete_laplace.h"

#include <algorithm>
#include <cmath>

namespace pratique::dp {

double DiscreteLaplace::variance() const {
  const double q = std::exp(-rate());
  const double p = -std::expm1(-rate());
  return 2 * q / (p * p);
}

double DiscreteLaplace::mean_magnitude() const {
  return 2 * std::exp(-rate()) / -std::expm1(-2 * rate());
}

std::int64_t DiscreteLaplace::bound(double probability) const {
  // P(|X| > t) = 2 q^(t + 1) / (1 + q)
  const double q = std::exp(-rate());
  const double steps = -std::log(probability * (1 + q) / 2) / rate() - 1;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(steps)));
}

}  // namespace pratique::dp
