// All sets of up to three codes that occur in the data, counted: how many few patients have, and
// which patients some set singles out. Nothing is kept but a counter per code; the time is that of
// writing every such set down once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/code_sets.h"

namespace pratique::codes {

inline constexpr std::size_t kExactSizes = 3;

struct SetCensus {
  std::array<std::uint64_t, kExactSizes> rare = {};  // sets of 1, 2, 3 codes under k patients
  // By distinct set: the size of the smallest set of its codes that one patient has; 0 when none of
  // up to three codes does.
  std::vector<std::uint8_t> singled_out_by;
};

[[nodiscard]] SetCensus take_census(const CodeSets& sets, std::uint64_t k, Progress& progress);

// Whether four of the codes of this set occur in no other patient's. Exact for sets of up to 60
// codes; in larger ones some thousand random choices are tried.
[[nodiscard]] bool four_codes_single_out(const CodeSets& sets,
                                         const std::vector<std::vector<std::uint32_t>>& with,
                                         std::uint32_t set, std::uint64_t seed);

}  // namespace pratique::codes
