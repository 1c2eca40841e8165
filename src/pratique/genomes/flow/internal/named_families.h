// Pedigrees of samples and genealogies with names, as `attack all` holds them against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/genomes/attack/family_members.h"
#include "pratique/genomes/flow/internal/phenotype_tables.h"
#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

// PED or GEDCOM, compressed or not.
[[nodiscard]] std::vector<Pedigree> read_pedigrees(const std::string& path, const Run& run);

// A person of a pedigree is the sample of that name (or, as PLINK joins them, of FAMILY_NAME); one
// of the genealogies is the person of that name in the clinical table, however it is spelt ("Anna
// /Berg/", "Berg, Anna"). A name that several have is nobody's.
class NamedFamilies {
 public:
  NamedFamilies(const std::string& pedigrees, const std::string& genealogies,
                const PhenotypeTables& tables, const Run& run);

  // Who is whom by the shape of families and by those who are linked already. Fills in `links`;
  // returns how many are new.
  std::uint64_t name_samples(std::vector<std::optional<std::uint32_t>>& links,
                             Progress& progress) const;

  [[nodiscard]] std::uint64_t samples() const;  // that stand in a pedigree
  [[nodiscard]] std::uint64_t people() const;   // of the clinical table, that stand in a genealogy

 private:
  std::vector<Pedigree> pedigrees_;
  std::vector<Pedigree> named_;
  // By family and person: which sample, which person of the clinical table.
  std::vector<std::vector<std::optional<std::uint32_t>>> sample_of_;
  std::vector<std::vector<std::optional<std::uint32_t>>> person_of_;
};

}  // namespace pratique::genomes::flow
