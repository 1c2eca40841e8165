// Demographics and codes together: (k, k^m)-anonymity (Poulis, Loukides, Gkoulalas-Divanis,
// Skiadopoulos, ECML PKDD 2013). Whoever knows a patient's quasi-identifiers and up to m codes is
// left with at least k records, or with none.
//
// A table that is k-anonymous with codes that are k^m-anonymous does not do: the k who share m
// codes may all differ in age. So patients are put into classes of at least k with the same
// quasi-identifiers, and in every class the codes are made k^m-anonymous by themselves
// (km_methods.h, local). All patients are one class at first. A class is split along a
// quasi-identifier's hierarchy; parts under k are merged into one class that keeps the wider value;
// the split stays where demographics and codes together lose less than before. Small classes tell
// more about demographics and less about codes.
#pragma once

#include <string>
#include <vector>

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/codes/method/protection.h"

namespace pratique::codes {

struct QuasiIdentifier {
  std::string column;     // of the riders
  std::string hierarchy;  // as in data/hierarchy.h
};

struct TableAndCodes {
  Recoding recoding;
  std::uint64_t classes = 0;
  double demographics_ncp = 0;  // leaves under what a value became, over all; the mean
  // Quasi-identifiers and m codes known; quasi-identifiers and all codes known.
  Exposure before;
  Exposure before_all;
  Exposure after;
  Exposure after_all;
};

// In `file` the quasi-identifiers become those of the release, and equal sets of codes of different
// classes are told apart.
[[nodiscard]] TableAndCodes anonymise_table_and_codes(
    CodeFile& file, const CodeTree& tree, const std::vector<QuasiIdentifier>& quasi_identifiers,
    const Parameters& parameters, Progress& progress);

}  // namespace pratique::codes
