// PLINK 1: NAME.bed with two bits per genotype, a block per variant; NAME.bim with the variants,
// NAME.fam with the people. A1, the first allele of bim, is counted as the alternative.
#pragma once

#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

// `path` of any of the three, or without an ending.
[[nodiscard]] std::unique_ptr<GenotypeFile> open_plink(const std::string& path);
// bed, bim, fam
[[nodiscard]] std::vector<std::string> plink_files(const std::string& path);
[[nodiscard]] bool is_plink(const std::string& path);

}  // namespace pratique::genomes
