// Which side may be incomplete, and where its blanks are known to be absences.
//
// A side is reserved to the other (Definition 16) when at every location each of its elements has
// its counterpart in the other side's list there, but perhaps not the other way round. Then a blank
// in a trail of the reserved side is unknown (`*`), except at locations whose two lists are equally
// long: with one element per person on each side, nothing is missing there, and a blank is a 0.
//
// Neither side is reserved where one location withholds samples and another names (sections 2.1 and
// 10.2.2: trail matrices of 0, 1 and `*` on both sides). At each location the longer list is then
// complete, and both are where they are equally long. Not everybody needs to be on both sides any
// more: only whoever was seen where the other side's list is complete.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pratique/trails/world.h"

namespace pratique::trails {

enum class Reserved { none, deidentified, identified, both };

[[nodiscard]] std::string_view to_text(Reserved reserved);
[[nodiscard]] std::optional<Reserved> reserved_from_text(std::string_view text);

struct Disclosure {
  Reserved reserved = Reserved::none;
  std::vector<bool> complete;  // per location: the reserved side's blanks are 0, not `*`
  bool assumed = false;        // found out from the sizes, not said by the user
  bool by_algorithm = false;   // the only one that the algorithm can use
  // Of `both`, where `complete` is about the de-identified side: the identified side's blanks are
  // 0.
  std::vector<bool> identified_complete = {};

  // The side whose trails are subtrails of the other's: the reserved one; the de-identified one
  // when neither is.
  [[nodiscard]] bool identified_is_sub() const { return reserved == Reserved::identified; }
  // "de-identified trails may be incomplete (found out from ...)"
  [[nodiscard]] std::string to_text() const;
};

// What the sizes per location allow when every person has one element on each side (one-to-one):
// all equal, neither side is reserved; one side nowhere longer, that one is. `said` is checked
// against them. `both` is possible always, and therefore never found out. Throws when no choice, or
// not the one said, is possible.
[[nodiscard]] Disclosure find_disclosure(const World& world, std::optional<Reserved> said);

// For data where a person may have several elements on the reserved side (one-to-many): sizes prove
// nothing, so no location is complete. The reserved side is the de-identified one (several samples
// of a person) unless the identified one is said to be (several e-mail addresses at one IP address:
// appendix A's own case). Throws for `both`.
[[nodiscard]] Disclosure find_disclosure_of_many(const World& world, std::optional<Reserved> said);

}  // namespace pratique::trails
