// `genomes attack phenotype`: DNA samples matched with clinical records by the diseases that their
// genes cause.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct PhenotypeRequest {
  std::string dna = {};
  std::string clinical = {};
  std::string map = {};  // without one table B.1
  std::vector<std::string> on = {};
  std::string sample = {};
  std::string gene = {};
  std::string person = {};
  std::vector<std::string> codes = {};
  // Of attack all: how names of samples were made (attack/dictionary.h), and from which columns of
  // the clinical table; empty: they were not.
  std::string scheme = "sha256";
  std::vector<std::string> made_from = {};
  // Of attack all: pedigrees of the samples, and genealogies with names; empty: there are none.
  std::string pedigrees = {};
  std::string genealogies = {};
  std::string truth = {};
  std::string out = {};
  std::optional<double> fail_above = {};
};

// JSON keys: samples, people, places, informative, unmatched, before, after (mean candidates),
// reidentified_before, reidentified, reidentified_share, on, diseases; with a truth right.
[[nodiscard]] Outcome attack_phenotype(const PhenotypeRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
