// Finds people by name in another file, through typing errors.
//
// Two names are compared by Jaro-Winkler after both are brought to lower case and one space between
// words, without accents and titles ("Dr. José Díaz" is "jose diaz"), the family name last ("Díaz,
// José"). Names with different initials ("Karen C Holt", "Karen T Holt") are different people; a
// missing initial is a missing initial. Where an initial is missing, or words are in another order,
// the names are compared without initials and with their words sorted, which counts a little less
// than the same name as it is written. A person is found when exactly one row of the other file
// reaches the threshold and no other comes within the margin of it; where several do the person is
// ambiguous, and not found. Several people may be found in one row: nobody knows that they are one.
//
// Not all pairs are compared: two names meet when the first letter of their first words and of
// their last words are the same, as written or sorted, and the second letter of one of these words,
// too. A typing error in one of these first letters is missed, and so is one in both second
// letters.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/data/table.h"

namespace pratique::fusion {

struct NameMatching {
  double threshold = 0.95;
  double margin = 0.02;
};

struct NameMatches {
  std::vector<std::uint32_t> row_of;  // by row: a row of the other file, or kNotFound
  std::size_t matched = 0;            // rows
  std::size_t exact = 0;              // of these, with the same name but for case and punctuation
  std::size_t ambiguous = 0;
};

[[nodiscard]] NameMatches match_names(const Column& names, const Column& others,
                                      const NameMatching& options,
                                      Progress& progress = Progress::silent());

}  // namespace pratique::fusion
