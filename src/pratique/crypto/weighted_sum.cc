#include "pratique/crypto/weighted_sum.h"

#include <bit>
#include <cstdlib>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/crypto/internal/edwards.h"

namespace pratique {
namespace {

using edwards::Addend;
using edwards::Extended;

constexpr unsigned kBits = 253;  // of the group's order

// Digits of `width` bits from -2^(width - 1) to 2^(width - 1), the lowest first.
std::vector<int> digits_of(const Scalar& number, unsigned width) {
  const auto& bytes = number.bytes();
  const auto bit = [&](unsigned at) { return at < 256 ? bytes[at / 8] >> (at % 8) & 1 : 0; };
  std::vector<int> digits;
  int carry = 0;
  for (unsigned from = 0; from <= kBits; from += width) {
    int digit = carry;
    for (unsigned i = 0; i < width; ++i) digit += bit(from + i) << i;
    carry = digit > 1 << (width - 1) ? 1 : 0;
    digits.push_back(digit - (carry << width));
  }
  return digits;
}

}  // namespace

std::optional<Point> weighted_sum(std::span<const Scalar> weights, std::span<const Point> points) {
  if (weights.size() != points.size())
    throw Error::machine("a weighted sum needs as many weights as points");
  // For every digit all points are added once, and twice as many sums as there are digits.
  const auto length = static_cast<unsigned>(std::bit_width(points.size()));
  const unsigned width = length < 5 ? 3 : length - 2;
  std::vector<Addend> addends;
  std::vector<std::vector<int>> digits;
  addends.reserve(points.size());
  digits.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    addends.emplace_back(Extended::decode(points[i].bytes()));
    digits.push_back(digits_of(weights[i], width));
  }
  Extended total;
  std::vector<Extended> by_digit;
  for (std::size_t place = kBits / width + 1; place-- > 0;) {
    for (unsigned i = 0; i < width; ++i) total = total.doubled();
    by_digit.assign((std::size_t{1} << (width - 1)) + 1, Extended{});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const int digit = digits[i][place];
      Extended& sum = by_digit[static_cast<std::size_t>(std::abs(digit))];
      if (digit > 0) sum = sum + addends[i];
      if (digit < 0) sum = sum + addends[i].negative();
    }
    // The sum of digit times its points: of all sums from the highest digit down.
    Extended above;
    Extended sum;
    for (std::size_t digit = by_digit.size() - 1; digit > 0; --digit) {
      above = above + by_digit[digit];
      sum = sum + above;
    }
    total = total + sum;
  }
  return Point::decode(total.encode());
}

}  // namespace pratique
