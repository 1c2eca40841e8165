#include "pratique/genomes/attack/frequency_difference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "pratique/genomes/attack/internal/shown_copies.h"
#include "pratique/genomes/attack/membership_power.h"

namespace pratique::genomes {
namespace {

// The calls of two people at the variants that both have one of.
struct ComparedCalls {
  std::uint64_t both = 0;
  std::uint64_t differ = 0;

  // But for a share of errors.
  [[nodiscard]] bool agree() const {
    constexpr std::uint64_t kErrorsOneIn = 10;
    return kErrorsOneIn * differ <= both;
  }
};

// Everybody's calls at variants that two sets share, a bit per variant in two planes as the store
// has them by person.
class SharedCalls {
 public:
  SharedCalls(const GenotypeSet& set, const std::vector<OtherVariant>& variants, std::size_t each)
      : words_((variants.size() / each + kBits) / kBits),
        planes_(set.samples.size() * 2 * words_, 0),
        people_(set.samples.size()) {
    // What lies beyond the last is missing.
    for (std::size_t p = 0; p < people_; ++p) {
      for (std::size_t i = 0; i < words_ * kBits; ++i) {
        const Dosage dosage =
            i * each < variants.size() ? variants[i * each].of(set, p) : kMissingDosage;
        const std::uint64_t bit = std::uint64_t{1} << (i % kBits);
        if (dosage == 1 || dosage == kMissingDosage) planes_[2 * (p * words_ + i / kBits)] |= bit;
        if (dosage == 2 || dosage == kMissingDosage)
          planes_[2 * (p * words_ + i / kBits) + 1] |= bit;
      }
    }
  }
  [[nodiscard]] ComparedCalls compared(std::size_t person, const SharedCalls& others,
                                       std::size_t other) const {
    ComparedCalls calls;
    const std::uint64_t* a = planes_.data() + 2 * person * words_;
    const std::uint64_t* b = others.planes_.data() + 2 * other * words_;
    for (std::size_t w = 0; w < 2 * words_; w += 2) {
      const std::uint64_t called = ~(a[w] & a[w + 1]) & ~(b[w] & b[w + 1]);
      const std::uint64_t differ = called & ((a[w] ^ b[w]) | (a[w + 1] ^ b[w + 1]));
      calls.both += static_cast<std::uint64_t>(std::popcount(called));
      calls.differ += static_cast<std::uint64_t>(std::popcount(differ));
    }
    return calls;
  }
  // Who agrees with a person, where everybody else differs more than twice as much.
  [[nodiscard]] std::optional<std::size_t> nearest_by_far(std::size_t person,
                                                          const SharedCalls& others) const {
    constexpr std::uint64_t kFewestToTell = 32;  // variants
    constexpr double kByFar = 2;
    std::optional<std::size_t> nearest;
    double least = 1;
    double second = 1;
    for (std::size_t q = 0; q < others.people_; ++q) {
      const ComparedCalls calls = compared(person, others, q);
      if (calls.both < kFewestToTell) continue;
      const double share = static_cast<double>(calls.differ) / static_cast<double>(calls.both);
      second = std::min(second, std::max(share, least));
      if (share >= least) continue;
      least = share;
      nearest = calls.agree() ? std::optional(q) : std::nullopt;
    }
    return second > kByFar * least ? nearest : std::nullopt;
  }

 private:
  static constexpr std::size_t kBits = 64;
  std::size_t words_;
  std::vector<std::uint64_t> planes_;
  std::size_t people_;
};

// How many people of a group have the rarer allele, and how many a call.
struct ListedPeople {
  std::uint64_t carriers = 0;
  std::uint64_t calls = 0;
};
ListedPeople listed_people(const ShownGroup& group, std::size_t variant) {
  ListedPeople people;
  std::array<std::uint64_t, 4> by_dosage{};
  for (std::size_t p = 0; p < group.counted.size(); ++p) {
    if (!group.counted[p]) continue;
    const Dosage dosage = group.people->store.at(variant, p);
    ++by_dosage[dosage];
    people.calls += dosage != kMissingDosage ? 1 : 0;
  }
  people.carriers = by_dosage[1] + std::min(by_dosage[0], by_dosage[2]);
  return people;
}

// Whether lines with so few copies were dropped from one file, and not from the other.
bool takes_over(std::uint64_t here, std::uint64_t there, std::uint64_t fewest) {
  return here >= fewest && there < fewest;
}

// Whether a variant that one group lists is missing in another's list because of the people. Where
// the other's file has no line of it, that is where those who are in both (by number, of the group
// that lists it) have fewer copies than any line of that file.
enum class WhyUnlisted { other, calls, carriers };
WhyUnlisted why_unlisted(const ShownGroup& listing, std::size_t variant, const ShownGroup& silent,
                         const std::optional<OtherVariant>& there,
                         const std::vector<std::size_t>& both) {
  const ListRule& rule = silent.listed;
  if (!rule.all || listing.noise_variance > 0) return WhyUnlisted::other;
  if (!there) {
    if (!listing.listed.whole || !rule.whole) return WhyUnlisted::other;
    const GenotypeStore& store = listing.people->store;
    const AlleleCount shared = store.count(variant, store.those(both));
    if (shared.alleles == 0) return WhyUnlisted::other;
    const AlleleCount& all = listing.people->alleles[variant];
    const auto rarer = [](const AlleleCount& count) {
      return std::min(count.alternative, count.alleles - count.alternative);
    };
    return takes_over(all.alternative, shared.alternative, rule.copies) ||
                   takes_over(rarer(all), rarer(shared), rule.rarer_copies)
               ? WhyUnlisted::carriers
               : WhyUnlisted::other;
  }
  const ListedPeople here = listed_people(listing, variant);
  const ListedPeople other = listed_people(silent, there->number);
  if (listing.listed.of_all && rule.of_all &&
      takes_over(here.carriers, other.carriers, rule.carriers))
    return WhyUnlisted::carriers;
  return takes_over(here.calls, other.calls, rule.calls) ? WhyUnlisted::calls : WhyUnlisted::other;
}

}  // namespace

std::uint64_t FrequencyDifference::found() const {
  return static_cast<std::uint64_t>(std::count(found_joined.begin(), found_joined.end(), true) +
                                    std::count(found_left.begin(), found_left.end(), true));
}

std::vector<std::optional<std::size_t>> same_people(const GenotypeSet& added,
                                                    const GenotypeSet& earlier) {
  constexpr std::size_t kMostCompared = 4096;
  const VariantIndex index(earlier);
  std::vector<OtherVariant> here;
  std::vector<OtherVariant> there;
  for (std::size_t v = 0; v < added.variants.size(); ++v) {
    const auto place = index.find(added.variants[v]);
    if (!place) continue;
    here.push_back({v, false});
    there.push_back(*place);
  }
  const std::size_t each = std::max<std::size_t>(1, here.size() / kMostCompared);
  const SharedCalls now(added, here, each);
  const SharedCalls before(earlier, there, each);
  std::map<std::string, std::size_t, std::less<>> by_name;
  for (std::size_t q = 0; q < earlier.samples.size(); ++q) by_name.emplace(earlier.samples[q], q);
  std::vector<std::optional<std::size_t>> same(added.samples.size());
  std::vector<bool> taken(earlier.samples.size(), false);
  for (std::size_t p = 0; p < same.size(); ++p) {
    const auto named = by_name.find(added.samples[p]);
    if (named == by_name.end() || !now.compared(p, before, named->second).agree()) continue;
    same[p] = named->second;
    taken[named->second] = true;
  }
  // Others by genotypes alone: each is nearest to the other, and nobody else is nearly as near.
  std::vector<std::optional<std::size_t>> nearest(taken.size());
  for (std::size_t q = 0; q < taken.size(); ++q) {
    if (!taken[q]) nearest[q] = before.nearest_by_far(q, now);
  }
  for (std::size_t p = 0; p < same.size(); ++p) {
    if (same[p]) continue;
    const auto candidate = now.nearest_by_far(p, before);
    if (candidate && nearest[*candidate] == p) same[p] = candidate;
  }
  return same;
}

FrequencyDifference subtract_frequencies(const ShownGroup& added, const ShownGroup& earlier,
                                         const std::vector<std::optional<std::size_t>>& same,
                                         Progress& progress) {
  FrequencyDifference difference;
  std::vector<std::size_t> both;
  std::vector<std::size_t> both_before;  // the same people, by their numbers of then
  std::vector<std::size_t> joined;
  std::vector<std::size_t> left;
  std::vector<bool> stayed(earlier.counted.size(), false);
  for (std::size_t p = 0; p < added.counted.size(); ++p) {
    if (!added.counted[p]) continue;
    if (same[p] && earlier.counted[*same[p]]) {
      both.push_back(p);
      both_before.push_back(*same[p]);
      stayed[*same[p]] = true;
    } else {
      joined.push_back(p);
    }
  }
  for (std::size_t q = 0; q < earlier.counted.size(); ++q) {
    if (earlier.counted[q] && !stayed[q]) left.push_back(q);
  }
  difference.both = both.size();
  difference.joined = joined.size();
  difference.left = left.size();
  difference.who_joined.assign(added.counted.size(), false);
  difference.who_left.assign(earlier.counted.size(), false);
  for (const std::size_t p : joined) difference.who_joined[p] = true;
  for (const std::size_t q : left) difference.who_left[q] = true;
  difference.found_joined.assign(added.counted.size(), false);
  difference.found_left.assign(earlier.counted.size(), false);
  if (both.empty() || difference.apart() == 0) return difference;

  const GroupAlleles of_added(added);
  const GroupAlleles of_earlier(earlier);
  const auto more = static_cast<double>(joined.size());
  const auto fewer = static_cast<double>(left.size());
  const bool few = difference.apart() < kFewPeople;
  const bool exact = added.noise_variance <= 0 && earlier.noise_variance <= 0 && few;
  const VariantIndex in_added(*added.people);
  const VariantIndex in_earlier(*earlier.people);
  DifferenceScores here(*added.people);
  DifferenceScores there(*earlier.people);
  double independent_variance = 0;
  const auto score = [&](const std::optional<OtherVariant>& of_now,
                         const std::optional<OtherVariant>& of_before, double p, double d,
                         double error) {
    const double own = 2 * p * (1 - p);
    const double weight = (d - 2 * p * (more - fewer)) / (own * (more + fewer) + error);
    independent_variance += own * weight * weight;
    if (of_now) here.add(*of_now, 2 * p, weight);
    if (of_before && !left.empty()) there.add(*of_before, 2 * p, weight);
  };
  // A variant of the list of one alone; `sign`: of what is left of the copies that it has.
  const auto take_listed = [&](const ShownGroup& listing, std::size_t v, double frequency,
                               double alleles, const ShownGroup& silent,
                               const std::optional<OtherVariant>& other,
                               const std::vector<std::size_t>& shared, double sign) {
    const WhyUnlisted why = why_unlisted(listing, v, silent, other, shared);
    if (why == WhyUnlisted::other) return;
    difference.certain += few ? 1 : 0;
    if (why == WhyUnlisted::calls) return;
    const OtherVariant own{v, false};
    const double p = (alleles * frequency + 1) / (alleles + 2);
    const bool now = &listing == &added;
    score(now ? own : other, now ? other : own, p, p < 0.5 ? sign : -sign, 1);
  };
  progress.begin("subtracting frequencies",
                 added.people->variants.size() + earlier.people->variants.size());
  for (std::size_t v = 0; v < added.people->variants.size(); ++v) {
    progress.advance(1);
    const Variant& variant = added.people->variants[v];
    const auto f = added.shown->of(variant);
    if (!f) continue;
    const auto g = earlier.shown->of(variant);
    const auto other = in_earlier.find(variant);
    const double added_alleles = of_added.at(v);
    if (!g) {
      take_listed(added, v, *f, added_alleles, earlier, other, both, 1);
      continue;
    }
    ++difference.variants;
    const double earlier_alleles = other ? of_earlier.at(other->number) : of_earlier.everybodys();
    if (exact) {
      const CopyRange now = copies_of(*f, added_alleles, added.step);
      const CopyRange before = copies_of(*g, earlier_alleles, earlier.step);
      const double least = std::max(now.least - before.most, -2 * fewer);
      const double most = std::min(now.most - before.least, 2 * more);
      difference.certain += least == most ? 1 : 0;
    }
    // Nobody has seen all alleles.
    const double p =
        (earlier_alleles * *g + added_alleles * *f + 1) / (earlier_alleles + added_alleles + 2);
    const double rounding =
        (std::pow(added_alleles * added.step, 2) + std::pow(earlier_alleles * earlier.step, 2)) /
        12;
    score(OtherVariant{v, false}, other, p, added_alleles * *f - earlier_alleles * *g,
          rounding + added.noise_variance + earlier.noise_variance);
  }
  for (std::size_t v = 0; v < earlier.people->variants.size(); ++v) {
    progress.advance(1);
    const Variant& variant = earlier.people->variants[v];
    const auto g = earlier.shown->of(variant);
    if (!g || added.shown->of(variant)) continue;
    take_listed(earlier, v, *g, of_earlier.at(v), added, in_added.find(variant), both_before, -1);
  }
  // Each is held against those in both by the genotypes of the same file.
  const double apart = static_cast<double>(difference.apart());
  const auto scores_of = [](const DifferenceScores& scores, const std::vector<std::size_t>& of) {
    std::vector<double> values;
    for (const std::size_t p : of) values.push_back(scores.sums()[p]);
    return values;
  };
  const bool enough = both.size() >= kEnoughForANull;
  const NullDistribution now(scores_of(here, both));
  const double now_deviation = enough ? now.deviation() : std::sqrt(independent_variance);
  const double beyond = normal_quantile(1 - kDifferenceFalsePositives / apart);
  for (const std::size_t p : joined) {
    difference.found_joined[p] =
        difference.certain > 0 ||
        (now_deviation > 0 && here.sums()[p] > (enough ? now.mean() : 0) + now_deviation * beyond);
  }
  const NullDistribution before(scores_of(there, both_before));
  const double before_deviation = enough ? before.deviation() : std::sqrt(independent_variance);
  for (const std::size_t q : left) {
    difference.found_left[q] =
        difference.certain > 0 ||
        (before_deviation > 0 &&
         there.sums()[q] < (enough ? before.mean() : 0) - before_deviation * beyond);
  }
  return difference;
}

}  // namespace pratique::genomes
