// Binning of SNPs (Lin, Hewett and Altman, Using binning to maintain confidentiality of medical
// data, AMIA 2002), in two steps over the hierarchy A, G -> R (purines), C, T -> Y (pyrimidines),
// R, Y -> N:
//
//   across  at least B' sequences have the same value of every SNP: sequences are grouped
//           (dnala.h), and every SNP of a group is generalised to the least value of the hierarchy
//           that stands for all members;
//   within  at least B SNPs of a sequence have the same value: whichever value fewer have is
//           generalised to its parent, the rarest first, until none is left; where N itself is
//           rare, the rarest other value joins it.
//
// The second step looks at the common sequence of a group alone, so that its members stay equal.
// Only SNPs leave: columns in which all agree tell nobody apart and would count towards B. A gap is
// no base: it stands for N.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/genomes/method/dnala.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

// The least value of the hierarchy above both.
[[nodiscard]] Letter tree_join(Letter x, Letter y);
// 0 for a base, 1 for R and Y, 2 for N.
[[nodiscard]] int tree_level(Letter letter);

// By group: values of the columns, generalised across its members.
[[nodiscard]] std::vector<Sequence> bin_across(const std::vector<Sequence>& aligned,
                                               const std::vector<std::uint32_t>& columns,
                                               const SequenceGroups& groups);
// Throws Error::input where there are fewer SNPs than `within`.
void bin_within(Sequence& values, std::uint64_t within);

}  // namespace pratique::genomes
