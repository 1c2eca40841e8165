// Which of a set of trails a given one may be a part of (Definition 17).
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique::verify {

class Supertrails {
 public:
  // Trails are ascending locations below `locations`. Where a location is `complete`, a blank is an
  // absence and not unknown.
  Supertrails(const std::vector<std::vector<Code>>& trails, std::size_t locations,
              const std::vector<Code>& complete);

  // The numbers of the trails that have every location of `trail`, and no complete one beside,
  // ascending, added to `matches`.
  void find(const std::vector<Code>& trail, std::vector<std::uint32_t>& matches) const;

 private:
  [[nodiscard]] bool fits(std::size_t number, const std::vector<std::uint64_t>& bits) const;

  std::size_t words_;
  std::vector<std::uint32_t> all_;
  std::vector<std::uint64_t> complete_;
  std::vector<std::uint64_t> bits_;                 // of each trail, words_ words
  std::vector<std::vector<std::uint32_t>> having_;  // per location, the trails that have it
};

}  // namespace pratique::verify
