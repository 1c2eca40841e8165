// How much finding misses, with a confidence: the exact upper bound of Clopper and Pearson (1934)
// on the share of identifiers missed, from n that somebody marked of which m were missed. It holds
// for text like that which was marked, and for no other.
#pragma once

#include <cstdint>

namespace pratique::notes {

// The largest p for which m or fewer misses of n still have a probability of 1 - confidence.
[[nodiscard]] double miss_rate_at_most(std::uint64_t missed, std::uint64_t marked,
                                       double confidence);

}  // namespace pratique::notes
