// The subtrail relation between the distinct trails of two sides (Definition 17), without its
// matrix.
//
// Trail s is a subtrail of t when t has every location of s and, at locations that are complete,
// no other. Supertrails are found by intersecting bitmaps, one per location, over the distinct
// trails of the super side. These stand in an order that makes the bitmaps lumpy: trails that agree
// at all complete locations are neighbours, so that a trail's candidates are one range; inside it,
// trails that share rare locations are neighbours, so that a rare location's bits fill few words.
// Only words that are not empty are kept, and a second level of bits tells which those are.
#pragma once

#include <algorithm>

#include "pratique/trails/attack/internal/position_set.h"
#include "pratique/trails/distinct_trails.h"

namespace pratique::trails {

class Subtrails {
 public:
  // Groups of `sub` are named by their number, those of `super` by their position in the order
  // above. Both must outlive this.
  Subtrails(const DistinctTrails& sub, const DistinctTrails& super,
            const std::vector<bool>& complete);

  [[nodiscard]] const DistinctTrails& sub() const { return sub_; }
  [[nodiscard]] const DistinctTrails& super() const { return super_; }
  [[nodiscard]] std::size_t super_group(std::size_t position) const { return order_[position]; }
  [[nodiscard]] std::size_t position_of(std::size_t super_group) const {
    return position_[super_group];
  }
  [[nodiscard]] std::size_t super_capacity(std::size_t position) const {
    return super_.capacity(order_[position]);
  }
  // Whether the trail has no `*`: it was seen at every location that is not complete.
  [[nodiscard]] bool unambiguous(std::size_t sub_group) const {
    return ranks(sub_group).size() == open_;
  }

  // Calls visit(position) for the supertrails in `among` at or after `from`, ascending, as long as
  // it returns true. The set may lose positions meanwhile.
  template <class Visit>
  void for_each_supertrail(std::size_t sub_group, const PositionSet& among, Visit&& visit,
                           std::size_t from = 0) const;

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // The first of them, kNone when there is none.
  [[nodiscard]] std::size_t first_supertrail(std::size_t sub_group, const PositionSet& among,
                                             std::size_t from = 0) const {
    std::size_t first = kNone;
    for_each_supertrail(
        sub_group, among,
        [&](std::size_t position) {
          first = position;
          return false;
        },
        from);
    return first;
  }
  // The same among a set that only ever shrinks, where `cursor` was 0 at first: asked again, it
  // does not look again at what it has passed.
  [[nodiscard]] std::size_t next_supertrail(std::size_t sub_group, const PositionSet& among,
                                            std::uint32_t& cursor) const {
    const std::size_t next = first_supertrail(sub_group, among, cursor);
    cursor = next == kNone ? ranges_[sub_group].end : static_cast<std::uint32_t>(next);
    return next;
  }

 private:
  // The positions of one location.
  struct Bitmap {
    std::vector<std::uint64_t> summary;  // a bit per word that is not empty
    std::vector<std::uint64_t> words;    // all of them, or only those
    std::vector<std::uint32_t> before;   // only those: how many before each 64; else empty

    // Only where the summary has the word.
    [[nodiscard]] std::uint64_t word(std::size_t index) const {
      if (before.empty()) return words[index];
      const std::uint64_t below = summary[index / 64] & ((std::uint64_t{1} << (index % 64)) - 1);
      return words[before[index / 64] + static_cast<std::size_t>(std::popcount(below))];
    }
    void leave_empty_words_out();
  };
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  [[nodiscard]] std::span<const Location> ranks(std::size_t sub_group) const {
    return std::span(ranks_).subspan(rank_starts_[sub_group],
                                     rank_starts_[sub_group + 1] - rank_starts_[sub_group]);
  }
  static std::uint64_t bits_from(std::size_t low) { return ~std::uint64_t{0} << low; }
  static std::uint64_t bits_to(std::size_t high) { return ~std::uint64_t{0} >> (63 - high); }

  const DistinctTrails& sub_;
  const DistinctTrails& super_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> position_;
  std::size_t open_ = 0;                  // how many locations are not complete
  std::vector<Bitmap> bitmaps_;           // of each of these, the rarest first
  std::vector<Range> ranges_;             // by sub group: positions that agree where complete
  std::vector<std::size_t> rank_starts_;  // by sub group: which bitmaps it needs
  std::vector<Location> ranks_;
};

template <class Visit>
void Subtrails::for_each_supertrail(std::size_t sub_group, const PositionSet& among, Visit&& visit,
                                    std::size_t from) const {
  const std::size_t begin = std::max<std::size_t>(ranges_[sub_group].begin, from);
  const std::size_t end = ranges_[sub_group].end;
  if (begin >= end) return;
  const auto wanted = ranks(sub_group);
  const std::size_t first_word = begin / 64;
  const std::size_t last_word = (end - 1) / 64;
  for (std::size_t s = first_word / 64; s <= last_word / 64; ++s) {
    std::uint64_t here = among.summary(s);
    if (s == first_word / 64) here &= bits_from(first_word % 64);
    if (s == last_word / 64) here &= bits_to(last_word % 64);
    for (std::size_t i = 0; here != 0 && i < wanted.size(); ++i) {
      here &= bitmaps_[wanted[i]].summary[s];
    }
    for (; here != 0; here &= here - 1) {
      const std::size_t w = s * 64 + static_cast<std::size_t>(std::countr_zero(here));
      std::uint64_t bits = among.word(w);
      if (w == first_word) bits &= bits_from(begin % 64);
      if (w == last_word) bits &= bits_to((end - 1) % 64);
      for (std::size_t i = 0; bits != 0 && i < wanted.size(); ++i) {
        bits &= bitmaps_[wanted[i]].word(w);
      }
      for (; bits != 0; bits &= bits - 1) {
        if (!visit(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)))) return;
      }
    }
  }
}

}  // namespace pratique::trails
