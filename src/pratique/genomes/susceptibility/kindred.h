// A world of families for the study of protection systems: people with names and numbers, their
// parents, the diseases of single genes that run in their families, and the hospitals they visit.
// None of them exists.
//
// Families have two or three generations. A couple has one to five children; half of the children
// found a family of their own with a partner from outside. In four of ten families a disease of
// table B.1 runs, the commoner ones more often: a founder carries the gene, a child of a carrier
// carries it with probability 1/2, and eight of ten carriers are diagnosed. Everybody visits
// hospitals of their region, the large ones more; patients with a disease, and a third of the
// others, leave DNA at some of those they visit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/genomes/attack/disease_genes.h"
#include "pratique/genomes/format/pedigree.h"

namespace pratique::genomes {

struct Kinsman {
  std::string name;
  std::string ssn;
  std::string zip;
  std::int32_t birth_year = 0;
  std::uint32_t family = 0;
  std::int32_t disease = -1;  // whose gene is carried; -1: none
  bool diagnosed = false;
  std::vector<std::uint32_t> hospitals;  // visited, ascending
  std::vector<std::uint32_t> dna_at;     // some of them; empty: no sample
};

struct Kindred {
  std::vector<Kinsman> people;
  // By family; people of a pedigree are called by their number in `people`.
  std::vector<Pedigree> pedigrees;
  std::uint32_t hospitals = 0;
};

struct KindredOptions {
  std::uint64_t people = 2000;  // about so many
  std::uint32_t hospitals = 12;
  std::uint64_t seed = 0;
};

[[nodiscard]] Kindred make_kindred(const KindredOptions& options);

}  // namespace pratique::genomes
