#include "pratique/trails/world.h"

#include <algorithm>
#include <cmath>

namespace pratique::trails {

Side::Side(std::size_t elements, std::span<const Element> elements_seen,
           std::span<const Location> locations_seen)
    : starts_(elements + 1, 0), locations_(elements_seen.size()) {
  for (const Element element : elements_seen) ++starts_[element + 1];
  for (std::size_t e = 0; e < elements; ++e) starts_[e + 1] += starts_[e];
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t row = 0; row < elements_seen.size(); ++row) {
    locations_[next[elements_seen[row]]++] = locations_seen[row];
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < elements; ++e) {
    const auto begin = locations_.begin() + static_cast<std::ptrdiff_t>(starts_[e]);
    const auto end = locations_.begin() + static_cast<std::ptrdiff_t>(starts_[e + 1]);
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    starts_[e] = kept;
    kept = static_cast<std::size_t>(
        std::copy(begin, last, locations_.begin() + static_cast<std::ptrdiff_t>(kept)) -
        locations_.begin());
  }
  starts_[elements] = kept;
  locations_.resize(kept);
}

std::size_t Side::seen() const {
  std::size_t count = 0;
  for (std::size_t e = 0; e < elements(); ++e) count += starts_[e + 1] > starts_[e] ? 1 : 0;
  return count;
}

std::vector<std::uint64_t> Side::sizes(std::size_t locations) const {
  std::vector<std::uint64_t> counts(locations, 0);
  for (const Location location : locations_) ++counts[location];
  return counts;
}

Side restricted(const Side& side, const std::vector<bool>& keep) {
  std::vector<Element> elements;
  std::vector<Location> locations;
  for (Element e = 0; e < side.elements(); ++e) {
    for (const Location location : side.trail(e)) {
      if (!keep[location]) continue;
      elements.push_back(e);
      locations.push_back(location);
    }
  }
  return {side.elements(), elements, locations};
}

World restricted(const World& world, const std::vector<bool>& keep) {
  return {world.locations, restricted(world.identified, keep), restricted(world.deidentified, keep),
          world.blocks};
}

double entropy_bits(const Side& side, std::size_t locations) {
  const auto people = static_cast<double>(side.seen());
  double bits = 0;
  for (const auto size : side.sizes(locations)) {
    const double share = static_cast<double>(size) / people;
    if (size == 0 || share >= 1) continue;
    bits -= share * std::log2(share) + (1 - share) * std::log2(1 - share);
  }
  return bits;
}

}  // namespace pratique::trails
