// A positive fraction in lowest terms, each part below 2^63.
#pragma once

#include <cstdint>

namespace pratique::dp {

struct Rational {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;

  // numerator / denominator. Throws Error::input where one of them is 0 or too large.
  [[nodiscard]] static Rational of(std::uint64_t numerator, std::uint64_t denominator);
  // numerator / (first * second), which may be larger than 64 bits before it is reduced.
  [[nodiscard]] static Rational quotient(std::uint64_t numerator, std::uint64_t first,
                                         std::uint64_t second);
  [[nodiscard]] double value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

}  // namespace pratique::dp
