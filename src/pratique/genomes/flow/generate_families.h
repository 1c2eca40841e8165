// `generate families`: the world of families that genomes susceptibility is measured on, as files
// to try every attack of genomes on. None of its people exists.
//
//   families.ped     pedigrees without names, as a study publishes them, families and people under
//                    numbers in random order; siblings in birth order
//   genealogies.ged  the same families with names, as GEDCOM
//   genotypes.vcf    of everybody who left DNA, phased, under the numbers of samples; variants that
//                    cause a disease of table B.1 among them
//   dna.csv          sample,sex,gene,hospital: mutated genes of samples, a row for each hospital
//   clinical.csv     name,sex,icd9,hospital: discharge lists with names
//   register.csv     name,ssn,zip,birth_year
//   truth.csv        person,name,family,sample (empty where there is none), disease
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct FamiliesRequest {
  std::uint64_t people = 2000;
  std::uint64_t hospitals = 12;
  std::uint64_t sites = 1000;
  std::optional<std::uint64_t> seed = {};
  std::string out = {};  // a folder, new or empty
};

// JSON keys: people, families, samples, variants, carriers, seed, out.
[[nodiscard]] Outcome generate_families(const FamiliesRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
