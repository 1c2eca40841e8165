// Numbers between 0 and 1 that no machine can write down, such as exp(-1/10), enclosed between two
// fractions as close as one asks for. Every step rounds its lower end down and its upper end up.
#pragma once

#include <cstdint>
#include <functional>

#include "pratique/dp/internal/big_integer.h"
#include "pratique/dp/mechanism/rational.h"

namespace pratique::dp {

// low / 2^bits <= number <= high / 2^bits
struct Enclosure {
  BigInteger low;
  BigInteger high;
  unsigned bits = 0;
};

// The number, with at least so many bits; more bits, a narrower enclosure without end.
using EnclosedAt = std::function<Enclosure(unsigned bits)>;

// exp(-rate * 2^doublings)
[[nodiscard]] EnclosedAt exp_minus(const Rational& rate, unsigned doublings = 0);
// x^(2^doublings)
[[nodiscard]] EnclosedAt squared(EnclosedAt x, unsigned doublings);
// w x / (1 + w x): the probability whose odds are w x.
[[nodiscard]] EnclosedAt with_odds(EnclosedAt x, std::uint64_t w = 1);
// 1 - x
[[nodiscard]] EnclosedAt complement(EnclosedAt x);
// x y
[[nodiscard]] EnclosedAt product(EnclosedAt x, EnclosedAt y);
// 1 / (1 + x)
[[nodiscard]] EnclosedAt inverse_of_one_plus(EnclosedAt x);

}  // namespace pratique::dp
