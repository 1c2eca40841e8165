// `genomes attack dictionary`: pseudonyms turned back by trying everybody of a register.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/kind/run.h"

namespace pratique::genomes::flow {

struct DictionaryRequest {
  std::string pseudonyms = {};  // a table
  std::string column = {};      // of it
  std::string register_file = {};
  std::vector<std::string> on = {};  // columns of the register
  // In place of a register: "ssn" or "date", all there are; of SSNs in some areas ("001-003,700").
  std::string every = {};
  std::string areas = {};
  std::string scheme = "sha256";
  std::string known = {};  // a table of pseudonyms and people that are known already
  std::string out = {};
  std::optional<double> fail_above = {};
};

// JSON keys: broken, of, share, tries, seconds, ambiguous, unreadable, by_chance, made_as, scheme,
// people (or values, where all there are were tried), tries_per_second, all_ssns_seconds; with
// --known known_pairs, broken_by_pairs and share_with_pairs, which is what the gate is for then.
[[nodiscard]] Outcome attack_dictionary(const DictionaryRequest& request, const Run& run);

}  // namespace pratique::genomes::flow
