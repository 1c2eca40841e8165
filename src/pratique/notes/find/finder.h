// Finds identifiers in a text. Detectors run side by side, each with a certainty for what it finds,
// and compete for every span, as in Scrub (Sweeney 1996): the most certain one names it, and of a
// less certain one only what no other covers is left.
//
//   patterns   what its shape gives away, with checksums and words around it (patterns.h)
//   known      names that are certain elsewhere in the note or in another of the same patient, and
//              what the patient's own record says (known_names.h)
//   words      names, places, hospitals and organisations, by lists and words around them; medical
//              words are protected (word_rules.h)
#pragma once

#include <string_view>
#include <vector>

#include "pratique/notes/find/known_names.h"
#include "pratique/notes/note.h"

namespace pratique::notes {

// What is less certain is not reported, unless somebody asks for another threshold.
inline constexpr double kDefaultCertainty = 0.43;

// In order, apart from each other, in bytes of the text.
[[nodiscard]] std::vector<Span> find_identifiers(std::string_view text,
                                                 double at_least = kDefaultCertainty,
                                                 const KnownIdentifiers* known = nullptr);

// Both steps of it: all that competes, from kLeastHit on; and what of it is certain enough, with
// neighbours that are one name joined.
inline constexpr double kLeastHit = 0.2;
[[nodiscard]] std::vector<Span> find_candidates(std::string_view text,
                                                const KnownIdentifiers* known = nullptr);
[[nodiscard]] std::vector<Span> settled(std::string_view text, std::vector<Span> candidates,
                                        double at_least);

// Words of names that are certain enough to be looked for in other notes of the same patient.
[[nodiscard]] std::vector<std::string> certain_names(std::string_view text,
                                                     const std::vector<Span>& spans);

// The competition alone.
[[nodiscard]] std::vector<Span> compete(std::string_view text, std::vector<Span> candidates);

}  // namespace pratique::notes
