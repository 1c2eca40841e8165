// The first step of disassociation: records that share frequent codes become clusters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"

namespace pratique::codes {

// Each record's codes, numbered in an order that does not come from the input.
using RankedRecords = std::vector<std::span<const Code>>;

// Clusters of at least k and fewer than `most` records (which is at least 2 k); those that share
// more codes are nearer to each other.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> cluster_records(const RankedRecords& records,
                                                                      std::size_t codes,
                                                                      std::uint64_t k,
                                                                      std::uint64_t most,
                                                                      Progress& progress);

}  // namespace pratique::codes
