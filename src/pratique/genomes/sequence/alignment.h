// Unaligned sequences, put under each other against a reference.
//
// Each sequence is aligned with the reference by the fewest edits (a base for another, a base put
// in, a base left out): the diagonal algorithm of Ukkonen (1985) and Landau and Vishkin (1989).
// For e = 0, 1, 2, ... it keeps how far down the reference each diagonal can be followed with e
// edits; diagonals beyond e cannot be reached, so the band is as wide as the sequences differ and
// no wider: O(length + e^2) for close relatives such as mitochondrial genomes. Among alignments of
// as few edits the one is taken that matches as long as it can before it edits, for every sequence
// alike, so that the same insertion ends up in the same columns.
//
// Bases that a sequence has beyond the reference get columns of their own, as many at each place
// as the longest insertion there needs; the others have gaps in them (a star alignment).
#pragma once

#include <cstdint>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

// More edits than this are no relatives: waves of all of them would not fit into memory.
inline constexpr std::int64_t kMostEdits = 6000;

struct Edits {
  // By position of the reference: the letter of the sequence there, or a gap.
  Sequence on_reference;
  // Letters between positions: before position p, insertions[i] = {p, letters}.
  struct Insertion {
    std::uint32_t before = 0;
    Sequence letters;
  };
  std::vector<Insertion> insertions;
  std::int64_t count = 0;
};

// Throws Error::input where they differ in more than kMostEdits.
[[nodiscard]] Edits fewest_edits(const Sequence& reference, const Sequence& sequence);

// Gaps that were there are taken out first. Errors name the sequence by its number.
[[nodiscard]] std::vector<Sequence> align(const std::vector<Sequence>& sequences,
                                          const Sequence& reference, Progress& progress);

// The longest, and of several the first by its letters: no base of it has to be put in.
[[nodiscard]] const Sequence& usual_reference(const std::vector<Sequence>& sequences);

}  // namespace pratique::genomes
