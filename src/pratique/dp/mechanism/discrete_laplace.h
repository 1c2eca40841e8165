// The Laplace mechanism on whole numbers (the two-sided geometric mechanism).
//
// Definition. X is discrete Laplace with rate r: P(X = x) = (1 - q) / (1 + q) q^|x|, q = exp(-r).
//
// Theorem (Ghosh, Roughgarden and Sundararajan 2009; Dwork et al. 2006 for the continuous one). Let
// f map data to whole numbers, or to vectors of them, and let it differ by at most D in the sum of
// absolute differences between neighbours. Then f + X with independent X of rate epsilon / D is
// epsilon-differentially private: P(X = x) / P(X = y) = exp(-r (|x| - |y|)) <= exp(r |x - y|).
//
// Why this code has it. X is a geometric magnitude and a fair sign, and (minus, 0) is drawn again,
// so that 0 is not counted twice: P(x) is proportional to q^|x|. Both parts are exact
// (geometric.h), epsilon / D is a fraction, and f + X is a sum of whole numbers: no rounding
// anywhere, so no low bits that tell f (Mironov 2012). Sums that are not whole numbers are put on a
// grid of declared width before noise is added (query/fixed_point.h).
#pragma once

#include <cstdint>

#include "pratique/dp/mechanism/geometric.h"

namespace pratique::dp {

class DiscreteLaplace {
 public:
  // rate = epsilon / sensitivity
  explicit DiscreteLaplace(const Rational& rate) : rate_(rate), magnitude_(rate) {}

  [[nodiscard]] std::int64_t draw(RandomBits& random) const {
    while (true) {
      const bool negative = random.coin();
      const auto magnitude = static_cast<std::int64_t>(magnitude_.draw(random));
      if (!negative) return magnitude;
      if (magnitude != 0) return -magnitude;
    }
  }

  [[nodiscard]] double rate() const { return rate_.value(); }
  // 2 q / (1 - q)^2
  [[nodiscard]] double variance() const;
  // E|X| = 2 q / (1 - q^2)
  [[nodiscard]] double mean_magnitude() const;
  // The least t >= 0 with P(|X| > t) <= probability.
  [[nodiscard]] std::int64_t bound(double probability) const;

 private:
  Rational rate_;
  Geometric magnitude_;
};

}  // namespace pratique::dp
