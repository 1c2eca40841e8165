// The lattice of full-domain generalisation (Samarati 2001): a node is one level per attribute; a
// node is above another when none of its levels is lower. Nodes are numbered in lexicographic order
// of their levels, the last attribute fastest, so 0 is the bottom (all values as they are) and
// size() - 1 the top (nothing left).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pratique/tables/attribute.h"

namespace pratique::tables {

using Levels = std::vector<int>;

class Lattice {
 public:
  using Index = std::uint64_t;
  static constexpr Index kUncountable = ~Index{0};

  // How many levels each attribute has, at least one.
  explicit Lattice(std::vector<int> heights);
  // Of the levels that keep the limits of the attributes.
  [[nodiscard]] static Lattice of(const std::vector<Attribute>& attributes);

  [[nodiscard]] const std::vector<int>& heights() const { return heights_; }
  // kUncountable where 64 bits do not hold it; then nodes have no number.
  [[nodiscard]] Index size() const { return size_; }
  [[nodiscard]] Levels bottom() const { return Levels(heights_.size(), 0); }
  [[nodiscard]] Levels top() const;
  [[nodiscard]] int highest_rank() const;

  [[nodiscard]] Index index(const Levels& levels) const;
  [[nodiscard]] Levels levels(Index index) const;
  // By how much the number grows with one level of this attribute.
  [[nodiscard]] Index stride(std::size_t attribute) const { return strides_[attribute]; }

  // All nodes whose levels add up to `rank`, in the order of their numbers.
  void visit_rank(int rank, const std::function<void(Index, const Levels&)>& visit) const;

 private:
  std::vector<int> heights_;
  std::vector<Index> strides_;
  std::vector<int> rank_left_;  // by attribute: the highest sum of levels from it on
  Index size_ = 1;
};

}  // namespace pratique::tables
