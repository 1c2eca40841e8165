// Sequences as planes of bits, to add up distances of the lattice over many columns at once.
//
// Five planes, one for each base and one for gaps, a bit per column. The union of letters is the
// union of planes (nucleotide.h: a gap has all four bases), so that over all columns
//   sum level(union) = sum over bases of |plane| - columns - 3 |gap in all|,
// because a column where all are gaps has four bases set and level 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

// The union of some sequences: a row of words, plane after plane.
using PlaneRow = std::vector<std::uint64_t>;

class LatticePlanes {
 public:
  // Of these columns of aligned sequences.
  LatticePlanes(const std::vector<Sequence>& aligned, const std::vector<std::uint32_t>& columns);

  [[nodiscard]] std::size_t size() const { return levels_.size(); }
  // Sum of levels of a sequence.
  [[nodiscard]] std::int64_t level_sum(std::size_t sequence) const { return levels_[sequence]; }
  // Sum of d(x, y) over the columns.
  [[nodiscard]] std::int64_t distance(std::size_t x, std::size_t y) const;

  // Unions of several, for groups: the gap plane is an intersection.
  [[nodiscard]] PlaneRow row(std::size_t sequence) const;
  void unite(PlaneRow& with, std::size_t sequence) const;
  [[nodiscard]] std::int64_t level_sum(const PlaneRow& united) const;
  // The same of the union with one more, which is not made.
  [[nodiscard]] std::int64_t level_sum_with(const PlaneRow& united, std::size_t sequence) const;
  // Whether the union stands for the sequence in every column.
  [[nodiscard]] bool covers(const PlaneRow& united, std::size_t sequence) const;

 private:
  [[nodiscard]] std::span<const std::uint64_t> words_of(std::size_t sequence) const {
    return {words_.data() + sequence * row_words_, row_words_};
  }
  std::int64_t columns_;
  std::size_t plane_words_;
  std::size_t row_words_;
  std::vector<std::uint64_t> words_;
  std::vector<std::int64_t> levels_;
};

}  // namespace pratique::genomes
