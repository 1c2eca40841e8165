// A set of numbers below a fixed bound as bits, with a second level that has a bit per word that is
// not empty, so that walking over it skips what was removed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pratique::trails {

class PositionSet {
 public:
  PositionSet() = default;
  explicit PositionSet(std::size_t bound, bool full)
      : words_((bound + 63) / 64, full ? ~std::uint64_t{0} : 0),
        summary_((words_.size() + 63) / 64) {
    if (full && bound % 64 != 0) words_.back() = (std::uint64_t{1} << (bound % 64)) - 1;
    for (std::size_t w = 0; full && w < words_.size(); ++w) summary_[w / 64] |= bit(w);
  }

  [[nodiscard]] bool contains(std::size_t position) const {
    return (words_[position / 64] & bit(position)) != 0;
  }
  void insert(std::size_t position) {
    words_[position / 64] |= bit(position);
    summary_[position / 4096] |= bit(position / 64);
  }
  void erase(std::size_t position) {
    std::uint64_t& word = words_[position / 64];
    word &= ~bit(position);
    if (word == 0) summary_[position / 4096] &= ~bit(position / 64);
  }

  [[nodiscard]] std::uint64_t word(std::size_t index) const { return words_[index]; }
  [[nodiscard]] std::uint64_t summary(std::size_t index) const { return summary_[index]; }

 private:
  static std::uint64_t bit(std::size_t position) { return std::uint64_t{1} << (position % 64); }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
};

}  // namespace pratique::trails
