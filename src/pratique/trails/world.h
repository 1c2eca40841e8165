// Who was seen where, for the two sides of a link: people with names (identified) and samples
// without (de-identified), over one common set of locations (Malin 2006, chapter 3).
//
// Elements and locations are numbers from 0; their names, when they have any, are kept apart
// (trails/format/reader.h), so that simulated worlds need none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pratique::trails {

using Element = std::uint32_t;
using Location = std::uint32_t;

// One side: elements 0 to elements() - 1, and the trail of each.
class Side {
 public:
  Side() = default;
  // Row i says that elements_seen[i] was seen at locations_seen[i]. Rows in any order; one that
  // comes again adds nothing. Every element is below `elements`; one without a row has the empty
  // trail.
  Side(std::size_t elements, std::span<const Element> elements_seen,
       std::span<const Location> locations_seen);

  [[nodiscard]] std::size_t elements() const { return starts_.size() - 1; }
  // All trails together.
  [[nodiscard]] std::size_t sightings() const { return locations_.size(); }
  // Where it was seen, ascending, each location once.
  [[nodiscard]] std::span<const Location> trail(Element element) const {
    return std::span(locations_).subspan(starts_[element], starts_[element + 1] - starts_[element]);
  }
  // How many elements were seen anywhere.
  [[nodiscard]] std::size_t seen() const;
  // How many elements each location has seen.
  [[nodiscard]] std::vector<std::uint64_t> sizes(std::size_t locations) const;

 private:
  std::vector<std::size_t> starts_ = {0};
  std::vector<Location> locations_;
};

struct World {
  std::size_t locations = 0;  // every location is below it
  Side identified;
  Side deidentified;
  // By location, where elements have a shared attribute: all locations of an element are of its
  // value. Empty: there is none.
  std::vector<std::uint32_t> blocks = {};
};

// The same elements and numbers of locations, as if only the locations marked in `keep` had
// published anything.
[[nodiscard]] Side restricted(const Side& side, const std::vector<bool>& keep);
[[nodiscard]] World restricted(const World& world, const std::vector<bool>& keep);

// Section 5.6.1: the sum over locations of the entropy (in bits) of the share of seen elements that
// was seen there.
[[nodiscard]] double entropy_bits(const Side& side, std::size_t locations);
// Of the identified side.
[[nodiscard]] inline double entropy_bits(const World& world) {
  return entropy_bits(world.identified, world.locations);
}

}  // namespace pratique::trails
