#include "pratique/trails/method/holdings.h"

#include <algorithm>
#include <limits>

#include "pratique/core/error.h"

namespace pratique::trails {

ElementLocations::ElementLocations(const LocationLists& at, std::size_t elements)
    : starts_(elements + 1) {
  std::size_t sightings = 0;
  for (const auto& held : at) sightings += held.size();
  if (sightings > std::numeric_limits<std::uint32_t>::max())
    throw Error::input("there are more than four billion sightings");
  // Each element's start is where it begins once it was moved by all that it has.
  for (const auto& held : at)
    for (const Id element : held) ++starts_[element];
  std::uint32_t end = 0;
  for (auto& start : starts_) start = end += start;
  locations_.resize(sightings);
  for (std::size_t location = at.size(); location > 0; --location)
    for (const Id element : at[location - 1])
      locations_[--starts_[element]] = static_cast<Id>(location - 1);
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
