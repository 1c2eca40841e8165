// One location for each sample, and the moves between locations that open as many of them as
// possible.
#pragma once

#include <vector>

#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

class Placement {
 public:
  static constexpr Id kNowhere = static_cast<Id>(-1);

  // `permitted`: the samples that may be placed at each location.
  Placement(const Holdings& holdings, const LocationLists& permitted);

  [[nodiscard]] Id home(Id sample) const { return home_[sample]; }
  [[nodiscard]] std::size_t size(std::size_t location) const { return sizes_[location]; }
  [[nodiscard]] const std::vector<Id>& permitted(std::size_t location) const {
    return permitted_[location];
  }
  // kNowhere withdraws it.
  void place(Id sample, Id location);

  // Gives `location` at least `least` samples without taking any other open location below `least`
  // and without withdrawing a sample. False, and nothing changed, when that cannot be done.
  bool open(std::size_t location, std::size_t least);
  // Withdraws its samples, and says which they were.
  std::vector<Id> close(std::size_t location);

  // Places the sample at the open location that may have it where there are fewer than k, else
  // where samples are fewest for the people. False when there is none.
  bool place_lightly(Id sample, std::size_t k);
  [[nodiscard]] std::size_t options(Id sample) const { return options_[sample].size(); }

  [[nodiscard]] Allocation allocation() const;
  // Becomes that allocation.
  void take(const Allocation& allocation);

 private:
  bool augment(std::size_t location, std::size_t least);

  const Holdings& holdings_;
  const LocationLists& permitted_;
  ElementLocations options_;  // by sample
  std::vector<Id> home_;
  std::vector<std::size_t> sizes_;
};

}  // namespace pratique::trails
