// Code systems whose codes say by themselves where they stand.
//
//   icd9    ICD-9-CM diagnoses: code, four digits, three digits, section, chapter (icd9.h)
//   icd10   ICD-10-CM diagnoses: code, six to four characters, category, block, chapter (icd10.h)
//   atc     drugs, by WHO's Anatomical Therapeutic Chemical classification: A10BA02, A10BA, A10B,
//           A10, A
//
// A code may be written in several ways: 25000 and 250.00, v58.1 and V58.1, with blanks around it.
// Its normal form has capital letters and no blanks, and the point everywhere or nowhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

struct CodeSystem {
  std::string_view name;   // of the hierarchy
  std::string_view title;  // for people
  std::string_view how;    // codes are to be written
  std::size_t levels;      // between a code and the root
  // The normal form; none where this is no code of the system.
  std::optional<std::string> (*normal)(std::string_view text, bool points);
  // The labels above a code, one for each level; a shorter code is its own label on those that it
  // has no characters for. False where this is no code of the system.
  bool (*place)(std::string_view text, bool points, std::vector<std::string>& labels);
};

[[nodiscard]] std::span<const CodeSystem> code_systems();
[[nodiscard]] const CodeSystem* find_code_system(std::string_view name);

// The system that these codes are of, by what is written: all of them but a few must fit one system
// and no other so well. `counts` by code; none is the same as one each.
[[nodiscard]] const CodeSystem* detect_code_system(const Dictionary& codes,
                                                   const std::vector<std::uint64_t>& counts);
// How well codes fit each of the systems, in words.
[[nodiscard]] std::string fit_of_code_systems(const Dictionary& codes,
                                              const std::vector<std::uint64_t>& counts);

// Whether some code is written with a point.
[[nodiscard]] bool written_with_points(const Dictionary& codes);

}  // namespace pratique
