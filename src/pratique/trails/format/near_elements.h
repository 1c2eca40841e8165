// Fault-tolerant matching of elements, before trails are made of them (section 10.3.3).
//
// A sequence may be read a little differently at each location, and every variant would begin a
// trail of its own. Here elements that differ by at most so many edits (a byte that was inserted,
// deleted or replaced) are joined, the closest first, unless one location has both: a location
// knows its own elements apart. So what is joined is never two elements of one location, and a
// chain of variants ends where one would be.
//
// Pairs are found by pieces: of two strings within N edits, cut into N + 1 pieces, one piece stands
// in the other unchanged, at most N places away. Every candidate is then measured (Ukkonen's band).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/trails/format/reader.h"

namespace pratique::trails {

// The edits from one to the other; most + 1 for more than that.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

struct NearPair {
  Code first = 0;
  Code second = 0;
  std::size_t edits = 0;
  bool operator==(const NearPair&) const = default;
};
// Every two names within so many edits, first < second, in their order.
[[nodiscard]] std::vector<NearPair> near_pairs(const Dictionary& names, std::size_t most,
                                               Progress& progress);

struct JoinedElements {
  std::size_t before = 0;  // elements
  std::size_t joined = 0;  // of these, that are now part of another
  std::size_t apart = 0;   // pairs near each other that one location has both of
};
// Joins de-identified elements of the world. The one seen at most locations gives the name; the
// others are in `variants`.
JoinedElements join_near_samples(NamedWorld& read, std::size_t most, Progress& progress);

}  // namespace pratique::trails
