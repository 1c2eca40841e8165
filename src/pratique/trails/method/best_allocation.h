// Allocations that disclose more than the chapter's (our own).
//
// A sample disclosed at one location could belong to anybody named there, whoever else protects
// whom, as long as all samples together leave people to spare: only where samples at some locations
// need every person named there (Hall's condition with equality) do these people protect nobody
// else. So a protector need not serve one location only, and a location with one sample is as safe
// as one with many. What is left to do:
//
// 1. Open as many locations as can have a sample each (k each when secure), by augmenting paths; a
//    location with fewer than k people can disclose nothing under any method.
// 2. Place every other sample that has an open location where it presses least on the people.
// 3. Look at all maximum matchings. Where a location or a person has fewer than k partners, some
//    set of locations keeps its people to itself: move a sample out of it, which joins it to where
//    the sample goes, or, when none can move, withhold one, which frees all of it.
// 4. Try again what was closed or withheld, all of it, then halves of it.
//
// Steps 3 and 4 are also done to what the chapter's methods allocate, and the best of all is taken.
//
// With `permitted` and `least` as for the secure methods, step 3 is done for every location's view,
// and for the third party's, which `least` samples at a location are enough for.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/method/dedup.h"
#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

enum class Objective { samples, locations };

[[nodiscard]] Allocation best_allocation(const Holdings& holdings, const DedupRules& rules,
                                         Objective objective, SeededRandom& random,
                                         Progress& progress);

// What no method can exceed under these rules: a sample that leaves has k people at some location,
// and a location needs samples of its own, rules.least of them, where each leaves once.
struct DisclosureBound {
  std::size_t samples = 0;
  std::size_t locations = 0;
};
[[nodiscard]] DisclosureBound disclosure_bound(const Holdings& holdings, const DedupRules& rules);

// Step 3 alone, for any allocation of each sample to one location: the views are the public's and,
// with rules.least above 1, the third party's, and those of the coalitions that `rules` has. What
// cannot be mended is withheld, at worst everything. No location that discloses nothing is opened.
void mend(const Holdings& holdings, const DedupRules& rules, Allocation& allocation,
          Progress& progress);

// Whether every view has k partners for everybody.
[[nodiscard]] bool protects(const Holdings& holdings, const DedupRules& rules,
                            const Allocation& allocation);

}  // namespace pratique::trails
