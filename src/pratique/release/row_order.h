// The order in which rows leave. The order of the input can tell who is who (a list sorted by
// admission stays sorted by admission), and a shuffle drawn from a seed that the manifest names can
// be undone. So rows are ordered by a seeded hash of their released content alone: it looks random,
// repeats, and is the same whatever the order of the input was.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique::release {

// The rows of `output` in their order of leaving.
[[nodiscard]] std::vector<std::uint32_t> order_by_content(const Output& output, std::uint64_t seed);

}  // namespace pratique::release
