// What each location holds, by number: the people it names openly and the samples it keeps. A
// protector decides which of its samples each location may disclose: an Allocation. Samples are
// reserved to people: whoever has a sample at a location is named there, so that |samples| <=
// |people| at every location.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pratique::trails {

using Id = std::uint32_t;
using LocationLists = std::vector<std::vector<Id>>;  // by location; ids ascend, each once
using Allocation = LocationLists;                    // the samples that each location discloses

struct Holdings {
  std::size_t people = 0;
  std::size_t samples = 0;
  LocationLists people_at;
  LocationLists samples_at;

  [[nodiscard]] std::size_t locations() const { return people_at.size(); }
};

// The other way round: where each element is. Locations ascend. All in one piece, as there may be
// millions of elements.
class ElementLocations {
 public:
  ElementLocations(const LocationLists& at, std::size_t elements);

  [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }
  [[nodiscard]] std::span<const Id> operator[](std::size_t element) const {
    return std::span(locations_).subspan(starts_[element], starts_[element + 1] - starts_[element]);
  }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<Id> locations_;
};

// Different samples disclosed, and locations that disclose any.
[[nodiscard]] std::size_t disclosed_samples(const Allocation& allocation);
[[nodiscard]] std::size_t disclosing_locations(const Allocation& allocation);

}  // namespace pratique::trails
