// Finds identifiers in a text. Detectors run side by side, each with a certainty for what it finds,
// and compete for every span, as in Scrub (Sweeney 1996): the most certain one names it, and of a
// less certain one only what no other covers is left.
//
//   patterns   what its shape gives away, with checksums and words around it (patterns.h)
//   words      names, places, hospitals and organisations, by lists and words around them; medical
//              words are protected (word_rules.h)
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/note.h"

namespace pratique::notes {

// What is less certain is not reported, unless somebody asks for another threshold.
inline constexpr double kDefaultCertainty = 0.45;

// In order, apart from each other, in bytes of the text.
[[nodiscard]] std::vector<Span> find_identifiers(std::string_view text,
                                                 double at_least = kDefaultCertainty);

// The competition alone.
[[nodiscard]] std::vector<Span> compete(std::string_view text, std::vector<Span> candidates);

}  // namespace pratique::notes
