// Genotypes for a world of families (kindred.h): founders with the frequencies and linkage of
// synthetic/haplotypes.h, children with their parents' haplotypes, and the variants that cause the
// diseases of table B.1 on the haplotypes that carry them, inherited with what stands beside them.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/genomes/susceptibility/kindred.h"
#include "pratique/synthetic/haplotypes.h"

namespace pratique::genomes {

struct KindredGenotypes {
  std::vector<std::int64_t> positions;
  // By person: of the father's side and of the mother's. 1 is the alternative.
  std::vector<synthetic::DiploidGenome> people;
  // By disease of table B.1: the site of the gene, beside which the variant stands, at the next
  // base. Who carries it has it on the haplotype of `mutated`.
  std::vector<std::size_t> gene_sites;
  enum class Mutated : std::uint8_t { none, first, second };
  std::vector<Mutated> mutated;
};

[[nodiscard]] KindredGenotypes genotypes_of(const Kindred& kindred, std::size_t sites,
                                            std::uint64_t seed);

}  // namespace pratique::genomes
