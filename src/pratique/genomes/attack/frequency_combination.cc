#include "pratique/genomes/attack/frequency_combination.h"

#include <cstdlib>

#include "pratique/genomes/attack/internal/shown_copies.h"
#include "pratique/genomes/attack/membership_power.h"

namespace pratique::genomes {
namespace {

// A group, and where its file has the variants of the first.
struct Term {
  explicit Term(const SignedGroup& of)
      : signed_group(of),
        group(*of.group),
        alleles(group),
        index(*group.people),
        scores(*group.people) {}

  SignedGroup signed_group;
  const ShownGroup& group;
  GroupAlleles alleles;
  VariantIndex index;
  DifferenceScores scores;
};

// What one group shows of a variant.
struct ShownCopies {
  std::optional<OtherVariant> variant;
  double frequency = 0;
  double alleles = 0;
};

std::optional<ShownCopies> shown_copies(const Term& term, const Variant& variant) {
  const auto frequency = term.group.shown->of(variant);
  if (!frequency) return std::nullopt;
  const auto place = term.index.find(variant);
  return ShownCopies{place, *frequency,
                     place ? term.alleles.at(place->number) : term.alleles.everybodys()};
}

class Combination {
 public:
  Combination(std::span<const SignedGroup> groups, std::size_t people)
      : left_(left_over(groups, people)) {
    for (const auto& group : groups) {
      terms_.emplace_back(group);
      exact_ = exact_ && group.group->noise_variance <= 0;
    }
    for (const int times : left_) {
      apart_ += times != 0 ? 1 : 0;
      balance_ += times;
      squares_ += static_cast<double>(times) * times;
      (times > 0 ? most_ : least_) += 2 * times;
    }
    exact_ = exact_ && apart_ < kFewPeople;
    for (const auto& group : groups) {
      for (std::size_t p = 0; p < group.number->size(); ++p)
        cancels_ = cancels_ || (group.group->counted[p] && left_[(*group.number)[p]] == 0);
    }
  }

  FrequencyCombination attack(double false_positives, Progress& progress) {
    FrequencyCombination result;
    result.apart = apart_;
    result.told.assign(left_.size(), false);
    if (apart_ == 0 || !cancels_) return result;
    for (const Variant& variant : terms_.front().group.people->variants) {
      progress.advance(1);
      take(variant, result);
    }
    find(false_positives, result);
    return result;
  }

 private:
  void take(const Variant& variant, FrequencyCombination& result) {
    std::vector<ShownCopies> shown;
    for (const Term& term : terms_) {
      auto own = shown_copies(term, variant);
      if (!own) return;
      shown.push_back(*own);
    }
    ++result.variants;
    double copies = 1;  // nobody has seen all alleles
    double alleles = 2;
    double left = 0;
    double error = 0;
    CopyRange range;
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const double sign = terms_[t].signed_group.sign;
      const ShownCopies& own = shown[t];
      const double step = terms_[t].group.step;
      copies += own.alleles * own.frequency;
      alleles += own.alleles;
      left += sign * own.alleles * own.frequency;
      error += own.alleles * own.alleles * step * step / 12 + terms_[t].group.noise_variance;
      const CopyRange of_term = copies_of(own.frequency, own.alleles, step);
      range.least += sign > 0 ? of_term.least : -of_term.most;
      range.most += sign > 0 ? of_term.most : -of_term.least;
    }
    if (exact_ && std::max(range.least, least_) == std::min(range.most, most_)) ++result.certain;
    const double p = copies / alleles;
    const double own = 2 * p * (1 - p);
    const double weight = (left - 2 * p * balance_) / (own * squares_ + error);
    independent_variance_ += own * weight * weight;
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      if (shown[t].variant) terms_[t].scores.add(*shown[t].variant, 2 * p, weight);
    }
  }

  // Each is held against those who cancel, by the genotypes of the same file.
  void find(double false_positives, FrequencyCombination& result) const {
    const double beyond = normal_quantile(1 - false_positives / static_cast<double>(apart_));
    for (const Term& term : terms_) {
      const auto& counted = term.group.counted;
      const auto& number = *term.signed_group.number;
      std::vector<double> cancelled;
      for (std::size_t p = 0; p < counted.size(); ++p) {
        if (counted[p] && left_[number[p]] == 0) cancelled.push_back(term.scores.sums()[p]);
      }
      const bool enough = cancelled.size() >= kEnoughForANull;
      const NullDistribution null(std::move(cancelled));
      const double mean = enough ? null.mean() : 0;
      const double deviation = enough ? null.deviation() : std::sqrt(independent_variance_);
      for (std::size_t p = 0; p < counted.size(); ++p) {
        const int times = left_[number[p]];
        if (!counted[p] || times == 0) continue;
        const double above = (term.scores.sums()[p] - mean) * (times > 0 ? 1 : -1);
        if (result.certain > 0 || (deviation > 0 && above > deviation * beyond))
          result.told[number[p]] = true;
      }
    }
  }

  std::vector<int> left_;  // by number of a person
  std::vector<Term> terms_;
  std::uint64_t apart_ = 0;
  double balance_ = 0;  // of those who are left
  double squares_ = 0;
  double least_ = 0;  // copies that they can have
  double most_ = 0;
  bool exact_ = true;
  bool cancels_ = false;  // somebody does
  double independent_variance_ = 0;
};

}  // namespace

std::vector<int> left_over(std::span<const SignedGroup> groups, std::size_t people) {
  std::vector<int> left(people, 0);
  for (const auto& group : groups) {
    for (std::size_t p = 0; p < group.number->size(); ++p) {
      if (group.group->counted[p]) left[(*group.number)[p]] += group.sign;
    }
  }
  return left;
}

FrequencyCombination combine_frequencies(std::span<const SignedGroup> groups, std::size_t people,
                                         double false_positives, Progress& progress) {
  return Combination(groups, people).attack(false_positives, progress);
}

}  // namespace pratique::genomes
