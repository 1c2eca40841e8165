// `genomes protect`: reads sequences or genotypes, protects them, attacks before and after,
// measures what is left, and publishes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct ProtectRequest {
  std::string file;  // FASTA; of frequencies VCF, BCF or PLINK
  std::string method = "dnala";
  std::uint64_t k = 2;  // of dnala
  std::string pairing = "optimal";
  std::string reference = {};  // FASTA with one sequence, to align against
  bool realign = false;        // sequences of one length are aligned, too
  // binning
  std::uint64_t within = 2;
  std::uint64_t across = 2;
  // mask
  std::vector<std::uint64_t> loci = {};  // columns of the alignment, from 1
  double tolerance = 0.05;
  // frequencies
  double step = 0.01;
  std::optional<std::uint64_t> snps = {};
  std::string out;
  std::optional<std::uint64_t> seed = {};
};

// JSON keys of dnala and binning: method, k (or within, across), pairing, sequences, aligned,
// length, variable_regions, groups, loss (distance, bits, per_sequence; of dnala greedy_distance),
// before and after (unique, unique_share, fewest_candidates, mean_candidates), utility, k_verified,
// out, private_manifest, seed, seconds. Of mask: hidden, before and after (accuracy, baseline,
// gain). Of frequencies: people, variants_in, variants_out, step, before and after (power).
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
