// `genomes protect`: reads sequences, aligns them where needed, hides each among k, attacks before
// and after, measures what is left, and publishes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct ProtectRequest {
  std::string file;  // FASTA
  std::string method = "dnala";
  std::uint64_t k = 2;
  std::string pairing = "optimal";
  std::string reference = {};  // FASTA with one sequence, to align against
  bool realign = false;        // sequences of one length are aligned, too
  std::string out;
  std::optional<std::uint64_t> seed = {};
};

// JSON keys: method, k, pairing, sequences, aligned, length, variable_regions, groups, loss
// (distance, bits, greedy_distance, per_sequence), before and after (unique, unique_share,
// fewest_candidates, mean_candidates), utility, k_verified, out, private_manifest, seed, seconds.
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
