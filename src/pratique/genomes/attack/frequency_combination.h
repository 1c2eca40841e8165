// What three releases of allele frequencies tell together that no two do: the copies of everybody
// less those of one half and those of the other are those of whoever is in neither. Each group is
// added or taken off, and a person counts as often as that leaves. As of two
// (frequency_difference.h), counts are certain where rounding leaves one sum of copies, and the
// likelihood-ratio test holds those who are left against those who cancel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/genomes/attack/frequency_difference.h"

namespace pratique::genomes {

struct SignedGroup {
  const ShownGroup* group = nullptr;
  int sign = 1;
  // By person of the group's file: a number that is the same for the same person in every file.
  const std::vector<std::size_t>* number = nullptr;
};

// By number of a person: how often it is left, groups taken together.
[[nodiscard]] std::vector<int> left_over(std::span<const SignedGroup> groups, std::size_t people);

struct FrequencyCombination {
  std::uint64_t apart = 0;      // people who do not cancel
  std::uint64_t variants = 0;   // in all of the releases
  std::uint64_t certain = 0;    // where counts tell of who is apart
  std::vector<bool> told = {};  // by number of a person
};
// `false_positives` over all who are left. Nothing is told where everybody cancels, or nobody.
[[nodiscard]] FrequencyCombination combine_frequencies(std::span<const SignedGroup> groups,
                                                       std::size_t people, double false_positives,
                                                       Progress& progress);

}  // namespace pratique::genomes
