// DNALA (Malin, Protecting DNA sequence anonymity with generalization lattices, Methods of
// Information in Medicine 44, 2005): k-anonymity for DNA sequences.
//
// Aligned sequences differ in single-nucleotide variable regions, columns in which not all have the
// same letter. Sequences are put into groups of at least k, and within each group every column is
// generalised to the least letter of the lattice (sequence/nucleotide.h) that stands for all of its
// members: a base against a gap becomes N. Then the gaps go that are left, where all members have
// one. All members of a group leave as the same letters, so whoever knows a person's sequence finds
// at least k entries that fit it.
//
// What a group loses is the sum over members and columns of level(released) - level(original); of
// two it is the distance of the paper, 2 level(z) - level(x) - level(y). Pairs (k = 2) are chosen
// greedily, as the paper does it (each sequence with the closest that is left), or so that the sum
// is the least there is (perfect_matching.h). Of an odd number one is left over, by a
// partner who does not exist and whose distance is what it costs least to be third in a pair of
// two neighbours; it joins the pair that loses least by it. For larger k groups are gathered
// around a sequence by what the group loses with each more, the left-over join where they cost
// least, and members change places between groups as long as that lowers the loss.
//
// Everything depends on the letters alone, never on the order of the file.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/lattice_planes.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

enum class Pairing { greedy, optimal };

// Beyond it the matrices of the exact pairing would take gigabytes and hours.
inline constexpr std::size_t kMostForOptimalPairing = 3000;

// Of sequences by their number; every one is in one group.
using SequenceGroups = std::vector<std::vector<std::uint32_t>>;

struct LatticeLoss {
  std::int64_t distance = 0;  // of the lattice
  double bits = 0;  // log2 of the bases that a letter may stand for, released less original
};

// Throws Error::input where there are fewer than k.
[[nodiscard]] SequenceGroups group_sequences(const LatticePlanes& planes, std::uint64_t k,
                                             Pairing pairing, Progress& progress);

[[nodiscard]] std::int64_t distance_of(const LatticePlanes& planes, const SequenceGroups& groups);

// By group, over all columns of the alignment: the least letters that stand for all members.
[[nodiscard]] std::vector<Sequence> generalise(const std::vector<Sequence>& aligned,
                                               const SequenceGroups& groups);
[[nodiscard]] LatticeLoss loss_of(const std::vector<Sequence>& aligned,
                                  const SequenceGroups& groups,
                                  const std::vector<Sequence>& generalised);

}  // namespace pratique::genomes
