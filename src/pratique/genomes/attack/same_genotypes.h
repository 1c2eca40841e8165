// People known again by their genotypes, whatever they are called. Of files of any length the calls
// at a thousand variants are kept: those with the least keys, which are the same in every file and
// stand anywhere. Of calls at which both have the same allele twice nothing is learned, for that is
// what nearly everybody has in common where variants are rare. Two samples are of one person, or of
// twins, where at most one in ten of the others differ.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/attack/membership.h"

namespace pratique::genomes {

// Everybody's calls at some variants of a file. Those of people's own genome alone (of chromosomes
// with a number): men have one X, and many people one mitochondrial genome.
struct SampledCalls {
  std::size_t people = 0;
  std::map<std::uint64_t, std::vector<Dosage>> by_variant;  // alleles in the order of the alphabet
};
// One pass; of variants that `listed` has.
[[nodiscard]] SampledCalls sample_calls(GenotypeFile& file, const FrequencyTable& listed,
                                        Progress& progress);

// By person: whether somebody of the others has the same genotypes. `wanted` of the others by
// number, all where it is empty.
[[nodiscard]] std::vector<bool> who_is_among(const SampledCalls& people, const SampledCalls& others,
                                             const std::vector<bool>& wanted, Progress& progress);

// Whether frequencies agree better than those of different people can: of n and m people they
// differ by p (1 - p) (1 / 2n + 1 / 2m) in the mean of squares, of the same people by less. Over
// few variants only where all are the same.
[[nodiscard]] bool are_of_the_same_people(const FrequencyTable& pool,
                                          const FrequencyTable& reference);

}  // namespace pratique::genomes
