#include "pratique/genomes/sequence/lattice_planes.h"

#include <bit>

#include "pratique/core/parallel.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kBases = 4;
constexpr std::size_t kPlanes = 5;
constexpr std::size_t kWordBits = 64;

// Sum of levels of x united with y, both rows of planes.
std::int64_t united_levels(const std::uint64_t* x, const std::uint64_t* y, std::size_t plane_words,
                           std::int64_t columns) {
  std::int64_t bases = 0;
  for (std::size_t w = 0; w < kBases * plane_words; ++w) bases += std::popcount(x[w] | y[w]);
  std::int64_t gaps = 0;
  for (std::size_t w = kBases * plane_words; w < kPlanes * plane_words; ++w)
    gaps += std::popcount(x[w] & y[w]);
  return bases - columns - kTopLevel * gaps;
}

}  // namespace

LatticePlanes::LatticePlanes(const std::vector<Sequence>& aligned,
                             const std::vector<std::uint32_t>& columns)
    : columns_(static_cast<std::int64_t>(columns.size())),
      plane_words_((columns.size() + kWordBits - 1) / kWordBits),
      row_words_(kPlanes * plane_words_),
      words_(aligned.size() * row_words_, 0),
      levels_(aligned.size(), 0) {
  constexpr std::size_t kSequencesPerBlock = 64;
  parallel_blocks(aligned.size(), kSequencesPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      std::uint64_t* row = words_.data() + s * row_words_;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Letter letter = aligned[s][columns[c]];
        levels_[s] += level(letter);
        for (std::size_t plane = 0; plane < kPlanes; ++plane) {
          if ((letter >> plane & 1U) != 0)
            row[plane * plane_words_ + c / kWordBits] |= std::uint64_t{1} << (c % kWordBits);
        }
      }
    }
  });
}

std::int64_t LatticePlanes::distance(std::size_t x, std::size_t y) const {
  return 2 * united_levels(words_of(x).data(), words_of(y).data(), plane_words_, columns_) -
         levels_[x] - levels_[y];
}

PlaneRow LatticePlanes::row(std::size_t sequence) const {
  const auto words = words_of(sequence);
  return {words.begin(), words.end()};
}

void LatticePlanes::unite(PlaneRow& with, std::size_t sequence) const {
  const auto words = words_of(sequence);
  for (std::size_t w = 0; w < kBases * plane_words_; ++w) with[w] |= words[w];
  for (std::size_t w = kBases * plane_words_; w < row_words_; ++w) with[w] &= words[w];
}

std::int64_t LatticePlanes::level_sum(const PlaneRow& united) const {
  return united_levels(united.data(), united.data(), plane_words_, columns_);
}

std::int64_t LatticePlanes::level_sum_with(const PlaneRow& united, std::size_t sequence) const {
  return united_levels(united.data(), words_of(sequence).data(), plane_words_, columns_);
}

bool LatticePlanes::covers(const PlaneRow& united, std::size_t sequence) const {
  const auto words = words_of(sequence);
  for (std::size_t w = 0; w < kBases * plane_words_; ++w) {
    if ((words[w] & ~united[w]) != 0) return false;
  }
  // A gap stays a gap only where all are gaps; a base does not fit there.
  for (std::size_t w = kBases * plane_words_; w < row_words_; ++w) {
    if ((united[w] & ~words[w]) != 0) return false;
  }
  return true;
}

}  // namespace pratique::genomes
