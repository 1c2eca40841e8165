// Samples and people from tables, as attacks compare them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/genomes/attack/genotype_phenotype.h"
#include "pratique/genomes/flow/attack_phenotype.h"
#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct PhenotypeTables {
  std::vector<DiseaseGene> map;
  std::string person_column;
  std::vector<std::string> on;  // columns that both have
  std::vector<DnaSample> samples;
  std::vector<std::string> sample_names;
  std::vector<ClinicalPerson> people;
  std::vector<std::string> person_names;
  std::vector<std::string> made_from;                   // columns, as the table spells them
  std::vector<std::vector<std::string>> person_fields;  // by person, their values
  bool has_places = false;                              // both tables have a column of them
  std::vector<std::string> places;                      // by number, as samples and people have it
};

// Rows of one sample, or one person, are joined where they tell the same. A column location,
// hospital or site that both have says where each was seen, and is not among what must agree.
[[nodiscard]] PhenotypeTables read_phenotype_tables(const PhenotypeRequest& request,
                                                    const Run& run);

// By their names: a sample of which rows tell different things is one, and linked where one of them
// is.
[[nodiscard]] std::uint64_t count_samples(const PhenotypeTables& tables);
[[nodiscard]] std::uint64_t count_samples(const PhenotypeTables& tables,
                                          const std::vector<std::optional<std::uint32_t>>& link);

// How many samples have the link of a truth, a table of sample and person (in a column called as
// that of the clinical table, if there is one).
[[nodiscard]] std::uint64_t right_links(const PhenotypeTables& tables,
                                        const std::vector<std::optional<std::uint32_t>>& link,
                                        const std::string& truth, const Run& run);
// Writes sample,person, readable by its owner only.
void write_links(const PhenotypeTables& tables,
                 const std::vector<std::optional<std::uint32_t>>& link, const std::string& out,
                 const Run& run);

}  // namespace pratique::genomes::flow
