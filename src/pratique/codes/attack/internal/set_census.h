// Sets of up to three codes that occur in the data, counted: how many few patients have, and which
// patients some set singles out. Nothing is kept but a counter per code; the time is that of
// writing every such set down once. Sets of three grow with the cube of the largest record: where
// there are too many, they are not counted, and fewest_that_single_out() answers for a sample of
// patients.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/code_sets.h"

namespace pratique::codes {

inline constexpr std::size_t kMostExactSizes = 3;
// A few seconds.
inline constexpr std::uint64_t kMostTriples = 1'000'000'000;

struct SetCensus {
  std::size_t exact = kMostExactSizes;                   // sizes up to this one were counted
  std::array<std::uint64_t, kMostExactSizes> rare = {};  // sets of 1, 2, 3 codes under k patients
  // By distinct set: the size of the smallest set of its codes that one patient has; 0 when none of
  // the sizes that were counted does.
  std::vector<std::uint8_t> singled_out_by;
  std::uint64_t sets_counted = 0;  // the work: sets written down, each as often as records have it
};

[[nodiscard]] SetCensus take_census(const CodeSets& sets, std::uint64_t k, Progress& progress,
                                    std::uint64_t most_triples = kMostTriples);

// The smallest size, from `least` to `most`, of a set of this record's codes that no other patient
// has all of; 0 where there is none. Looks for codes that hit what each other record lacks, the
// nearest record first (a bounded search tree for hitting sets): the time grows with what records
// have in common, not with the number of sets. Nothing where that would take too long.
[[nodiscard]] std::optional<std::size_t> fewest_that_single_out(
    const CodeSets& sets, const std::vector<std::vector<std::uint32_t>>& with, std::uint32_t set,
    std::size_t least, std::size_t most);

}  // namespace pratique::codes
