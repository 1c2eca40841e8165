#include "pratique/genomes/attack/membership.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <span>

#include "pratique/crypto/random.h"

namespace pratique::genomes {
namespace {

// No frequency is taken for certain: nobody has seen all alleles.
constexpr double kLeastFrequency = 0.001;
// The chance that a call of the person, or an answer, is wrong.
constexpr double kBeaconError = 1e-3;

// Whether the alleles are not in the order of the alphabet, in either case.
bool is_turned(const Variant& variant) {
  return std::lexicographical_compare(
      variant.alternative.begin(), variant.alternative.end(), variant.reference.begin(),
      variant.reference.end(),
      [](unsigned char a, unsigned char b) { return std::toupper(a) < std::toupper(b); });
}

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
  // Of somebody of the null: means, and variances.
  struct Expected {
    double difference = 0;
    double ratio = 0;
    double ratio_variance = 0;
    double beacon = 0;
    double beacon_variance = 0;

    Expected& operator+=(const Expected& more) {
      difference += more.difference;
      ratio += more.ratio;
      ratio_variance += more.ratio_variance;
      beacon += more.beacon;
      beacon_variance += more.beacon_variance;
      return *this;
    }
  };
  Expected expected;
};

// `other` is the frequency that the pool's is held against: the reference's, or a control group's;
// `null` that of the people who are the null.
struct SiteFrequencies {
  double pool;
  double other;
  double reference;
  double null;
};

SiteWeights weights_between(const SiteFrequencies& site, std::uint64_t pool_people) {
  const auto& [pool, other, reference, null] = site;
  const double p = clamped(pool);
  const double r = clamped(other);
  const double of_alternative = std::log(p / r);
  const double of_others = std::log((1 - p) / (1 - r));
  double beacon = 0;
  if (pool_people > 0) {
    // Nobody of N has the allele; one of them is the person, and the other N - 1 have it not.
    const auto n = static_cast<double>(pool_people);
    const double others = clamped(reference);
    const double nobody = std::pow(1 - others, 2 * n);
    const double no_other = kBeaconError * std::pow(1 - others, 2 * n - 2);
    beacon = pool > 0 ? std::log((1 - no_other) / std::max(1 - nobody, 1e-12))
                      : std::log(std::max(no_other, 1e-300) / std::max(nobody, 1e-300));
  }
  SiteWeights weights;
  for (Dosage g = 0; g <= 2; ++g) {
    auto& own = weights.by_dosage[g];
    const double y = g / 2.0;
    own.difference = std::abs(y - other) - std::abs(y - pool);
    own.square = own.difference * own.difference;
    own.ratio = g * of_alternative + (2 - g) * of_others;
    own.beacon = g > 0 ? beacon : 0;
  }
  const std::array<double, 3> shares = {(1 - null) * (1 - null), 2 * null * (1 - null),
                                        null * null};
  auto& expected = weights.expected;
  for (Dosage g = 0; g <= 2; ++g) {
    const auto& own = weights.by_dosage[g];
    expected.difference += shares[g] * own.difference;
    expected.ratio += shares[g] * own.ratio;
    expected.ratio_variance += shares[g] * own.ratio * own.ratio;
    expected.beacon += shares[g] * own.beacon;
    expected.beacon_variance += shares[g] * own.beacon * own.beacon;
  }
  expected.ratio_variance -= expected.ratio * expected.ratio;
  expected.beacon_variance -= expected.beacon * expected.beacon;
  return weights;
}

// None where the pool, the control group or the targets have not the variant.
std::optional<SiteWeights> weights_of(const Variant& variant, double reference,
                                      std::optional<double> null,
                                      const MembershipKnowledge& knowledge) {
  const auto pool = knowledge.pool->of(variant);
  if (!pool) return std::nullopt;
  if (knowledge.targets != nullptr && !knowledge.targets->of(variant)) return std::nullopt;
  double other = reference;
  if (knowledge.control != nullptr) {
    const auto control = knowledge.control->of(variant);
    if (!control) return std::nullopt;
    other = *control;
  }
  return weights_between(
      {.pool = *pool, .other = other, .reference = reference, .null = null.value_or(reference)},
      knowledge.pool->people);
}

// What the sum over all sites would be, by the sum over those with a call: as far from the null's
// mean, in deviations of the null.
double as_of_all_sites(double sum, double all_mean, double all_variance, double missing_mean,
                       double missing_variance) {
  const double called_variance = all_variance - missing_variance;
  const double more = called_variance > 0 ? std::sqrt(all_variance / called_variance) : 1;
  return all_mean + (sum - (all_mean - missing_mean)) * more;
}

// Sums of people over sites. Four sites are taken together: two bits for each are a person's code,
// and what each of the 256 codes adds is worked out once for all people. Some sites are summed in
// single precision, which four sums share one instruction for, before they are added to the others.
class MembershipSums {
 public:
  explicit MembershipSums(std::size_t people)
      : codes_(people, 0), recent_(people), sums_(people), missing_(people) {}

  void add_site(const SiteWeights& weights, std::span<const Dosage> dosages) {
    std::array<std::uint8_t, kPeopleAtOnce> codes{};
    std::array<Dosage, kPeopleAtOnce> some{};
    std::array<std::uint8_t, kPeopleAtOnce> missing{};
    for (std::size_t begin = 0; begin < codes_.size(); begin += kPeopleAtOnce) {
      const std::size_t count = std::min(kPeopleAtOnce, codes_.size() - begin);
      const bool whole = count == kPeopleAtOnce;
      // Copies of a known length are no calls.
      if (whole) {
        std::memcpy(codes.data(), codes_.data() + begin, kPeopleAtOnce);
        std::memcpy(some.data(), dosages.data() + begin, kPeopleAtOnce);
      } else {
        some.fill(0);
        std::memcpy(codes.data(), codes_.data() + begin, count);
        std::memcpy(some.data(), dosages.data() + begin, count);
      }
      // A loop of a known length over arrays of its own becomes instructions on sixteen bytes.
      for (std::size_t i = 0; i < kPeopleAtOnce; ++i) {
        codes[i] = static_cast<std::uint8_t>(codes[i] << 2U | some[i]);
        missing[i] = static_cast<std::uint8_t>(missing[i] | (some[i] & (some[i] >> 1U)));
      }
      if (whole) {
        std::memcpy(codes_.data() + begin, codes.data(), kPeopleAtOnce);
      } else {
        std::memcpy(codes_.data() + begin, codes.data(), count);
      }
    }
    for (const std::uint8_t some_missing : missing) any_missing_ = any_missing_ || some_missing > 0;
    pending_.push_back(weights);
    all_ += weights.expected;
    ++sites_;
    if (pending_.size() == kTogether) flush();
  }

  void score(std::size_t person, const std::string& name, MembershipScores& scores) {
    if (!pending_.empty()) flush();
    if (flushed_ > 0) add_recent();
    auto [difference, square, ratio, beacon] = sums_[person];
    const Missing& missing = missing_[person];
    const auto s = static_cast<double>(sites_ - missing.sites);
    double homer = 0;
    if (s > 1) {
      const double mean = difference / s;
      const double variance = (square - s * mean * mean) / (s - 1);
      homer = variance > 0 ? mean / std::sqrt(variance / s) : 0;
      if (missing.sites > 0 && variance > 0) {
        // As far from the null's mean, which grows with the root of the sites.
        const auto all = static_cast<double>(sites_);
        const double called = all_.difference - missing.expected.difference;
        homer += (all_.difference / std::sqrt(all) - called / std::sqrt(s)) / std::sqrt(variance);
      }
    }
    if (missing.sites > 0) {
      const auto& of_missing = missing.expected;
      ratio = as_of_all_sites(ratio, all_.ratio, all_.ratio_variance, of_missing.ratio,
                              of_missing.ratio_variance);
      beacon = as_of_all_sites(beacon, all_.beacon, all_.beacon_variance, of_missing.beacon,
                               of_missing.beacon_variance);
    }
    scores.names.push_back(name);
    scores.of(MembershipStatistic::homer).push_back(homer);
    scores.of(MembershipStatistic::lr).push_back(ratio);
    scores.of(MembershipStatistic::beacon).push_back(beacon);
    scores.of(MembershipStatistic::wang).push_back(0);
    scores.independent_variance = all_.ratio_variance;
    scores.sites.push_back(static_cast<std::uint64_t>(s));
  }

 private:
  static constexpr std::size_t kTogether = 4;
  static constexpr std::size_t kCodes = 256;
  static constexpr std::size_t kPeopleAtOnce = 32;
  static constexpr std::size_t kFlushesTogether = 64;
  template <class Number>
  struct Sums {
    Number difference = 0;
    Number square = 0;
    Number ratio = 0;
    Number beacon = 0;
  };
  using Recent = Sums<float>;
  struct Missing {
    std::uint32_t sites = 0;
    SiteWeights::Expected expected;
  };

  // What each code adds: that of its last sites, whose bits are the lowest, and of one before.
  [[nodiscard]] std::array<Recent, kCodes> added_by_code() const {
    std::array<Recent, kCodes> adds{};
    std::size_t codes = 1;
    for (auto site = pending_.rbegin(); site != pending_.rend(); ++site) {
      constexpr std::size_t kDosages = 4;
      // The last dosage first: the sums of codes without this site stand where its dosage is none.
      for (std::size_t dosage = kDosages; dosage-- > 0;) {
        const auto& own = site->by_dosage[dosage];
        const Recent here = {static_cast<float>(own.difference), static_cast<float>(own.square),
                             static_cast<float>(own.ratio), static_cast<float>(own.beacon)};
        for (std::size_t code = 0; code < codes; ++code) {
          const Recent& before = adds[code];
          adds[dosage * codes + code] = {before.difference + here.difference,
                                         before.square + here.square, before.ratio + here.ratio,
                                         before.beacon + here.beacon};
        }
      }
      codes *= kDosages;
    }
    return adds;
  }

  void add_recent() {
    for (std::size_t person = 0; person < recent_.size(); ++person) {
      const Recent& recent = recent_[person];
      auto& sum = sums_[person];
      sum.difference += recent.difference;
      sum.square += recent.square;
      sum.ratio += recent.ratio;
      sum.beacon += recent.beacon;
    }
    std::fill(recent_.begin(), recent_.end(), Recent{});
    flushed_ = 0;
  }

  void count_missing() {
    for (std::size_t person = 0; person < codes_.size(); ++person) {
      // Both bits of a site: a bit for each that is missing, the last site's the lowest.
      unsigned both = codes_[person] & (codes_[person] >> 1U) & 0x55U;
      Missing& missing = missing_[person];
      for (auto site = pending_.rbegin(); both > 0; ++site, both >>= 2U) {
        if ((both & 1U) == 0) continue;
        ++missing.sites;
        missing.expected += site->expected;
      }
    }
    any_missing_ = false;
  }

  void flush() {
    const auto adds = added_by_code();
    for (std::size_t person = 0; person < codes_.size(); ++person) {
      const Recent& add = adds[codes_[person]];
      Recent& sum = recent_[person];
      sum.difference += add.difference;
      sum.square += add.square;
      sum.ratio += add.ratio;
      sum.beacon += add.beacon;
    }
    if (any_missing_) count_missing();
    std::fill(codes_.begin(), codes_.end(), std::uint8_t{0});
    pending_.clear();
    if (++flushed_ == kFlushesTogether) add_recent();
  }

  std::vector<std::uint8_t> codes_;
  std::vector<Recent> recent_;  // of the last flushes
  std::vector<Sums<double>> sums_;
  std::vector<Missing> missing_;
  std::vector<SiteWeights> pending_;
  std::size_t flushed_ = 0;   // into the recent ones
  bool any_missing_ = false;  // in the codes
  std::uint64_t sites_ = 0;
  SiteWeights::Expected all_;  // of somebody with every call
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

void FrequencyTable::set(const Variant& variant, double frequency) {
  const bool turned = is_turned(variant);
  by_variant[turned ? variant.exchanged_key() : variant.key()] =
      static_cast<float>(turned ? 1 - frequency : frequency);
}

std::optional<double> FrequencyTable::of(const Variant& variant) const {
  const bool turned = is_turned(variant);
  const float* site = by_variant.find(turned ? variant.exchanged_key() : variant.key());
  if (site == nullptr) return std::nullopt;
  return turned ? 1.0 - *site : *site;
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
    if (frequency) table.set(file.variant(), *frequency);
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
                              const std::vector<bool>& wanted, Progress& progress,
                              FrequencyTable* compared) {
  MembershipSums sums(people.samples().size());
  progress.begin("comparing genotypes", 0);
  for (std::uint64_t variants = 1; people.next(); ++variants) {
    tell_progress(variants, progress);
    const auto reference = knowledge.reference->of(people.variant());
    if (!reference) continue;
    const auto null = knowledge.null != nullptr ? knowledge.null->of(people.variant()) : reference;
    const auto weights = weights_of(people.variant(), *reference, null, knowledge);
    if (!weights) continue;
    const auto dosages = people.dosages();
    sums.add_site(*weights, dosages);
    const bool called = std::any_of(dosages.begin(), dosages.end(),
                                    [](Dosage dosage) { return dosage != kMissingDosage; });
    if (compared != nullptr && called) compared->set(people.variant(), *reference);
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
                                 FrequencyTable& null, Progress& progress) {
  const std::size_t count = people.samples().size();
  const auto [counted, null_people] = split_people(count, left_out);
  MembershipSums sums(count);
  reference.people = counted.size();
  null.people = null_people.size();
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
    reference.set(people.variant(), *frequency);
    if (null_people.empty()) continue;
    AlleleCount of_null;
    for (const std::size_t person : null_people) of_null.add(dosages[person]);
    // As the table has it, rounded: targets are weighed by it, and who has the genotypes of the
    // null is not above it.
    const double counted_here = reference.of(people.variant()).value_or(*frequency);
    const auto weights = weights_of(people.variant(), counted_here, of_null.frequency(), knowledge);
    if (!weights) continue;
    null.set(people.variant(), of_null.frequency().value_or(*frequency));
    sums.add_site(*weights, dosages);
  }
  MembershipScores scores;
  for (const std::size_t person : null_people) sums.score(person, people.samples()[person], scores);
  return scores;
}

MembershipScores simulate_people(const MembershipKnowledge& knowledge, bool members,
                                 std::uint64_t count, std::uint64_t seed, Progress& progress) {
  progress.begin("simulating people", knowledge.pool->by_variant.size());
  MembershipSums sums(count);
  std::vector<Dosage> dosages(count);
  SeededRandom random(seed, members ? 1 : 2);
  // In the order of the table, which is that of what was read: a seed repeats.
  std::uint64_t variants = 0;
  for (const auto& [key, pool] : knowledge.pool->by_variant) {
    tell_progress(++variants, progress);
    const float* reference = knowledge.reference->by_variant.find(key);
    if (reference == nullptr) continue;
    if (knowledge.targets != nullptr && knowledge.targets->by_variant.find(key) == nullptr)
      continue;
    const float* other =
        knowledge.control != nullptr ? knowledge.control->by_variant.find(key) : reference;
    const float* own = !members                       ? reference
                       : knowledge.members != nullptr ? knowledge.members->by_variant.find(key)
                                                      : &pool;
    if (other == nullptr || own == nullptr) continue;
    const double drawn_from = *own;
    // One draw of 32 bits for both alleles.
    constexpr double kAll = 4294967296.0;
    const double of_both = drawn_from * drawn_from * kAll;
    const auto both = static_cast<std::uint64_t>(of_both);
    const auto some =
        static_cast<std::uint64_t>(of_both + 2 * drawn_from * (1 - drawn_from) * kAll);
    for (std::size_t person = 0; person < count; person += 2) {
      const std::uint64_t bits = random.next();
      for (std::size_t half = 0; half < 2 && person + half < count; ++half) {
        const std::uint64_t u = half == 0 ? bits & 0xFFFFFFFFU : bits >> 32U;
        dosages[person + half] = static_cast<Dosage>((u < both ? 1 : 0) + (u < some ? 1 : 0));
      }
    }
    sums.add_site(weights_between(
                      {.pool = pool, .other = *other, .reference = *reference, .null = *reference},
                      knowledge.pool->people),
                  dosages);
  }
  MembershipScores scores;
  for (std::uint64_t person = 0; person < count; ++person) sums.score(person, "", scores);
  return scores;
}

}  // namespace pratique::genomes
