// Genotypes on their way out, as VCF: variants in the order of the genome, calls without phase, and
// nothing else. No header of the input, no ID, QUAL, FILTER or INFO leaves. People stand under
// random numbers in an order that depends on the released calls and the seed alone, as sequences do
// (fasta_release.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/genomes/format/genotypes.h"
#include "pratique/kind/artefact.h"

namespace pratique::genomes {

class VcfRelease final : public release::Artefact {
 public:
  // `people`: dosages by person, then by variant.
  VcfRelease(std::vector<Variant> variants, std::vector<std::vector<Dosage>> people,
             std::uint64_t seed);

  [[nodiscard]] std::vector<release::ArtefactFile> files(const std::string& path) const override;
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override;
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override;

  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::vector<std::string> chromosomes() const;
  std::vector<Variant> variants_;
  std::vector<std::vector<Dosage>> people_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace pratique::genomes
