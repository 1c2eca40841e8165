// What attacks on several releases of frequencies share: variants of one file in another, the
// copies that a rounded frequency may be of, and how well people fit what is left of several.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "pratique/genomes/attack/frequency_difference.h"

namespace pratique::genomes {

// Whose genotypes are told by one number of copies.
inline constexpr std::uint64_t kFewPeople = 5;
inline constexpr double kDifferenceFalsePositives = 0.001;
inline constexpr std::size_t kEnoughForANull = 20;

// A variant of one set in another, perhaps with its alleles exchanged.
struct OtherVariant {
  std::size_t number = 0;
  bool exchanged = false;

  [[nodiscard]] Dosage of(const GenotypeSet& set, std::size_t person) const {
    const Dosage dosage = set.store.at(number, person);
    if (!exchanged || dosage == kMissingDosage) return dosage;
    return static_cast<Dosage>(2 - dosage);
  }
};

class VariantIndex {
 public:
  explicit VariantIndex(const GenotypeSet& set) {
    for (std::size_t v = 0; v < set.variants.size(); ++v)
      numbers_.emplace(set.variants[v].key(), v);
  }
  [[nodiscard]] std::optional<OtherVariant> find(const Variant& variant) const {
    if (const auto own = numbers_.find(variant.key()); own != numbers_.end())
      return OtherVariant{own->second, false};
    if (const auto own = numbers_.find(variant.exchanged_key()); own != numbers_.end())
      return OtherVariant{own->second, true};
    return std::nullopt;
  }

 private:
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
};

// Alleles that a group's frequencies are shares of, known to the adversary: men have one X, and
// some calls are missing.
class GroupAlleles {
 public:
  explicit GroupAlleles(const ShownGroup& group) : set_(*group.people) {
    std::vector<std::size_t> counted;
    for (std::size_t p = 0; p < group.counted.size(); ++p) {
      if (group.counted[p]) counted.push_back(p);
    }
    all_ = counted.size() == group.counted.size();
    people_ = static_cast<double>(counted.size());
    those_ = set_.store.those(counted);
  }
  [[nodiscard]] double everybodys() const { return 2 * people_; }
  [[nodiscard]] double at(std::size_t variant) const {
    const AlleleCount own = all_ ? set_.alleles[variant] : set_.store.count(variant, those_);
    return static_cast<double>(own.alleles);
  }

 private:
  const GenotypeSet& set_;
  GenotypeStore::People those_;
  bool all_ = true;
  double people_ = 0;
};

// The whole numbers of copies that a rounded frequency may be of.
struct CopyRange {
  double least = 0;
  double most = 0;
};
inline CopyRange copies_of(double frequency, double alleles, double step) {
  constexpr double kSlack = 1e-3;  // frequencies are written with nine digits and read as floats
  return {std::max(0.0, std::ceil(alleles * (frequency - step / 2) - kSlack)),
          std::min(alleles, std::floor(alleles * (frequency + step / 2) + kSlack))};
}

// Sums of people over variants, of one set.
class DifferenceScores {
 public:
  explicit DifferenceScores(const GenotypeSet& set) : set_(set), sums_(set.samples.size(), 0) {}
  void add(const OtherVariant& variant, double mean, double weight) {
    const std::array<double, 4> adds = {-mean * weight, (1 - mean) * weight, (2 - mean) * weight,
                                        0};
    for (std::size_t p = 0; p < sums_.size(); ++p) sums_[p] += adds[variant.of(set_, p)];
  }
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }

 private:
  const GenotypeSet& set_;
  std::vector<double> sums_;
};

}  // namespace pratique::genomes
