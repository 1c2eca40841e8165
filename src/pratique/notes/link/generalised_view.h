// The identifier view made k-anonymous and l-diverse (HIDE; Gardner and Xiong 2008), by Mondrian
// (tables/method/mondrian.h) over age, ZIP and year, with the labels of their hierarchies. Persons
// of one sex are recoded apart from the others, because a text tells sex by every pronoun: it stays
// as it is. Where fewer than k persons share a sex, or their diagnoses are too few, they are
// withheld with all their notes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/notes/link/person_view.h"

namespace pratique::notes {

struct GeneralisedPerson {
  std::string age, sex, zip, year;  // as they are released; empty: no note tells it
  std::string diagnosis;            // the first, as it is
};

// By person of the view; none: withheld.
[[nodiscard]] std::vector<std::optional<GeneralisedPerson>> generalise_view(const PersonView& view,
                                                                            std::uint64_t k,
                                                                            std::uint64_t l,
                                                                            Progress& progress);

}  // namespace pratique::notes
