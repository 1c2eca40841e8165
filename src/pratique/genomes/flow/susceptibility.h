// `genomes susceptibility`: four protection systems, four attacks, sixteen measured shares.
#pragma once

#include <cstdint>
#include <optional>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct SusceptibilityRequest {
  std::uint64_t people = 2000;
  std::uint64_t hospitals = 12;
  std::uint64_t key_bits = 16;
  std::optional<std::uint64_t> seed = {};
};

// JSON keys: attacks[], systems[], matrix (rows by attack, columns by system), cells (the same by
// name), printed, differs[] (attack, system, printed, measured, why), any, compounded, rounds,
// people, families, samples, adversaries, seed.
[[nodiscard]] Outcome susceptibility(const SusceptibilityRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
