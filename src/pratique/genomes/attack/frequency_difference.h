// What two releases of allele frequencies tell together of whoever is in one of them only. Let n
// people be counted in one and m in the other. 2n f - 2m g, what is left of an allele when one is
// taken off the other, is the number of copies that those have who joined, less that of those who
// left: whoever is in both cancels. Two attacks, with the numbers of people known:
//
//   counts   a frequency that was rounded to a step s belongs to the whole numbers of copies within
//            2n (f -+ s / 2). Where these leave one difference that so many people can make, and
//            they are fewer than five, their genotypes at this variant are told: of one person the
//            genotype itself.
//   test     the likelihood-ratio test (membership.h) on the difference: with d the difference, u
//            what it is expected to be and v its variance under the population's frequency p, a
//            person's score is the sum of (x - 2p) (d - u) / v over variants. It is held against
//            the scores of those who are in both, at a false-positive rate of one in a thousand
//            over all who joined or left.
//
// Which variants are listed tells, too, where it depends on the people: a variant that stands in
// one release alone, because those who joined or left take its carriers or its calls over the
// other's threshold, is certain to be about them. To the test it is one copy of the rarer allele,
// or more.
//
// Noise has no end, so that counts are never certain; the test has its variance.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/attack/membership.h"
#include "pratique/genomes/format/genotype_set.h"

namespace pratique::genomes {

// Which variants of a file a release lists.
struct ListRule {
  bool all = false;            // that pass: not a draw of them, nor a list that everybody knows of
  bool whole = false;          // the group is the file: who has a variant of it is in the group
  bool of_all = false;         // the group is all whose carriers are counted
  std::uint64_t carriers = 0;  // people of all groups who have the rarer allele, at least
  std::uint64_t calls = 0;     // people of the group who have a call, at least
  // What any line of the file has at least, where lines were dropped before it was read (`bcftools
  // view -c 5`, `plink --maf`): copies of the alternative, and of the rarer allele.
  std::uint64_t copies = 1;
  std::uint64_t rarer_copies = 0;
};

// A group whose frequencies were released, and who was in it.
struct ShownGroup {
  const FrequencyTable* shown = nullptr;
  double step = 0;            // that frequencies are rounded to
  double noise_variance = 0;  // of a count of alleles
  const GenotypeSet* people = nullptr;
  std::vector<bool> counted = {};  // by person
  ListRule listed = {};
};

// By person of `added`: who it is in `earlier`. The same name and genotypes that agree at nine in
// ten of the variants where both have a call; or, under whatever name, genotypes that agree as
// well, at 32 variants or more, where everybody else differs more than twice as much.
[[nodiscard]] std::vector<std::optional<std::size_t>> same_people(const GenotypeSet& added,
                                                                  const GenotypeSet& earlier);

struct FrequencyDifference {
  std::uint64_t both = 0;
  std::uint64_t joined = 0;
  std::uint64_t left = 0;
  std::uint64_t variants = 0;           // in both releases
  std::uint64_t certain = 0;            // where counts, or being listed, tell of who is apart
  std::vector<bool> who_joined = {};    // by person of `added`
  std::vector<bool> who_left = {};      // by person of `earlier`
  std::vector<bool> found_joined = {};  // by person of `added`
  std::vector<bool> found_left = {};    // by person of `earlier`

  [[nodiscard]] std::uint64_t apart() const { return joined + left; }
  [[nodiscard]] std::uint64_t found() const;
};
// Nothing is found where nobody is in both: then there is nothing that cancels.
[[nodiscard]] FrequencyDifference subtract_frequencies(
    const ShownGroup& added, const ShownGroup& earlier,
    const std::vector<std::optional<std::size_t>>& same, Progress& progress);

}  // namespace pratique::genomes
