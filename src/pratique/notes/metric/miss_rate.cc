#include "pratique/notes/metric/miss_rate.h"

#include <cmath>

namespace pratique::notes {
namespace {

// P(X <= m), X binomial of n and p, 0 < p < 1.
double binomial_at_most(std::uint64_t m, std::uint64_t n, double p) {
  const auto trials = static_cast<double>(n);
  double sum = 0;
  for (std::uint64_t k = 0; k <= m; ++k) {
    const auto hits = static_cast<double>(k);
    sum +=
        std::exp(std::lgamma(trials + 1) - std::lgamma(hits + 1) - std::lgamma(trials - hits + 1) +
                 hits * std::log(p) + (trials - hits) * std::log1p(-p));
  }
  return sum;
}

}  // namespace

double miss_rate_at_most(std::uint64_t missed, std::uint64_t marked, double confidence) {
  if (marked == 0 || missed >= marked) return 1;
  double low = static_cast<double>(missed) / static_cast<double>(marked);
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (binomial_at_most(missed, marked, middle) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

}  // namespace pratique::notes
