// Greedy-Dedup and Force-Dedup (Malin 2006, chapter 7) and their secure versions (chapter 8).
//
// A sample leaves at one location, under the protection of people named there. Each location that
// discloses is given people of its own, at least k and at least as many as its samples, so every
// sample of it could belong to any of them (theorem 6). Greedy-Dedup gives the location with the
// fewest people all it can disclose, then the next; Force-Dedup first gives every location k, then
// the rest. The rarest elements go first; ties are broken by `random`.
//
// The loops of algorithms 7, 10, 12 and 14 run while some location still qualifies. The secure
// versions disclose at least k samples at a location or none, because the party that allocates them
// sees their (encrypted) trails, and only samples that contributor_clean permits.
#pragma once

#include "pratique/crypto/random.h"
#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

struct DedupRules {
  std::size_t k = 2;
  std::size_t least = 1;      // samples of a location that discloses any; k when secure
  std::size_t coalition = 0;  // so many locations may pool what they know; at least 1 when secure
  const LocationLists* permitted = nullptr;  // the samples that may leave where; all when null
};

// Throws Error::input where these are too many to look at.
void require_few_coalitions(std::size_t locations, std::size_t coalition);

[[nodiscard]] Allocation greedy_dedup(const Holdings& holdings, const DedupRules& rules,
                                      SeededRandom& random);
[[nodiscard]] Allocation force_dedup(const Holdings& holdings, const DedupRules& rules,
                                     SeededRandom& random);

// Algorithm 13: which samples a location may disclose so that no `coalition` of other locations,
// which know the people of their own samples, is left with fewer than k people for one that they do
// not know. Line 3 believes the adversary's own submission in two of its three terms; here every
// location may have a sample of everybody it names (internal/insiders.h). Where too few are left,
// only samples that the others submitted too may leave (lemma 18).
[[nodiscard]] LocationLists contributor_clean(const Holdings& holdings, std::size_t k,
                                              std::size_t coalition = 1);

}  // namespace pratique::trails
