// The geometric distribution P(X = x) = (1 - q) q^x, x >= 0, sampled exactly and fast.
//
// Its binary digits are independent: with x = sum of b_i 2^i,
//   (1 - q) q^x = product over i of q^(b_i 2^i) / (1 + q^(2^i)),
// because 1 / (1 - q) = product of (1 + q^(2^i)). So digit i is a coin of odds q^(2^i), and all
// digits from K on together are again geometric, with ratio q^(2^K): they are drawn by counting
// how often a coin of that probability succeeds. K is where q^(2^K) falls below about 1/3; every
// coin is exact (bernoulli.h), so X is. A draw takes about K + 2 random bytes.
//
// The time it takes depends on X alone, never on data.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/dp/mechanism/bernoulli.h"

namespace pratique::dp {

class Geometric {
 public:
  // q = exp(-rate). Throws Error::input where rate is below 2^-45.
  explicit Geometric(const Rational& rate);
  // The digits of another ratio: coins for digits 0 to K - 1, and one of q^(2^K).
  Geometric(std::vector<ExactProbability> digits, ExactProbability more)
      : digits_(std::move(digits)), more_(std::move(more)) {}

  [[nodiscard]] std::uint64_t draw(RandomBits& random) const {
    std::uint64_t high = 0;
    while (more_.draw(random)) ++high;
    std::uint64_t value = high << digits_.size();
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      value |= static_cast<std::uint64_t>(digits_[i].draw(random)) << i;
    }
    return value;
  }

 private:
  std::vector<ExactProbability> digits_;
  ExactProbability more_;
};

}  // namespace pratique::dp
