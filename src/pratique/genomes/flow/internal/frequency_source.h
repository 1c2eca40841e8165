// Allele frequencies from whatever has them: genotypes, sites with INFO/AF, or a table.
#pragma once

#include <string>

#include "pratique/genomes/attack/membership.h"
#include "pratique/genomes/attack/pair_membership.h"
#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

// A table has columns chrom, pos, ref, alt and frequency (or freq, af). Throws Error::input with
// the row where a position or a frequency is none, or where a variant stands again.
[[nodiscard]] FrequencyTable read_frequencies(const std::string& path, const Run& run);

// Published statistics of an association in place of frequencies: a table
// chrom,pos,ref,alt,p_value and the direction (odds_ratio, above 1 where cases have more of the
// alternative, or beta, above 0).
[[nodiscard]] bool has_p_values(const std::string& path, const Run& run);
struct RecoveredFrequencies {
  FrequencyTable pool;
  std::uint64_t rows = 0;  // with a p-value
};
// Frequencies of cases, found again from p-values and those of the controls. Sizes in people.
[[nodiscard]] RecoveredFrequencies recover_frequencies(const std::string& path,
                                                       const FrequencyTable& controls,
                                                       double cases_size, double controls_size,
                                                       const Run& run);

// Pairs of SNPs with r2: chrom,pos_a,pos_b,r2, or as plink writes it (CHR_A, BP_A, CHR_B, BP_B,
// R2).
[[nodiscard]] std::vector<PublishedPair> read_pairs(const std::string& path, const Run& run);

}  // namespace pratique::genomes::flow
