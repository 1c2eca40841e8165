#include "pratique/genomes/attack/membership.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "pratique/crypto/random.h"

namespace pratique::genomes {
namespace {

// No frequency is taken for certain: nobody has seen all alleles.
constexpr double kLeastFrequency = 0.001;
// The chance that a call of the person, or an answer, is wrong.
constexpr double kBeaconError = 1e-3;

double clamped(double frequency) {
  return std::clamp(frequency, kLeastFrequency, 1 - kLeastFrequency);
}

// What a site adds to a person's sums, by dosage; nothing of a missing one.
struct SiteWeights {
  struct OfDosage {
    double difference = 0;
    double square = 0;
    double ratio = 0;
    double beacon = 0;
  };
  std::array<OfDosage, 4> by_dosage;
  double ratio_variance = 0;  // over people of the reference
};

std::optional<SiteWeights> weights_of(const Variant& variant, double reference,
                                      const MembershipKnowledge& knowledge) {
  const auto pool = knowledge.pool->of(variant);
  if (!pool) return std::nullopt;
  double other = reference;
  if (knowledge.control != nullptr) {
    const auto control = knowledge.control->of(variant);
    if (!control) return std::nullopt;
    other = *control;
  }
  const double p = clamped(*pool);
  const double r = clamped(other);
  SiteWeights weights;
  for (Dosage g = 0; g <= 2; ++g) {
    auto& own = weights.by_dosage[g];
    const double y = g / 2.0;
    own.difference = std::abs(y - other) - std::abs(y - *pool);
    own.square = own.difference * own.difference;
    own.ratio = g * std::log(p / r) + (2 - g) * std::log((1 - p) / (1 - r));
    if (g > 0 && knowledge.pool->people > 0) {
      // Nobody of N has the allele; one of them is the person, and the other N - 1 have it not.
      const auto n = static_cast<double>(knowledge.pool->people);
      const double others = clamped(reference);
      const double nobody = std::pow(1 - others, 2 * n);
      const double no_other = kBeaconError * std::pow(1 - others, 2 * n - 2);
      own.beacon = *pool > 0 ? std::log((1 - no_other) / std::max(1 - nobody, 1e-12))
                             : std::log(std::max(no_other, 1e-300) / std::max(nobody, 1e-300));
    }
  }
  const std::array<double, 3> shares = {(1 - reference) * (1 - reference),
                                        2 * reference * (1 - reference), reference * reference};
  double mean = 0;
  double square = 0;
  for (Dosage g = 0; g <= 2; ++g) {
    mean += shares[g] * weights.by_dosage[g].ratio;
    square += shares[g] * weights.by_dosage[g].ratio * weights.by_dosage[g].ratio;
  }
  weights.ratio_variance = square - mean * mean;
  return weights;
}

// Sums of people over sites. Four sites are taken together: two bits for each are a person's code,
// and what each of the 256 codes adds is worked out once for all people.
class MembershipSums {
 public:
  explicit MembershipSums(std::size_t people)
      : codes_(people, 0), sums_(people), missing_(people, 0) {}

  void add_site(const SiteWeights& weights, std::span<const Dosage> dosages) {
    const unsigned shift = 2 * static_cast<unsigned>(pending_.size());
    for (std::size_t person = 0; person < codes_.size(); ++person)
      codes_[person] = static_cast<std::uint8_t>(codes_[person] | dosages[person] << shift);
    pending_.push_back(weights);
    independent_variance_ += weights.ratio_variance;
    ++sites_;
    if (pending_.size() == kTogether) flush();
  }

  void score(std::size_t person, const std::string& name, MembershipScores& scores) {
    if (!pending_.empty()) flush();
    const auto& [difference, square, ratio, beacon] = sums_[person];
    const auto s = static_cast<double>(sites_ - missing_[person]);
    double homer = 0;
    if (s > 1) {
      const double mean = difference / s;
      const double variance = (square - s * mean * mean) / (s - 1);
      homer = variance > 0 ? mean / std::sqrt(variance / s) : 0;
    }
    scores.names.push_back(name);
    scores.of(MembershipStatistic::homer).push_back(homer);
    scores.of(MembershipStatistic::lr).push_back(ratio);
    scores.of(MembershipStatistic::beacon).push_back(beacon);
    scores.of(MembershipStatistic::wang).push_back(0);
    scores.independent_variance = independent_variance_;
    scores.sites.push_back(static_cast<std::uint64_t>(s));
  }

 private:
  static constexpr std::size_t kTogether = 4;
  static constexpr std::size_t kCodes = 256;
  struct Sums {
    double difference = 0;
    double square = 0;
    double ratio = 0;
    double beacon = 0;
  };

  void flush() {
    std::array<Sums, kCodes> adds{};
    std::array<std::uint8_t, kCodes> missing{};
    for (std::size_t code = 0; code < kCodes; ++code) {
      for (std::size_t s = 0; s < pending_.size(); ++s) {
        const auto dosage = static_cast<Dosage>(code >> (2 * s) & 3U);
        const auto& own = pending_[s].by_dosage[dosage];
        adds[code].difference += own.difference;
        adds[code].square += own.square;
        adds[code].ratio += own.ratio;
        adds[code].beacon += own.beacon;
        missing[code] =
            static_cast<std::uint8_t>(missing[code] + (dosage == kMissingDosage ? 1 : 0));
      }
    }
    for (std::size_t person = 0; person < codes_.size(); ++person) {
      const Sums& add = adds[codes_[person]];
      Sums& sum = sums_[person];
      sum.difference += add.difference;
      sum.square += add.square;
      sum.ratio += add.ratio;
      sum.beacon += add.beacon;
      missing_[person] += missing[codes_[person]];
    }
    std::fill(codes_.begin(), codes_.end(), std::uint8_t{0});
    pending_.clear();
  }

  std::vector<std::uint8_t> codes_;
  std::vector<Sums> sums_;
  std::vector<std::uint32_t> missing_;
  std::vector<SiteWeights> pending_;
  std::uint64_t sites_ = 0;
  double independent_variance_ = 0;
};

constexpr std::uint64_t kVariantsPerStep = 1024;

void tell_progress(std::uint64_t variants, Progress& progress) {
  if (variants % kVariantsPerStep == 0) progress.advance(kVariantsPerStep);
}

}  // namespace

std::string_view name_of(MembershipStatistic statistic) {
  switch (statistic) {
    case MembershipStatistic::homer:
      return "homer";
    case MembershipStatistic::beacon:
      return "beacon";
    case MembershipStatistic::wang:
      return "wang";
    case MembershipStatistic::lr:
      break;
  }
  return "lr";
}

std::optional<double> FrequencyTable::of(const Variant& variant) const {
  if (const auto own = by_variant.find(variant.key()); own != by_variant.end()) return own->second;
  if (const auto other = by_variant.find(variant.exchanged_key()); other != by_variant.end())
    return 1.0 - other->second;
  return std::nullopt;
}

FrequencyTable count_frequencies(GenotypeFile& file, Progress& progress) {
  FrequencyTable table;
  table.people = file.samples().size();
  progress.begin("counting alleles", 0);
  for (std::uint64_t variants = 1; file.next(); ++variants) {
    std::optional<double> frequency = file.variant().frequency;
    if (!file.samples().empty()) {
      frequency = file.count().frequency();
    }
    if (frequency) table.by_variant[file.variant().key()] = static_cast<float>(*frequency);
    tell_progress(variants, progress);
  }
  return table;
}

FrequencyTable defended(const FrequencyTable& pool, const PoolDefence& defence) {
  FrequencyTable shown;
  shown.people = pool.people;
  for (const auto& [key, frequency] : pool.by_variant) {
    if (const auto value = defence.shown(frequency, key))
      shown.by_variant[key] = static_cast<float>(*value);
  }
  return shown;
}

MembershipScores score_people(GenotypeFile& people, const MembershipKnowledge& knowledge,
                              const std::vector<bool>& wanted, Progress& progress) {
  MembershipSums sums(people.samples().size());
  progress.begin("comparing genotypes", 0);
  for (std::uint64_t variants = 1; people.next(); ++variants) {
    tell_progress(variants, progress);
    const auto reference = knowledge.reference->of(people.variant());
    if (!reference) continue;
    const auto weights = weights_of(people.variant(), *reference, knowledge);
    if (!weights) continue;
    sums.add_site(*weights, people.dosages());
  }
  MembershipScores scores;
  for (std::size_t person = 0; person < people.samples().size(); ++person) {
    if (wanted.empty() || wanted[person]) sums.score(person, people.samples()[person], scores);
  }
  return scores;
}

SplitPeople split_people(std::size_t count, const std::vector<bool>& left_out) {
  constexpr std::size_t kFewestToSplit = 4;
  SplitPeople split;
  std::size_t turn = 0;
  for (std::size_t person = 0; person < count; ++person) {
    if (!left_out.empty() && left_out[person]) continue;
    const bool null = turn++ % 2 == 1 && count >= kFewestToSplit;
    (null ? split.null : split.counted).push_back(person);
  }
  return split;
}

MembershipScores split_reference(GenotypeFile& people, const MembershipKnowledge& knowledge,
                                 const std::vector<bool>& left_out, FrequencyTable& reference,
                                 Progress& progress) {
  const std::size_t count = people.samples().size();
  const auto [counted, null_people] = split_people(count, left_out);
  MembershipSums sums(count);
  reference.people = counted.size();
  progress.begin("counting the reference", 0);
  for (std::uint64_t variants = 1; people.next(); ++variants) {
    tell_progress(variants, progress);
    const auto dosages = people.dosages();
    std::optional<double> frequency = people.variant().frequency;
    if (count > 0) {
      AlleleCount alleles;
      for (const std::size_t person : counted) alleles.add(dosages[person]);
      frequency = alleles.frequency();
    }
    if (!frequency) continue;
    reference.by_variant[people.variant().key()] = static_cast<float>(*frequency);
    if (null_people.empty()) continue;
    const auto weights = weights_of(people.variant(), *frequency, knowledge);
    if (!weights) continue;
    sums.add_site(*weights, dosages);
  }
  MembershipScores scores;
  for (const std::size_t person : null_people) sums.score(person, people.samples()[person], scores);
  return scores;
}

MembershipScores simulate_people(const MembershipKnowledge& knowledge, bool members,
                                 std::uint64_t count, std::uint64_t seed, Progress& progress) {
  struct Site {
    SiteWeights weights;
    double drawn_from = 0;
  };
  // In the order of their keys, so that a seed repeats.
  std::vector<std::uint64_t> keys;
  for (const auto& [key, frequency] : knowledge.pool->by_variant) {
    if (knowledge.reference->by_variant.contains(key)) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Site> sites;
  for (const std::uint64_t key : keys) {
    const double pool = knowledge.pool->by_variant.at(key);
    const double reference = knowledge.reference->by_variant.at(key);
    FrequencyTable one;
    one.people = knowledge.pool->people;
    one.by_variant[Variant{}.key()] = static_cast<float>(pool);
    MembershipKnowledge at_site = knowledge;
    at_site.pool = &one;
    at_site.control = nullptr;
    const auto weights = weights_of(Variant{}, reference, at_site);
    if (weights) sites.push_back({*weights, members ? pool : reference});
  }
  progress.begin("simulating people", sites.size());
  MembershipSums sums(count);
  std::vector<Dosage> dosages(count);
  SeededRandom random(seed, members ? 1 : 2);
  for (const Site& site : sites) {
    // One draw for both alleles.
    const double both = site.drawn_from * site.drawn_from;
    const double some = both + 2 * site.drawn_from * (1 - site.drawn_from);
    for (Dosage& dosage : dosages) {
      const double u = random.uniform();
      dosage = static_cast<Dosage>((u < both ? 1 : 0) + (u < some ? 1 : 0));
    }
    sums.add_site(site.weights, dosages);
    progress.advance(1);
  }
  MembershipScores scores;
  for (std::uint64_t person = 0; person < count; ++person) sums.score(person, "", scores);
  return scores;
}

}  // namespace pratique::genomes
