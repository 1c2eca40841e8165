#include "pratique/dp/mechanism/rational.h"

#include <numeric>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

__extension__ using WideRational = unsigned __int128;

}  // namespace

Rational Rational::of(std::uint64_t numerator, std::uint64_t denominator) {
  return quotient(numerator, denominator, 1);
}

Rational Rational::quotient(std::uint64_t numerator, std::uint64_t first, std::uint64_t second) {
  if (numerator == 0 || first == 0 || second == 0) {
    throw Error::input("noise cannot be calibrated: epsilon and sensitivity must be above 0");
  }
  const std::uint64_t common = std::gcd(numerator, first);
  numerator /= common;
  first /= common;
  const std::uint64_t other = std::gcd(numerator, second);
  numerator /= other;
  second /= other;
  const WideRational denominator = static_cast<WideRational>(first) * second;
  if (denominator >> 63U != 0 || numerator >> 63U != 0) {
    throw Error::input("noise cannot be calibrated: the bounds are too wide for this epsilon")
        .hint("Declare narrower bounds, or give more epsilon.");
  }
  return {numerator, static_cast<std::uint64_t>(denominator)};
}

}  // namespace pratique::dp
