// The Fellegi-Sunter model of agreeing fields, estimated without truth.
#pragma once

#include <compare>
#include <vector>

#include "pratique/trails/attack/resolution.h"

namespace pratique::trails {

// How the fields of two records agree, three bits for each.
class Pattern {
 public:
  static constexpr std::size_t kMostFields = 21;

  void set(std::size_t field, Agreement agreement) {
    bits_ |= static_cast<std::uint64_t>(agreement) << (3 * field);
  }
  [[nodiscard]] Agreement at(std::size_t field) const {
    return static_cast<Agreement>((bits_ >> (3 * field)) & 7U);
  }
  friend auto operator<=>(const Pattern&, const Pattern&) = default;

 private:
  std::uint64_t bits_ = 0;
};

struct CountedPattern {
  Pattern pattern;
  double pairs = 0;
};

struct MatchModel {
  std::vector<FieldWeights> fields;
  double prior = 0;  // share of all pairs that are one person's

  [[nodiscard]] double posterior(const Pattern& pattern) const;
};

// `blocked` are the compared pairs, `random` pairs drawn from all of them, of which there are
// `all_pairs`. Pairs that were not compared are taken as two persons'.
[[nodiscard]] MatchModel estimate(std::vector<FieldWeights> fields,
                                  const std::vector<CountedPattern>& blocked,
                                  const std::vector<CountedPattern>& random, double all_pairs);

}  // namespace pratique::trails
