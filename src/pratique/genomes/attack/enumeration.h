// The dictionary attack without a register: of what has few values there is a list that needs
// nobody's, and all of it is tried. A Social Security number is one of 889 million (nine digits, as
// the Social Security Administration gives them out: no area 000, 666 or from 900 on, no group 00,
// no serial 0000), fewer where the area is known, which until 2011 said the state; a date of birth
// is one of 46 thousand.
//
// Each value is spelt in all usual ways, with the salt before and behind. Where a pseudonym of
// sixteen hexadecimal digits or more is met, which no chance explains, the others are looked for in
// that spelling alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"
#include "pratique/genomes/attack/dictionary.h"

namespace pratique::genomes {

enum class Enumerated { ssn, date };

struct EnumeratedMatch {
  std::uint32_t pseudonym = 0;  // by its code
  std::string value;            // 123-45-6789, 1950-02-03; the first where there are several
};

struct EnumerationFinding {
  std::uint64_t broken = 0;
  std::uint64_t ambiguous = 0;   // of these, that several values have
  std::uint64_t of = 0;          // different pseudonyms
  std::uint64_t unreadable = 0;  // of these, that are no digest in any spelling
  std::uint64_t values = 0;      // that were tried
  std::uint64_t tries = 0;       // digests
  double by_chance = 0;
  double seconds = 0;
  std::string made_as = {};
  std::vector<EnumeratedMatch> matches = {};
};

// `areas` (of SSNs, from 1 to 899) empty: all.
[[nodiscard]] EnumerationFinding enumerate_values(const Column& pseudonyms, Enumerated what,
                                                  const std::vector<unsigned>& areas,
                                                  const PseudonymScheme& scheme,
                                                  Progress& progress);

// Throws Error::input for what are no areas: "001-003,700".
[[nodiscard]] std::vector<unsigned> parse_areas(const std::string& text);

}  // namespace pratique::genomes
