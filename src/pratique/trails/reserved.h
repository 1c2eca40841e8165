// Which side may be incomplete, and where its blanks are known to be absences.
//
// A side is reserved to the other (Definition 16) when at every location each of its elements has
// its counterpart in the other side's list there, but perhaps not the other way round. Then a blank
// in a trail of the reserved side is unknown (`*`), except at locations whose two lists are equally
// long: with one element per person on each side, nothing is missing there, and a blank is a 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pratique/trails/world.h"

namespace pratique::trails {

enum class Reserved { none, deidentified, identified };

[[nodiscard]] std::string_view to_text(Reserved reserved);
[[nodiscard]] std::optional<Reserved> reserved_from_text(std::string_view text);

struct Disclosure {
  Reserved reserved = Reserved::none;
  std::vector<bool> complete;  // per location: the reserved side's blanks are 0, not `*`
  bool assumed = false;        // found out from the sizes, not said by the user
  bool by_algorithm = false;   // the only one that the algorithm can use

  // The side whose trails are subtrails of the other's: the reserved one; the de-identified one
  // when neither is.
  [[nodiscard]] bool identified_is_sub() const { return reserved == Reserved::identified; }
  // "de-identified trails may be incomplete (found out from ...)"
  [[nodiscard]] std::string to_text() const;
};

// What the sizes per location allow when every person has one element on each side (one-to-one):
// all equal, neither side is reserved; one side nowhere longer, that one is. `said` is checked
// against them. Throws when no choice, or not the one said, is possible.
[[nodiscard]] Disclosure find_disclosure(const World& world, std::optional<Reserved> said);

// For data where a person may have several elements on the reserved side (one-to-many): sizes prove
// nothing, so no location is complete, and the reserved side is the de-identified one. Throws when
// the identified one is said to be: a person's several samples would then be taken for one.
[[nodiscard]] Disclosure find_disclosure_of_many(const World& world, std::optional<Reserved> said);

}  // namespace pratique::trails
