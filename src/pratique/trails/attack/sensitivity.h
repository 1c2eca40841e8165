// What single locations contribute to the re-identification of trails.
#pragma once

#include <algorithm>

#include "pratique/trails/attack/attack.h"
#include "pratique/trails/trail_figures.h"

namespace pratique::trails {

// An attack on what some of the locations published. Elements that were seen at none of these are
// not discovered, and do not count.
struct SensitivityPoint {
  Location location = 0;       // the one added last, or the one left out
  std::size_t locations = 0;   // that took part
  std::uint64_t visitors = 0;  // of that location, on the complete side
  std::size_t identified = 0;
  std::size_t deidentified = 0;
  std::size_t reidentified = 0;

  // Section 4.3: no more than there are trails over these locations (figure 5.5's upper line).
  [[nodiscard]] std::uint64_t most_reidentifiable() const {
    return trails::most_reidentifiable(std::min(identified, deidentified), locations);
  }
  [[nodiscard]] double share() const {
    return deidentified == 0
               ? 0
               : static_cast<double>(reidentified) / static_cast<double>(deidentified);
  }
};

// Which locations join first (section 5.2.3).
enum class Rank { down, up };  // the most visited (figure 5.5), the least visited (figure 5.6)

// One point per location, as it joins. Equally visited ones join in the order of their numbers.
[[nodiscard]] std::vector<SensitivityPoint> attack_by_rank(const World& world,
                                                           const Disclosure& disclosure,
                                                           Algorithm algorithm, Rank rank,
                                                           Progress& progress);

// One point per location: the attack without it (figures 5.4, 5.7).
[[nodiscard]] std::vector<SensitivityPoint> attack_leaving_one_out(const World& world,
                                                                   const Disclosure& disclosure,
                                                                   Algorithm algorithm,
                                                                   Progress& progress);

}  // namespace pratique::trails
