// Numbers for those who leave without their names.
#pragma once

#include <cstdint>
#include <vector>

namespace pratique::genomes {

// As many different numbers of ten digits each, so that none is shorter than another.
[[nodiscard]] std::vector<std::uint64_t> random_numbers(std::size_t count, std::uint64_t seed);

// The stream of the seed that puts people into their order.
inline constexpr std::uint64_t kOrderStream = 11;

}  // namespace pratique::genomes
