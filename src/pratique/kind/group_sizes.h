// The steps by which group sizes are told, in results and in charts of a report.
#pragma once

#include <cstdint>
#include <vector>

namespace pratique::release {

// From where on groups are of the next size: 1, k, 2k, 4k and so on, the last without an end.
[[nodiscard]] std::vector<std::uint64_t> group_size_steps(std::uint64_t k);

}  // namespace pratique::release
