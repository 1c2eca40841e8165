// Diseases, their ICD-9-CM codes and the genes that cause them: what a diagnosis tells about DNA,
// and DNA about a diagnosis.
//
// The table that ships with the product is table B.1 of Malin (2006), from ICD-9 crossed with OMIM
// and Genes and Disease, with today's names of the genes added. V18.1 and V77.6 are left out: they
// are a family history and a screening, not the disease. Codes stand without the point, and for
// all codes that begin so.
//
// A map of the user's is a table with columns disease, icd9 (or code) and gene, several values
// separated by blanks, commas, semicolons or bars; and where the age of onset follows from the
// length of a repeat, onset_base, onset_exponent, onset_per_repeat and onset_within:
//   onset = base + exp(exponent + per_repeat * repeats), give or take `within` years.
// Huntington's is 21.54 + exp(9.556 - 0.146 CAG) (Langbehn et al., Clinical Genetics 65, 2004),
// within three years, as Malin and Sweeney inferred it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::genomes {

struct OnsetByRepeats {
  double base = 0;
  double exponent = 0;
  double per_repeat = 0;
  double within = 0;

  [[nodiscard]] double age(double repeats) const;
};

struct DiseaseGene {
  std::string disease;
  std::vector<std::string> codes;  // beginnings of codes, without points, in capitals
  std::vector<std::string> genes;  // in capitals
  std::optional<OnsetByRepeats> onset = {};
};

[[nodiscard]] const std::vector<DiseaseGene>& table_b1();
// Throws Error::input where a column is missing or a number is none; `place` is the file.
[[nodiscard]] std::vector<DiseaseGene> disease_genes_from(const Table& table,
                                                          const std::string& place);

// Words of a cell, in capitals: separated by blanks, commas, semicolons, bars, slashes.
[[nodiscard]] std::vector<std::string> words_in(std::string_view cell);
// Without points, in capitals.
[[nodiscard]] std::string bare_code(std::string_view code);

}  // namespace pratique::genomes
