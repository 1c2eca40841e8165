#include "pratique/trails/method/holdings.h"

#include <algorithm>

namespace pratique::trails {

LocationLists locations_of(const LocationLists& at, std::size_t elements) {
  LocationLists locations(elements);
  for (std::size_t location = 0; location < at.size(); ++location) {
    for (const Id element : at[location]) locations[element].push_back(static_cast<Id>(location));
  }
  return locations;
}

std::size_t disclosed_samples(const Allocation& allocation) {
  std::vector<Id> all;
  for (const auto& samples : allocation) all.insert(all.end(), samples.begin(), samples.end());
  std::sort(all.begin(), all.end());
  return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

std::size_t disclosing_locations(const Allocation& allocation) {
  return static_cast<std::size_t>(std::count_if(allocation.begin(), allocation.end(),
                                                [](const auto& held) { return !held.empty(); }));
}

}  // namespace pratique::trails
