// The lattice of nucleotide letters (Malin, Protecting DNA sequence anonymity with generalization
// lattices, Methods of Information in Medicine 2005; letters of IUPAC-IUB 1984).
//
// A letter is the set of bases that it may stand for: A, C, G, T at level 0, R Y S W M K (two
// bases) at level 1, B D H V (three) at level 2, N (all) at level 3. The gap '-' stands at level 0
// beside the bases. z generalises x and y when it stands for both; the least such letter is their
// union. A base against a gap generalises to the top, N: no other letter stands for "a base or
// none". A gap against a gap is a gap.
//
// d(x, y) = 2 level(z) - level(x) - level(y), z the least letter above both: what both lose. It is
// a metric: of sets, |a u b| <= |a u x| + |x u b| - |x|.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace pratique::genomes {

// Bits A 1, C 2, G 4, T 8. A gap has all of them and a fifth: its union with a base is then N by
// the same rule as every other union.
using Letter = std::uint8_t;

inline constexpr Letter kAnyBase = 15;
inline constexpr Letter kGapBit = 16;
inline constexpr Letter kGap = kAnyBase | kGapBit;
inline constexpr int kTopLevel = 3;

[[nodiscard]] constexpr Letter join(Letter x, Letter y) {
  return static_cast<Letter>((x | y) & (kAnyBase | (x & y & kGapBit)));
}
[[nodiscard]] constexpr int level(Letter x) {
  return x == kGap ? 0 : std::popcount(static_cast<unsigned>(x)) - 1;
}
[[nodiscard]] constexpr int distance(Letter x, Letter y) {
  return 2 * level(join(x, y)) - level(x) - level(y);
}
// Whether x is what z may stand for; N also stands for a gap.
[[nodiscard]] constexpr bool covers(Letter z, Letter x) { return join(z, x) == z; }

// Of a character of a file, in either case: U is T; '.' is a gap as '-' is; '?' and X are N. None
// for anything else.
[[nodiscard]] std::optional<Letter> letter_from(char character);
// -ACMGRSVTWYHKDBN
[[nodiscard]] char to_character(Letter letter);

}  // namespace pratique::genomes
