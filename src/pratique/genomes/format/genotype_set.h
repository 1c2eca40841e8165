// A file of genotypes in memory: variants, and the packed genotypes of everybody.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/format/genotype_store.h"

namespace pratique::genomes {

struct GenotypeSet {
  std::vector<std::string> samples;  // never leave with a release
  std::vector<Variant> variants;     // by chromosome, place and alleles, each once
  std::vector<AlleleCount> alleles;  // of everybody, haploid calls as one
  GenotypeStore store;
};

// Variants that nobody has a call of are passed over, and of one that stands in several lines the
// first counts. Neither the order of the lines is kept nor the case of alleles, so that nothing
// that is made of a set has either.
// Throws Error::input where there are no people, or no variants.
[[nodiscard]] GenotypeSet read_genotypes(const std::string& path, Progress& progress);

// By chromosome, place and alleles.
[[nodiscard]] bool stands_before(const Variant& a, const Variant& b);

// Throws Error::input where a chromosome or an allele has a name that no assembly and no format
// gives it: what leaves is free of words that somebody made up, which may be a person's name.
void require_usual_names(std::span<const Variant> variants, const std::string& path);

}  // namespace pratique::genomes
