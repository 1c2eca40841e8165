#include "pratique/dp/mechanism/geometric.h"

#include "pratique/core/error.h"
#include "pratique/dp/internal/digits.h"

namespace pratique::dp {
namespace {

constexpr unsigned kMostGeometricDigits = 46;

// How often the rate is doubled until it is at least 1.
unsigned doublings_to_one(const Rational& rate) {
  unsigned doublings = 0;
  for (Wide numerator = rate.numerator; numerator < rate.denominator; numerator <<= 1U) ++doublings;
  if (doublings >= kMostGeometricDigits) {
    throw Error::input("the noise would be larger than numbers can be")
        .hint("Give more epsilon, or declare narrower bounds.");
  }
  return doublings;
}

std::vector<ExactProbability> geometric_digits(const Rational& rate) {
  std::vector<ExactProbability> digits;
  for (unsigned i = 0; i < doublings_to_one(rate); ++i) {
    digits.push_back(exact_probability(with_odds(exp_minus(rate, i))));
  }
  return digits;
}

}  // namespace

Geometric::Geometric(const Rational& rate)
    : digits_(geometric_digits(rate)),
      more_(exact_probability(exp_minus(rate, doublings_to_one(rate)))) {}

}  // namespace pratique::dp
