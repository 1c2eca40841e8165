// A file of genotypes in memory: variants, and the packed genotypes of everybody.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/format/genotype_store.h"

namespace pratique::genomes {

struct GenotypeSet {
  std::vector<std::string> samples;  // never leave with a release
  std::vector<Variant> variants;
  std::vector<AlleleCount> alleles;  // of everybody, haploid calls as one
  GenotypeStore store;
};

// Variants that nobody has a call of are passed over. Throws Error::input where there are no
// people, or no variants.
[[nodiscard]] GenotypeSet read_genotypes(const std::string& path, Progress& progress);

}  // namespace pratique::genomes
