// `genomes attack membership`: who of some people is in a pool whose allele frequencies are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct MembershipRequest {
  std::string pool = {};       // VCF, BCF, PLINK, or a table chrom,pos,ref,alt,frequency
  std::string control = {};    // the same
  std::string reference = {};  // the same, best with genotypes
  std::string targets = {};    // genotypes
  std::string truth = {};      // a table sample,member
  std::string statistic = "lr";
  std::string r2 = {};  // of wang: a table of pairs; empty: what the pool's people would give
  std::optional<std::uint64_t> control_size = {};  // of a pool of p-values
  std::optional<std::uint64_t> pool_size = {};     // people, where the pool's file does not tell
  double alpha = 0.05;                             // of verdicts
  bool defences = false;
  std::optional<std::uint64_t> seed = {};
  std::optional<double> fail_above = {};
};

// JSON keys: statistic, sites, targets, pool_people, null_people, null_from, power (by
// false-positive rate), power_interval, power_from, power_is, sites_needed, verdicts[] (sample,
// verdict, value, p), counts, auc and false_positives (with a truth), linkage (inflation,
// effective_sites), statistics (the same of each), defences.
[[nodiscard]] Outcome attack_membership(const MembershipRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
