// Codes by how few patients have them: what an adversary who knows a few codes is taken to know.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/code_sets.h"

namespace pratique::codes {

// By code: its place among all, the rarest first. Of codes that are equally rare the first by name,
// so that the order of records does not matter.
[[nodiscard]] std::vector<std::uint32_t> rarity_of(const CodeSets& sets);

}  // namespace pratique::codes
