// What locations can link that know whose their own samples are, each alone and several that pool
// what they know (Definition 25; coalitions: section 9.3).
//
// A coalition J names the people P and submitted the samples K. It knows whose those samples are,
// and whatever else it holds and did not submit: nobody can see that it submitted less than it has.
// So every person of P may be known to it, with a sample of any location that fits, or with one
// that nobody else has ever seen. The more pairs it takes away, the fewer partners are left to the
// rest: each way to match the rest is, with these pairs, a way to match all.
//
// - Where K are as many as P, nothing can be hidden, and W_J is P and K taken away: exact.
// - With the truth: all of P and their samples are taken away, and whoever of P may be unknown to J
//   (no sample of theirs was submitted by J) is put back, one person at a time: exact.
// - Otherwise a bound holds for every truth and everything that may be hidden. Of the n published
//   samples with one trail that J did not submit it may know at most d more: no more than |P| -
//   |K|, nor than people of P fit who are left. The rest are each other's alternatives. And of the
//   m people who fit and are not in P, at most q have a sample with another published trail:
//       k >= max(n - d, m - q, 1).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/verify/internal/link_graph.h"
#include "pratique/verify/internal/partner_tally.h"
#include "pratique/verify/internal/trail_lists.h"

namespace pratique::verify {

// Every coalition of 1 to `size` locations. `everybody`: the external graph. `owners`: the truth.
// False: for some of them only the bound is known.
[[nodiscard]] bool tally_coalitions(const TrailLists& lists, const LinkGraph& everybody,
                                    std::uint64_t size,
                                    const std::optional<std::vector<Code>>& owners,
                                    PartnerTally& tally, Progress& progress);

}  // namespace pratique::verify
