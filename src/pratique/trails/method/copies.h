// Samples disclosed at more than one location. Every further location narrows who a sample could
// belong to, so one is added only while k people are left for the sample, and k samples (null
// trails included) for everybody who is no longer its candidate; all maximum matchings are looked
// at in the end, and copies that break the promise are taken back.
#pragma once

#include "pratique/core/progress.h"
#include "pratique/crypto/random.h"
#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

// `allocation` has each sample at one location and keeps k. Locations that disclose nothing yet are
// taken first.
[[nodiscard]] Allocation add_copies(const Holdings& holdings, std::size_t k,
                                    const Allocation& allocation, SeededRandom& random,
                                    Progress& progress);

}  // namespace pratique::trails
