// The Gaussian mechanism on whole numbers.
//
// Definition. X is discrete Gaussian with parameter s^2: P(X = x) proportional to
// exp(-x^2 / (2 s^2)) over all whole numbers x.
//
// Theorem (Canonne, Kamath and Steinke 2020, theorem 4). Let f map data to vectors of whole numbers
// that differ by at most D in Euclidean distance between neighbours. Then f + X with independent X
// is D^2 / (2 s^2)-zCDP. (accounting/zcdp.h adds such costs up and turns them into epsilon, delta.)
//
// Why this code has it. Algorithm 3 there: propose Y from the discrete Laplace with scale
// t = floor(s) + 1 and keep it with probability exp(-(|Y| - s^2 / t)^2 / (2 s^2)). The proposal is
// exact, the exponent is a fraction of whole numbers (s^2 is one), and so is the coin.
#pragma once

#include <cstdint>

#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {

class DiscreteGaussian {
 public:
  // s^2 = variance.numerator / variance.denominator. Throws Error::input above s = 2^20, or where
  // the denominator is above 2^10.
  explicit DiscreteGaussian(const Rational& variance);

  [[nodiscard]] std::int64_t draw(RandomBits& random) const;
  [[nodiscard]] double parameter() const { return variance_.value(); }
  // The least s^2, in steps of 1/64, that makes a function of squared sensitivity
  // `squared_sensitivity` rho-zCDP.
  [[nodiscard]] static Rational variance_for(double rho, std::uint64_t squared_sensitivity);

 private:
  Rational variance_;
  std::uint64_t scale_;  // t
  DiscreteLaplace proposal_;
};

}  // namespace pratique::dp
