#include "pratique/dp/mechanism/discrete_gaussian.h"

#include <cmath>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

constexpr std::uint64_t kLargestScale = std::uint64_t{1} << 20U;
constexpr std::uint64_t kLargestDenominator = std::uint64_t{1} << 10U;
constexpr std::uint64_t kVarianceSteps = 64;

// floor(sqrt(n / d)) + 1, with whole numbers.
std::uint64_t scale_above_deviation(const Rational& variance) {
  std::uint64_t root = 0;
  for (std::uint64_t bit = kLargestScale; bit > 0; bit >>= 1U) {
    const std::uint64_t tried = root | bit;
    if (static_cast<Wide>(tried) * tried * variance.denominator <= variance.numerator) root = tried;
  }
  if (root >= kLargestScale || variance.denominator > kLargestDenominator) {
    throw Error::input("the Gaussian noise would be larger than numbers can be")
        .hint("Give more epsilon, or declare narrower bounds.");
  }
  return root + 1;
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(const Rational& variance)
    : variance_(variance),
      scale_(scale_above_deviation(variance)),
      proposal_(Rational::of(1, scale_)) {}

std::int64_t DiscreteGaussian::draw(RandomBits& random) const {
  // With s^2 = a / b: (|Y| - s^2 / t)^2 / (2 s^2) = (|Y| b t - a)^2 / (2 a b t^2).
  const Wide a = variance_.numerator;
  const Wide b = variance_.denominator;
  const Wide denominator = 2 * a * b * scale_ * scale_;
  while (true) {
    const std::int64_t proposed = proposal_.draw(random);
    const Wide magnitude = static_cast<Wide>(proposed < 0 ? -proposed : proposed) * b * scale_;
    const Wide distance = magnitude > a ? magnitude - a : a - magnitude;
    // Further out than 2^32 scales no proposal comes in the life of the universe.
    if (distance >> 63U != 0) throw Error::machine("the random generator is broken");
    if (bernoulli_exp_minus(distance * distance, denominator, random)) return proposed;
  }
}

Rational DiscreteGaussian::variance_for(double rho, std::uint64_t squared_sensitivity) {
  if (!(rho > 0)) throw Error::input("rho must be above 0");
  const double exact = static_cast<double>(squared_sensitivity) / (2 * rho);
  if (!(exact < 0x1.0p40)) {
    throw Error::input("the Gaussian noise would be larger than numbers can be")
        .hint("Give more epsilon, or declare narrower bounds.");
  }
  // Rounded up, and beyond what the division could have lost.
  const double steps = std::ceil(exact * kVarianceSteps * (1 + 1e-12));
  return Rational::of(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(steps)),
                      kVarianceSteps);
}

}  // namespace pratique::dp
