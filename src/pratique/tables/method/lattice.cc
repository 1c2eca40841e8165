#include "pratique/tables/method/lattice.h"

#include <algorithm>

namespace pratique::tables {

Lattice::Lattice(std::vector<int> heights)
    : heights_(std::move(heights)),
      strides_(heights_.size(), 0),
      rank_left_(heights_.size() + 1, 0) {
  for (std::size_t a = heights_.size(); a-- > 0;) {
    const auto height = static_cast<Index>(heights_[a]);
    strides_[a] = size_;
    size_ = size_ > kUncountable / height ? kUncountable : size_ * height;
    rank_left_[a] = rank_left_[a + 1] + heights_[a] - 1;
  }
}

Lattice Lattice::of(const std::vector<Attribute>& attributes) {
  std::vector<int> heights;
  heights.reserve(attributes.size());
  for (const auto& attribute : attributes) heights.push_back(highest_level(attribute) + 1);
  return Lattice(std::move(heights));
}

Levels Lattice::top() const {
  Levels levels;
  levels.reserve(heights_.size());
  for (const int height : heights_) levels.push_back(height - 1);
  return levels;
}

int Lattice::highest_rank() const { return rank_left_.front(); }

Lattice::Index Lattice::index(const Levels& levels) const {
  Index index = 0;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    index += strides_[a] * static_cast<Index>(levels[a]);
  }
  return index;
}

Levels Lattice::levels(Index index) const {
  Levels levels;
  levels.reserve(heights_.size());
  for (const Index stride : strides_) {
    levels.push_back(static_cast<int>(index / stride));
    index %= stride;
  }
  return levels;
}

void Lattice::visit_rank(int rank, const std::function<void(Index, const Levels&)>& visit) const {
  Levels levels = bottom();
  const std::function<void(std::size_t, int, Index)> choose = [&](std::size_t a, int left,
                                                                  Index index) {
    if (a == levels.size()) {
      if (left == 0) visit(index, levels);
      return;
    }
    const int low = std::max(0, left - rank_left_[a + 1]);
    const int high = std::min(heights_[a] - 1, left);
    for (int level = low; level <= high; ++level) {
      levels[a] = level;
      choose(a + 1, left - level, index + strides_[a] * static_cast<Index>(level));
    }
  };
  choose(0, rank, 0);
}

}  // namespace pratique::tables
