// Perturbation: the values of one column leave changed, record by record.
//
//   noise:R          Gaussian noise, its deviation R times the column's (n - 1 in its denominator)
//   noise:abs:S      Gaussian noise of deviation S
//   noise:...:clamp  either, held within the smallest and largest value of the column
//   round:B          to the nearest multiple of B, halves away from zero
//   round:B:random   up or down to a multiple of B, without bias, and the total kept (below)
//   swap:P           rank swapping (Moore 1996), ranks at most P percent of the records apart
//   pram:K           post randomisation (Gouweleeuw et al. 1998); every record keeps its value with
//                    probability at least K, and the marginals are kept in expectation
//   pram:K:L         the same, values change only under their own node at level L of the hierarchy
//
// A column is perturbed by records, never by groups: two records that share all their cells get
// different noise. by_record() writes a grouped column out. Missing values stay missing and count
// in nothing here. What comes out are plain values; a method that generalises may take them as
// its input, and a column that leaves as it is needs nothing more.
//
// What is promised. Perturbation gives uncertainty, not k-anonymity; apart from deterministic
// rounding it rests on the noise being unknown: see noise_source.h. The operator and its parameters
// may be published (an analyst needs them), the seed may not.
//
// Random rounding: a value v = qB + r, 0 <= r < B, leaves as (q+1)B with probability r/B and as qB
// otherwise, so that its expectation is v. The roundings are not independent: the remainders are
// laid end to end in random order and cut at multiples of B from a random start (systematic
// sampling), so that the total of the column moves by less than B (controlled rounding in one
// dimension, Cox 1987). It is computed in whole numbers, so both hold exactly.
//
// Rank swapping: the records are sorted by their values, ties in random order; going up, each
// record that has not been swapped yet is swapped with one drawn uniformly from those not yet
// swapped among the next floor(P n / 100). The column's values are permuted: all marginals stay
// exactly as they were.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "pratique/crypto/noise_source.h"
#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::tables {

struct AdditiveNoise {
  double deviation = 0;
  bool absolute = false;  // else relative to the column's own deviation
  bool clamp = false;
};

struct Rounding {
  std::string base;  // a number above 0, as it was written: its decimals are those that come out
  bool random = false;
};

struct RankSwapping {
  double percent = 0;
};

struct PostRandomisation {
  double keep = 0;
  int within_level = -1;  // -1: any value may take any other's place
};

using Perturbation = std::variant<AdditiveNoise, Rounding, RankSwapping, PostRandomisation>;

// Throws Error that says what is wrong with the text and what is right.
[[nodiscard]] Perturbation parse_perturbation(std::string_view text);
// The text that parses to it, for manifests.
[[nodiscard]] std::string to_string(const Perturbation& perturbation);

// The column with one row per record where `counts` says how many records a row stands for.
[[nodiscard]] Column by_record(const Column& column, std::span<const std::uint64_t> counts);

// `hierarchy` is only looked at by PostRandomisation within a level. Throws Error when the column
// does not suit the operator (noise on texts, a level the hierarchy lacks).
[[nodiscard]] Column perturb(const Column& column, const Perturbation& perturbation,
                             NoiseSource& noise, const Hierarchy* hierarchy = nullptr);

}  // namespace pratique::tables
