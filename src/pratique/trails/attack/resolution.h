// Which records are one person's, when names are mistyped: the step before trails can be built from
// lists of names (Malin 2006, section 10.3.2).
//
// Records are compared pair by pair and field by field (Fellegi and Sunter 1969). A field agrees
// exactly, nearly, somewhat (Jaro-Winkler at least 0.92 and 0.80) or not; a missing value says
// nothing. How often each happens between two records of one person (m) and of two persons (u) is
// estimated from the data without any truth: by expectation-maximisation over the compared pairs,
// with u from random pairs. The posterior that a pair is one person follows by Bayes' rule, with
// fields taken as independent. Pairs at or above the threshold are joined, and what hangs together
// is one person.
//
// Not every pair is compared: only those that have one field in common, or the beginnings of two
// neighbouring fields (blocking). Blocks too large for that are split by the beginnings of the
// other fields.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"

namespace pratique::trails {

enum class Agreement : std::uint8_t { exact, near, some, none, missing };
inline constexpr std::size_t kAgreements = 4;  // those that say something

struct ResolutionOptions {
  double threshold = 0.9;           // posterior from which a pair is joined
  std::size_t largest_block = 200;  // different records in one
  std::uint64_t seed = 0;           // of the random pairs
};

// log2(m / u) is what an agreement of the field is worth.
struct FieldWeights {
  std::string field;
  std::array<double, kAgreements> m = {};
  std::array<double, kAgreements> u = {};
};

struct Resolution {
  std::vector<std::uint32_t> person;  // of each record, numbered in order of first appearance
  std::uint32_t persons = 0;
  std::uint64_t compared = 0;  // pairs of different records
  std::vector<FieldWeights> fields;
};

// Every column of `records` is a field. Case and space do not matter.
[[nodiscard]] Resolution resolve(const Table& records, const ResolutionOptions& options,
                                 Progress& progress = Progress::silent());

// Over all pairs of records: joined rightly, wrongly, or not at all.
struct PairScore {
  std::uint64_t true_pairs = 0;
  std::uint64_t joined = 0;
  std::uint64_t correct = 0;

  // 1 where there is nothing to be wrong about.
  [[nodiscard]] double precision() const;
  [[nodiscard]] double recall() const;
  [[nodiscard]] double f1() const;
};

[[nodiscard]] PairScore score_pairs(const std::vector<std::uint32_t>& person,
                                    const std::vector<std::uint32_t>& truth);

}  // namespace pratique::trails
