// The order in which rows leave. The order of the input can tell who is who (a list sorted by
// admission stays sorted by admission), and a shuffle drawn from a seed that the manifest names can
// be undone. So rows are ordered by a seeded hash of their released content alone: it looks random,
// repeats, and is the same whatever the order of the input was.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique::release {

// What leaves: groups of equal rows and how many of each there are.
struct Content {
  std::vector<OutputColumn> columns = {};
  std::vector<std::uint32_t> groups = {};              // indices into the columns' codes
  const std::vector<std::uint64_t>* counts = nullptr;  // by the same index
};

// The groups in their order of leaving, each as often as it counts.
[[nodiscard]] std::vector<std::uint32_t> order_by_content(const Content& content,
                                                          std::uint64_t seed);

}  // namespace pratique::release
