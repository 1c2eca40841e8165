// The values of an attribute at each level of its hierarchy, numbered without gaps, so that a node
// of the lattice can be counted in packed codes.
#pragma once

#include <vector>

#include "pratique/tables/attribute.h"

namespace pratique::tables::internal {

class LevelCodes {
 public:
  explicit LevelCodes(const Attribute& attribute);

  [[nodiscard]] int height() const { return static_cast<int>(nodes_.size()); }
  [[nodiscard]] std::size_t distinct(int level) const { return at(nodes_, level).size(); }
  // The node of the hierarchy behind a code of this level.
  [[nodiscard]] Hierarchy::Node node(int level, Code code) const { return at(nodes_, level)[code]; }
  // By code of the column: the code at level 0.
  [[nodiscard]] const std::vector<Code>& lowest() const { return lowest_; }
  // By code of the lower level: the code of its ancestor.
  [[nodiscard]] const std::vector<Code>& raise(int from, int to) const {
    return at(at(raise_, from), to - from);
  }

 private:
  template <class T>
  static const T& at(const std::vector<T>& items, int place) {
    return items[static_cast<std::size_t>(place)];
  }
  std::vector<std::vector<Hierarchy::Node>> nodes_;    // by level, by code
  std::vector<Code> lowest_;                           // by code of the column
  std::vector<std::vector<std::vector<Code>>> raise_;  // by level, by levels raised, by code
};

}  // namespace pratique::tables::internal
