// Coins with exact probabilities that are no fractions.
//
// A coin of probability p compares random digits with the digits of p, the highest first, and stops
// at the first that differ: P(random number < p) = p, exactly, although only as many digits of p
// are looked at as are needed (Knuth and Yao 1976). The first 64 are kept; more are worked out,
// with whole numbers and certain bounds, in the one case in 2^64 in which they are asked for. No
// floating-point number takes part.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/dp/mechanism/noise.h"
#include "pratique/dp/mechanism/rational.h"

namespace pratique::dp {

// x < 1, given as ever narrower enclosures (internal/enclosure.h).
class ExactProbability {
 public:
  struct Digits;  // how to find more of them

  explicit ExactProbability(std::shared_ptr<const Digits> digits);

  // exp(-rate)
  [[nodiscard]] static ExactProbability exp_minus(const Rational& rate);
  // The probability with odds weight * exp(-rate), weight > 0: 1 / (1 + exp(rate)) for weight 1.
  [[nodiscard]] static ExactProbability logistic(const Rational& rate, std::uint64_t weight = 1);

  [[nodiscard]] bool draw(RandomBits& random) const {
    std::uint64_t digits = first_;
    for (int i = 0; i < 8; ++i, digits <<= 8U) {
      const std::uint64_t drawn = random.byte();
      if (drawn != digits >> 56U) return drawn < digits >> 56U;
    }
    return draw_further(random);
  }

  // Digits 64 n to 64 n + 63 after the point.
  [[nodiscard]] std::uint64_t digits(unsigned n) const;

 private:
  [[nodiscard]] bool draw_further(RandomBits& random) const;
  std::shared_ptr<const Digits> digits_;
  std::uint64_t first_;
};

// True with probability exp(-numerator / denominator), for a rate that is not known beforehand.
// Algorithm 1 of Canonne, Kamath and Steinke (2020): whole numbers alone. denominator < 2^112.
[[nodiscard]] bool bernoulli_exp_minus(Wide numerator, Wide denominator, RandomBits& random);

}  // namespace pratique::dp
