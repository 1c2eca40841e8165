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
  std::string file = {};  // FASTA; of frequencies VCF, BCF or PLINK
  std::string method = "dnala";
  std::uint64_t k = 2;  // of dnala
  std::string pairing = "optimal";
  std::string reference = {};  // FASTA with one sequence, to align against
  bool realign = false;        // sequences of one length are aligned, too
  std::string aligner = "banded";
  bool names_repeat = false;  // names of sequences are no people's
  // binning
  std::uint64_t within = 2;
  std::uint64_t across = 2;
  // mask
  std::vector<std::string> loci = {};  // columns of the alignment, from 1; of genotypes chrom:pos
  double tolerance = 0.05;
  // frequencies
  double step = 0.01;
  std::optional<std::uint64_t> snps = {};
  std::uint64_t carriers = 0;          // variants that fewer people carry stay behind
  std::uint64_t fewest = 5;            // people: frequencies of fewer are refused
  std::string trait = {};              // a table sample,case: statistics of an association, too
  std::string ledger = {};             // of a privacy budget: noise instead of rounding
  std::optional<double> epsilon = {};  // what the noise may spend of it
  std::string sites = {};              // variants that are known to everybody; of noise
  std::string analyst = {};
  std::string out = {};
  std::optional<std::uint64_t> seed = {};
};

// JSON keys of dnala and binning: method, k (or within, across), pairing, sequences, aligned,
// length, variable_regions, groups, loss (distance, bits, per_sequence; of dnala greedy_distance),
// before and after (unique, unique_share, fewest_candidates, mean_candidates), unchanged,
// recovered_by_rest (of dnala), utility, k_verified, out, private_manifest, seed, seconds. Of mask:
// hidden, before and after (accuracy, baseline, gain). Of frequencies: people, variants_in,
// variants_out, step, before and after (power).
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
