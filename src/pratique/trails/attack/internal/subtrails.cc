#include "pratique/trails/attack/internal/subtrails.h"

#include <algorithm>

#include "pratique/core/parallel.h"

namespace pratique::trails {
namespace {

constexpr Location kComplete = 0xffffffffU;

// The trails of a side cut in two: what must agree, and what must be contained.
struct Parts {
  std::vector<std::size_t> starts = {0};
  std::vector<Location>
      numbers;  // of each trail: how many complete ones, these, the ranks of the rest

  Parts(const DistinctTrails& trails, const std::vector<Location>& rank_of) {
    starts.reserve(trails.size() + 1);
    std::vector<Location> open;
    for (std::size_t g = 0; g < trails.size(); ++g) {
      open.clear();
      const std::size_t start = numbers.size();
      numbers.push_back(0);
      for (const Location location : trails.trail(g)) {
        if (rank_of[location] == kComplete) {
          numbers.push_back(location);
        } else {
          open.push_back(rank_of[location]);
        }
      }
      numbers[start] = static_cast<Location>(numbers.size() - start - 1);
      std::ranges::sort(open);
      numbers.insert(numbers.end(), open.begin(), open.end());
      starts.push_back(numbers.size());
    }
  }
  [[nodiscard]] std::span<const Location> all(std::size_t group) const {
    return std::span(numbers).subspan(starts[group], starts[group + 1] - starts[group]);
  }
  [[nodiscard]] std::span<const Location> complete(std::size_t group) const {
    return all(group).first(1 + all(group)[0]);
  }
  [[nodiscard]] std::span<const Location> open(std::size_t group) const {
    return all(group).subspan(1 + all(group)[0]);
  }
};

bool lexicographically_before(std::span<const Location> a, std::span<const Location> b) {
  return std::ranges::lexicographical_compare(a, b);
}

// Equal complete parts are neighbours, and in these, trails with the same rarest locations.
std::vector<std::uint32_t> ordered(const Parts& parts, std::size_t size) {
  struct Entry {
    std::uint64_t beginning;  // of its numbers: most comparisons need no look at the rest
    std::uint32_t group;
  };
  std::vector<Entry> entries(size);
  for (std::uint32_t g = 0; g < size; ++g) {
    const auto all = parts.all(g);
    // Three numbers of 21 bits: one that does not fit is cut off, and the rest decides. A missing
    // one comes before all others.
    constexpr std::uint64_t most = (1U << 21U) - 1;
    std::uint64_t beginning = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t number =
          i < all.size() ? std::min<std::uint64_t>(all[i] + 1ULL, most) : 0;
      beginning = beginning << 21U | number;
      if (number == most) {
        beginning <<= 21U * (2 - i);
        break;
      }
    }
    entries[g] = {beginning, g};
  }
  std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
    if (a.beginning != b.beginning) return a.beginning < b.beginning;
    return lexicographically_before(parts.all(a.group), parts.all(b.group));
  });
  std::vector<std::uint32_t> order(size);
  for (std::size_t i = 0; i < size; ++i) order[i] = entries[i].group;
  return order;
}

std::vector<Location> ranks_by_rarity(const DistinctTrails& super,
                                      const std::vector<bool>& complete) {
  std::vector<std::uint64_t> sizes(complete.size(), 0);
  for (std::size_t g = 0; g < super.size(); ++g) {
    for (const Location location : super.trail(g)) ++sizes[location];
  }
  std::vector<Location> open;
  for (Location c = 0; c < complete.size(); ++c) {
    if (!complete[c]) open.push_back(c);
  }
  std::ranges::stable_sort(open, {}, [&](Location c) { return sizes[c]; });
  std::vector<Location> rank_of(complete.size(), kComplete);
  for (Location rank = 0; rank < open.size(); ++rank) rank_of[open[rank]] = rank;
  return rank_of;
}

}  // namespace

void Subtrails::Bitmap::leave_empty_words_out() {
  const auto empty = static_cast<std::size_t>(std::ranges::count(words, 0U));
  if (empty * 8 < words.size() * 7) return;
  std::uint32_t kept = 0;
  for (const std::uint64_t bits : summary) {
    before.push_back(kept);
    kept += static_cast<std::uint32_t>(std::popcount(bits));
  }
  std::erase(words, 0U);
  words.shrink_to_fit();
}

Subtrails::Subtrails(const DistinctTrails& sub, const DistinctTrails& super,
                     const std::vector<bool>& complete)
    : sub_(sub), super_(super) {
  const auto rank_of = ranks_by_rarity(super, complete);
  open_ = static_cast<std::size_t>(std::ranges::count(complete, false));
  const Parts parts(super, rank_of);
  order_ = ordered(parts, super.size());
  position_.resize(order_.size());
  for (std::uint32_t position = 0; position < order_.size(); ++position) {
    position_[order_[position]] = position;
  }

  bitmaps_.resize(open_);
  const std::size_t words = order_.size() / 64 + 1;
  const auto fill = [&](std::size_t first, std::size_t end) {
    for (std::size_t rank = first; rank < end; ++rank) {
      bitmaps_[rank].words.resize(words);
      bitmaps_[rank].summary.resize(words / 64 + 1);
    }
    for (std::size_t position = 0; position < order_.size(); ++position) {
      for (const Location rank : parts.open(order_[position])) {
        if (rank < first || rank >= end) continue;
        const std::size_t w = position / 64;
        bitmaps_[rank].words[w] |= std::uint64_t{1} << (position % 64);
        bitmaps_[rank].summary[w / 64] |= std::uint64_t{1} << (w % 64);
      }
    }
    for (std::size_t rank = first; rank < end; ++rank) bitmaps_[rank].leave_empty_words_out();
  };
  // Some hundreds at a time, so that those of many thousand locations are never all there in full.
  parallel_blocks(open_, 256, fill);

  const Parts sub_parts(sub, rank_of);
  ranges_.resize(sub.size());
  rank_starts_ = {0};
  for (std::size_t g = 0; g < sub.size(); ++g) {
    const auto open = sub_parts.open(g);
    ranks_.insert(ranks_.end(), open.begin(), open.end());
    rank_starts_.push_back(ranks_.size());
    const auto agreeing = [&](std::uint32_t group) { return parts.complete(group); };
    const auto begin =
        std::ranges::lower_bound(order_, sub_parts.complete(g), lexicographically_before, agreeing);
    const auto end = std::ranges::upper_bound(begin, order_.end(), sub_parts.complete(g),
                                              lexicographically_before, agreeing);
    ranges_[g] = {static_cast<std::uint32_t>(begin - order_.begin()),
                  static_cast<std::uint32_t>(end - order_.begin())};
  }
}

}  // namespace pratique::trails
