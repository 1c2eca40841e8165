// Epsilon as a whole number of billionths. Noise is calibrated with the very fraction that is
// charged, so sums of charges, shares of them and comparisons with a budget are exact: no rounding
// gives anybody a little more than there is.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "pratique/dp/mechanism/rational.h"

namespace pratique::dp {

struct Epsilon {
  static constexpr std::uint64_t kPerUnit = 1'000'000'000;

  std::uint64_t billionths = 0;

  // The nearest billionth. Throws Error::input where it is not above 0 or above 1000.
  [[nodiscard]] static Epsilon from(double value);
  [[nodiscard]] double value() const { return static_cast<double>(billionths) / kPerUnit; }
  // As noise with sensitivity `sensitivity` needs it: epsilon / sensitivity, exactly.
  [[nodiscard]] Rational over(std::uint64_t sensitivity) const;
  // In equal parts; what does not divide is given to nobody.
  [[nodiscard]] Epsilon part_of(std::uint64_t parts) const { return {billionths / parts}; }
  // This share of it, rounded down, and what is left. Neither is 0.
  struct Split;
  [[nodiscard]] Split split(double share) const;

  friend auto operator<=>(const Epsilon&, const Epsilon&) = default;
  friend Epsilon operator+(Epsilon a, Epsilon b) { return {a.billionths + b.billionths}; }
  friend Epsilon operator-(Epsilon a, Epsilon b) { return {a.billionths - b.billionths}; }
};

struct Epsilon::Split {
  Epsilon first;
  Epsilon second;
};

}  // namespace pratique::dp
