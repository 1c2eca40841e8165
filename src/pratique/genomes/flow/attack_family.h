// `genomes attack family`: pedigrees without names, found again by their shape.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct FamilyRequest {
  std::string pedigrees = {};             // PED or GEDCOM
  std::string register_file = {};         // the same with names
  std::vector<std::string> without = {};  // sex, status, order: what is not known
  std::string out = {};
  std::optional<double> fail_above = {};
};

// JSON keys: structures, distinct, unique, unique_share, people, people_unique; with a register
// registered, matched, reidentified, reidentified_share, mean_candidates, compared_by.
[[nodiscard]] Outcome attack_family(const FamilyRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
