#include "pratique/kind/group_sizes.h"

#include <algorithm>

namespace pratique::release {

std::vector<std::uint64_t> group_size_steps(std::uint64_t k) {
  constexpr std::size_t kMostDoublings = 7;
  std::vector<std::uint64_t> steps = {1, std::max<std::uint64_t>(k, 2)};
  while (steps.size() < kMostDoublings + 2) steps.push_back(2 * steps.back());
  return steps;
}

}  // namespace pratique::release
