// The mechanisms of this house, each with small neighbouring data sets to test it on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "pratique/dp/tester/tester.h"

namespace pratique::dp {

struct TestedMechanism {
  std::string_view name;
  std::string_view words;  // what is tested on what
  double delta = 0;        // of its guarantee
  std::vector<NeighbourPair> (*pairs)(Epsilon epsilon, double delta) = nullptr;
  std::uint64_t runs = 200'000;  // of each data set, that take a few seconds
};

[[nodiscard]] std::span<const TestedMechanism> tested_mechanisms();
// Throws Error::input, naming those there are.
[[nodiscard]] const TestedMechanism& tested_mechanism(std::string_view name);

}  // namespace pratique::dp
