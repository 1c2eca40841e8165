// Masking: chosen loci are hidden, and so is whatever else tells them.
//
// Hiding a locus alone hides little: its neighbours are inherited with it. The adversary here has
// the unmasked sequences of everybody else, finds the people most like the target by what is still
// shown, and takes the letter that most of them have (imputation by nearest neighbours, which uses
// columns together, not pairs). What a person's other chromosomes look like is noise to that: so
// people are compared by the 1, 4, 16 or 64 columns that tell most about the locus, by the 8 or 32
// that stand nearest to it, and by all of them; the one most like the target guesses, or five do;
// and the best of all these adversaries is the one that counts. Which columns tell most is learned
// from the half of the people that a target is not in; of every letter half the people who have it.
//
// What an adversary gains is the larger of two. Over all letters, accuracy is the share of people
// whose letter is guessed right, against the share who have the commonest letter, which needs no
// sequence at all. That says nothing of a rare letter: who finds each of the few who have it is
// hardly more often right than who says that nobody does. So for each letter, accuracy is also the
// mean of two shares, of those with it who are guessed to have it and of those without who are not,
// against the half that whoever throws a coin gets. It counts where chance would do as much less
// than once in five hundred times (hypergeometric), because of a few people some are guessed by
// luck.
//
// Columns are hidden by how much they tell about the loci (mutual information), the next one, two,
// four, ... at a time, until the attack gains no more than `tolerance` on any locus, or nothing
// that varies is left to hide; of the last of them no more than it takes, found by halving.
#pragma once

#include <cstdint>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/sequence/sequences.h"

namespace pratique::genomes {

struct Imputation {
  double accuracy = 0;  // the largest gain's
  double baseline = 0;  // of that locus; of a letter alone a half
  [[nodiscard]] double gain() const { return accuracy - baseline; }
};

struct Masking {
  std::vector<std::uint32_t> hidden;  // columns, the loci among them, ascending
  Imputation alone;                   // with nothing but the loci hidden
  Imputation after;
  bool within_tolerance = false;
};

// The worst of the loci, with these columns hidden.
[[nodiscard]] Imputation impute(const std::vector<Sequence>& aligned,
                                const std::vector<std::uint32_t>& loci,
                                const std::vector<std::uint32_t>& hidden, Progress& progress);

// `beside` are hidden with the loci, whatever they tell.
[[nodiscard]] Masking mask_loci(const std::vector<Sequence>& aligned,
                                const std::vector<std::uint32_t>& loci,
                                const std::vector<std::uint32_t>& beside, double tolerance,
                                Progress& progress);

}  // namespace pratique::genomes
