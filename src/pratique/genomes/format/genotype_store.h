// Genotypes of many people in memory, two bits each: 2,504 people and a million variants are 630
// MB, where a table of values would be many times as large.
//
// A variant is two planes of bits, a bit per person: the first is set where the dosage is 1 or
// missing, the second where it is 2 or missing. Counts, and sums of products of two variants, are
// counts of bits in words of 64 people.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/genomes/format/genotypes.h"

namespace pratique::genomes {

class GenotypeStore {
 public:
  // A set of people, a bit each.
  using People = std::vector<std::uint64_t>;

  explicit GenotypeStore(std::size_t people);

  // One more variant, by person.
  void add(std::span<const Dosage> dosages);
  // The variants of these numbers alone, in this order.
  void keep(const std::vector<std::size_t>& variants);
  [[nodiscard]] std::size_t people() const { return people_; }
  [[nodiscard]] std::size_t variants() const { return bits_.size() / (2 * words_); }
  [[nodiscard]] Dosage at(std::size_t variant, std::size_t person) const;

  [[nodiscard]] People everybody() const;
  [[nodiscard]] People those(const std::vector<std::size_t>& numbers) const;
  // Alternative alleles over all, of these people.
  [[nodiscard]] AlleleCount count(std::size_t variant, const People& of) const;
  // Pearson's, of the dosages of these people who have a call at both; nothing where one of the
  // two does not vary.
  [[nodiscard]] std::optional<double> correlation(std::size_t a, std::size_t b,
                                                  const People& of) const;

 private:
  [[nodiscard]] const std::uint64_t* plane(std::size_t variant, std::size_t which) const {
    return bits_.data() + (2 * variant + which) * words_;
  }
  std::size_t people_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace pratique::genomes
