// Pairs of records that are worth comparing.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "pratique/core/progress.h"

namespace pratique::trails {

using Records = std::vector<std::vector<std::string_view>>;  // [record][field], as cleaned
using RecordPair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

// Each pair once, ascending.
[[nodiscard]] std::vector<RecordPair> pairs_in_blocks(const Records& records,
                                                      std::size_t largest_block,
                                                      Progress& progress);

}  // namespace pratique::trails
