#include "pratique/genomes/susceptibility/kindred_genotypes.h"

#include <algorithm>

namespace pratique::genomes {
namespace {

using Mutated = KindredGenotypes::Mutated;

constexpr std::uint64_t kGenotypeStream = 51;

std::size_t person_called(const Relative& relative) { return std::stoul(relative.name); }

}  // namespace

KindredGenotypes genotypes_of(const Kindred& kindred, std::size_t sites, std::uint64_t seed) {
  SeededRandom random(seed, kGenotypeStream);
  const synthetic::HaplotypeModel model(sites, random);
  KindredGenotypes genotypes;
  genotypes.positions = model.positions();
  for (std::size_t d = 0; d < table_b1().size(); ++d)
    genotypes.gene_sites.push_back(random.below(sites));
  genotypes.people.resize(kindred.people.size());
  genotypes.mutated.assign(kindred.people.size(), Mutated::none);
  for (const auto& pedigree : kindred.pedigrees) {
    // Parents stand before their children.
    for (const auto& relative : pedigree.people) {
      const std::size_t person = person_called(relative);
      const std::int32_t disease = kindred.people[person].disease;
      const auto from = [&](std::int32_t parent) {
        if (parent == kNoParent) return model.founder(random);
        const std::size_t number = person_called(pedigree.people[static_cast<std::size_t>(parent)]);
        const std::int32_t carried = kindred.people[number].disease;
        std::optional<synthetic::GivenOrigin> origin;
        if (carried >= 0) {
          // A carrier's child got the haplotype with the mutation, or the other one.
          const bool mutation_second = genotypes.mutated[number] == Mutated::second;
          origin = {genotypes.gene_sites[static_cast<std::size_t>(carried)],
                    carried == disease ? mutation_second : !mutation_second};
        }
        return model.inherited(genotypes.people[number], origin, random);
      };
      genotypes.people[person] = {from(relative.father), from(relative.mother)};
      if (disease < 0) continue;
      const bool by_mother =
          relative.mother != kNoParent &&
          kindred.people[person_called(pedigree.people[static_cast<std::size_t>(relative.mother)])]
                  .disease == disease;
      genotypes.mutated[person] = by_mother ? Mutated::second : Mutated::first;
    }
  }
  return genotypes;
}

}  // namespace pratique::genomes
