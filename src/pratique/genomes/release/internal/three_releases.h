// Who is told by three releases of frequencies together (attack/frequency_combination.h), of the
// added one and two groups of others. A combination is news of those who are in no group, nor left
// by two, that are as small.
#pragma once

#include <optional>
#include <vector>

#include "pratique/genomes/release/internal/frequency_file.h"

namespace pratique::release {

struct ThreeReleases {
  std::optional<std::uint64_t> fewest = {};  // people whom a combination that is news is of
  std::vector<bool> told = {};               // those of the added release first, then all others
};

[[nodiscard]] ThreeReleases attack_three(const FrequencyFile& added,
                                         const std::vector<FrequencyFile>& earlier,
                                         Progress& progress);

}  // namespace pratique::release
