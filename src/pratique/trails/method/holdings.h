// What each location holds, by number: the people it names openly and the samples it keeps. A
// protector decides which of its samples each location may disclose: an Allocation. Samples are
// reserved to people: whoever has a sample at a location is named there, so that |samples| <=
// |people| at every location.
#pragma once

#include <algorithm>
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

// The other way round: where each element is. Locations ascend. Of neighbours that were seen at the
// same locations these are kept once: there may be millions of elements and few trails.
class ElementLocations {
 public:
  ElementLocations(const LocationLists& at, std::size_t elements);

  [[nodiscard]] std::size_t size() const { return elements_; }
  [[nodiscard]] std::span<const Id> operator[](std::size_t element) const {
    const std::size_t run = run_of(element);
    return std::span(locations_).subspan(starts_[run], starts_[run + 1] - starts_[run]);
  }

 private:
  [[nodiscard]] std::size_t run_of(std::size_t element) const {
    if (firsts_.empty()) return element;
    return static_cast<std::size_t>(std::ranges::upper_bound(firsts_, element) - firsts_.begin()) -
           1;
  }

  std::size_t elements_;
  std::vector<Id> firsts_;  // of each run of neighbours alike; none where each is its own
  std::vector<std::uint32_t> starts_;
  std::vector<Id> locations_;
};

// Different samples disclosed, and locations that disclose any.
[[nodiscard]] std::size_t disclosed_samples(const Allocation& allocation);
[[nodiscard]] std::size_t disclosing_locations(const Allocation& allocation);

}  // namespace pratique::trails
