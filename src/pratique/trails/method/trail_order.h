// Holdings numbered by nothing but trails: locations by their names, elements by where they are.
// Ties are broken by numbers, so a decision on these is the same for everybody who knows the trails
// alone, and for an authority that sees every element encrypted (consortium/decision.h): up to
// elements with equal trails, which nobody can tell apart there.
#pragma once

#include <string>
#include <vector>

#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

struct OrderedHoldings {
  Holdings holdings;
  std::vector<std::size_t> locations;  // the former number of each
  std::vector<Id> samples;             // the former number of each

  // The same allocation by former numbers.
  [[nodiscard]] Allocation restored(const Allocation& allocation) const;
};

// `names` are of the locations, all different.
[[nodiscard]] OrderedHoldings ordered_by_trails(const Holdings& holdings,
                                                const std::vector<std::string>& names);

}  // namespace pratique::trails
