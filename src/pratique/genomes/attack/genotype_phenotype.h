// Genotype-phenotype inference (Malin 2006, B.2.2): DNA without names tells a disease, and the
// disease stands in clinical records with names. A sample's candidates are the people who agree
// with it in what both files tell (sex, age) and were seen at all of its places, or where nobody
// was, at one of them; what is not known of somebody is not compared. With the relation between
// genes and diagnoses they are those alone who have a diagnosis that a gene of the sample causes;
// where the map has it, the age of onset that follows from the length of a repeat must fit, too.
//
// The relation runs one way: somebody without the diagnosis may carry the gene unnoticed. Where no
// candidate has it, the sample keeps those it had.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/attack/disease_genes.h"

namespace pratique::genomes {

struct DnaSample {
  std::vector<std::string> shared;  // what both files tell, by column; empty: not known
  std::vector<std::string> genes;
  std::optional<double> repeats = {};
  std::vector<std::uint32_t> places = {};  // ascending; none: not known
};

struct ClinicalPerson {
  std::vector<std::string> shared;
  std::vector<std::string> codes;  // without points
  std::optional<double> onset = {};
  std::vector<std::uint32_t> places = {};
};

struct PhenotypeFinding {
  std::uint64_t samples = 0;
  std::uint64_t people = 0;
  std::uint64_t informative = 0;  // samples with a gene of the map
  std::uint64_t compared = 0;     // of these, somebody agrees with them
  std::uint64_t unmatched = 0;    // of these, nobody has the diagnosis
  double before = 0;              // mean candidates
  double after = 0;
  std::uint64_t reidentified_before = 0;  // samples with one candidate
  std::uint64_t reidentified = 0;
  // By sample: the only person left, without the relation and with it.
  std::vector<std::optional<std::uint32_t>> link_before = {};
  std::vector<std::optional<std::uint32_t>> link = {};
};

// Whether both are the same in all columns that are known of both.
[[nodiscard]] bool tell_the_same(const std::vector<std::string>& here,
                                 const std::vector<std::string>& there);

[[nodiscard]] PhenotypeFinding attack_phenotypes(const std::vector<DnaSample>& samples,
                                                 const std::vector<ClinicalPerson>& people,
                                                 const std::vector<DiseaseGene>& map,
                                                 Progress& progress);

}  // namespace pratique::genomes
