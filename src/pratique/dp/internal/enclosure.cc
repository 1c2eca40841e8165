#include "pratique/dp/internal/enclosure.h"

#include <algorithm>
#include <utility>

namespace pratique::dp {
namespace {

BigInteger down(const BigInteger& value, unsigned bits) { return value >> bits; }

BigInteger up(const BigInteger& value, unsigned bits) {
  return (value + ((BigInteger(1) << bits) - BigInteger(1))) >> bits;
}

BigInteger one_at(unsigned bits) { return BigInteger(1) << bits; }

void square(Enclosure& x) {
  x.low = down(x.low * x.low, x.bits);
  x.high = up(x.high * x.high, x.bits);
}

// exp(-n / d) for n / d <= 1/2: the alternating series, whose terms are each rounded by at most
// three units, until they vanish.
Enclosure exp_of_small(const BigInteger& numerator, const BigInteger& denominator, unsigned bits) {
  const BigInteger x = (numerator << bits) / denominator;  // at most a unit too small
  BigInteger term = one_at(bits);
  BigInteger positive = term;
  BigInteger negative;
  std::uint64_t k = 0;
  while (!(term == BigInteger(0))) {
    ++k;
    term = down(term * x, bits) / BigInteger(k);
    if (k % 2 == 0) {
      positive = positive + term;
    } else {
      negative = negative + term;
    }
  }
  // A unit of x, three of each term, and what comes after the last.
  const BigInteger slack(3 * k + 8);
  const BigInteger sum = positive - negative;
  return {sum < slack ? BigInteger(0) : sum - slack, std::min(sum + slack, one_at(bits)), bits};
}

Enclosure exp_at(const Rational& rate, unsigned doublings, unsigned bits) {
  // rate / 2^halvings is at most 1/2; then squared as often.
  BigInteger denominator(rate.denominator);
  unsigned halvings = 0;
  while (denominator < (BigInteger(rate.numerator) << 1U)) {
    denominator = denominator << 1U;
    ++halvings;
  }
  const unsigned squarings = halvings + doublings;
  // Every squaring at most doubles the error, and a few units are added.
  Enclosure result =
      exp_of_small(BigInteger(rate.numerator), denominator, bits + 2 * squarings + 32);
  for (unsigned i = 0; i < squarings; ++i) square(result);
  return result;
}

}  // namespace

EnclosedAt exp_minus(const Rational& rate, unsigned doublings) {
  return [=](unsigned bits) { return exp_at(rate, doublings, bits); };
}

EnclosedAt squared(EnclosedAt x, unsigned doublings) {
  return [x = std::move(x), doublings](unsigned bits) {
    Enclosure result = x(bits + 2 * doublings + 8);
    for (unsigned i = 0; i < doublings; ++i) square(result);
    return result;
  };
}

EnclosedAt with_odds(EnclosedAt x, std::uint64_t w) {
  return [x = std::move(x), w](unsigned bits) {
    const Enclosure odds = x(bits + 72);
    const BigInteger one = one_at(odds.bits);
    const BigInteger low = odds.low * BigInteger(w);
    const BigInteger high = odds.high * BigInteger(w);
    return Enclosure{(low << odds.bits) / (one + low),
                     std::min((high << odds.bits) / (one + high) + BigInteger(1), one), odds.bits};
  };
}

EnclosedAt complement(EnclosedAt x) {
  return [x = std::move(x)](unsigned bits) {
    const Enclosure of = x(bits);
    const BigInteger one = one_at(of.bits);
    return Enclosure{one - of.high, one - of.low, of.bits};
  };
}

EnclosedAt product(EnclosedAt x, EnclosedAt y) {
  return [x = std::move(x), y = std::move(y)](unsigned bits) {
    const Enclosure a = x(bits + 8);
    const Enclosure b = y(bits + 8);
    // At a's scale.
    return Enclosure{down(a.low * b.low, b.bits), up(a.high * b.high, b.bits), a.bits};
  };
}

EnclosedAt inverse_of_one_plus(EnclosedAt x) {
  return [x = std::move(x)](unsigned bits) {
    const Enclosure of = x(bits + 8);
    const BigInteger one = one_at(of.bits);
    const BigInteger squared_one = one << of.bits;
    return Enclosure{squared_one / (one + of.high),
                     std::min(squared_one / (one + of.low) + BigInteger(1), one), of.bits};
  };
}

}  // namespace pratique::dp
