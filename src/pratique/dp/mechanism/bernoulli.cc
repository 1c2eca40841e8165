#include "pratique/dp/mechanism/bernoulli.h"

#include "pratique/core/error.h"
#include "pratique/dp/internal/digits.h"

namespace pratique::dp {
namespace {

constexpr unsigned kMostDigits = 1U << 14U;

}  // namespace

ExactProbability::ExactProbability(std::shared_ptr<const Digits> digits)
    : digits_(std::move(digits)), first_(this->digits(0)) {}

ExactProbability ExactProbability::exp_minus(const Rational& rate) {
  return exact_probability(dp::exp_minus(rate));
}

ExactProbability ExactProbability::logistic(const Rational& rate, std::uint64_t weight) {
  return exact_probability(with_odds(dp::exp_minus(rate), weight));
}

std::uint64_t ExactProbability::digits(unsigned n) const {
  const unsigned wanted = 64 * (n + 1);
  // Both ends have the same digits once they are close enough: the number is irrational, and so
  // never lies on the border between two.
  for (unsigned bits = wanted + 32; bits < kMostDigits; bits *= 2) {
    const Enclosure number = digits_->enclosed(bits);
    const BigInteger low = number.low >> (number.bits - wanted);
    if (low == number.high >> (number.bits - wanted)) return low.low_word();
  }
  throw Error::machine("the digits of a probability could not be found");
}

bool ExactProbability::draw_further(RandomBits& random) const {
  for (unsigned n = 1;; ++n) {
    const std::uint64_t drawn = random.word();
    const std::uint64_t expected = digits(n);
    if (drawn != expected) return drawn < expected;
  }
}

bool bernoulli_exp_minus(Wide numerator, Wide denominator, RandomBits& random) {
  static const ExactProbability kOneOverE = ExactProbability::exp_minus({1, 1});
  // exp(-whole) * exp(-rest)
  for (Wide whole = numerator / denominator; whole > 0; --whole) {
    if (!kOneOverE.draw(random)) return false;
  }
  const Wide rest = numerator % denominator;
  // The first k at which a coin of rest / (denominator k) fails is odd with probability exp(-rest).
  Wide k = 1;
  while (random.below_wide(denominator * k) < rest) ++k;
  return k % 2 == 1;
}

}  // namespace pratique::dp
