#include "pratique/genomes/attack/pair_membership.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace pratique::genomes {
namespace {

// The first variant of every place: r2 tables name places, not alleles.
std::map<SnpPlace, std::size_t> first_variants(const GenotypeSet& set) {
  std::map<SnpPlace, std::size_t> first;
  for (std::size_t v = 0; v < set.variants.size(); ++v)
    first.emplace(SnpPlace{set.variants[v].chrom, set.variants[v].position}, v);
  return first;
}

}  // namespace

std::vector<PublishedPair> pairs_to_publish(const GenotypeSet& pool, std::size_t neighbours) {
  const auto everybody = pool.store.everybody();
  std::vector<std::pair<SnpPlace, std::size_t>> places;
  for (const auto& place : first_variants(pool)) places.push_back(place);
  std::vector<PublishedPair> pairs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(places.size(), i + 1 + neighbours); ++j) {
      if (places[i].first.chrom != places[j].first.chrom) break;
      const auto r = pool.store.correlation(places[i].second, places[j].second, everybody);
      if (r) pairs.push_back({places[i].first, places[j].first, std::round(*r * *r * 100) / 100});
    }
  }
  return pairs;
}

PairMembership::PairMembership(const std::vector<PublishedPair>& pairs,
                               const GenotypeSet& reference,
                               const std::vector<std::size_t>& counted, Progress& progress) {
  progress.begin("comparing linkage", pairs.size());
  const auto of = reference.store.those(counted);
  const auto first = first_variants(reference);
  std::map<std::size_t, std::optional<std::size_t>> number_of;
  const auto number = [&](std::size_t variant) {
    const auto [place, is_new] = number_of.emplace(variant, std::nullopt);
    if (!is_new) return place->second;
    const auto frequency = reference.store.count(variant, of).frequency();
    if (!frequency || *frequency <= 0 || *frequency >= 1) return place->second;
    place->second = snps_.size();
    snps_.push_back({reference.variants[variant], 2 * *frequency,
                     std::sqrt(2 * *frequency * (1 - *frequency))});
    return place->second;
  };
  // Two standard errors of a correlation of nothing.
  const double least = 2 / std::sqrt(std::max(static_cast<double>(counted.size()), 1.0));
  for (const auto& pair : pairs) {
    progress.advance(1);
    const auto a = first.find(pair.a);
    const auto b = first.find(pair.b);
    if (a == first.end() || b == first.end() || a == b) continue;
    const auto r = reference.store.correlation(a->second, b->second, of);
    if (!r || std::abs(*r) < least) continue;
    const auto x = number(a->second);
    const auto y = number(b->second);
    if (!x || !y) continue;
    const double published = std::copysign(std::sqrt(std::clamp(pair.r2, 0.0, 1.0)), *r);
    pairs_.push_back({*x, *y, published - *r});
  }
}

std::vector<PairMembership::FoundSnp> PairMembership::found_in(const GenotypeSet& people) const {
  std::unordered_map<std::uint64_t, std::size_t> by_key;
  for (std::size_t v = 0; v < people.variants.size(); ++v)
    by_key.emplace(people.variants[v].key(), v);
  std::vector<FoundSnp> places;
  for (const auto& snp : snps_) {
    if (const auto own = by_key.find(snp.variant.key()); own != by_key.end()) {
      places.push_back({own->second, false});
    } else if (const auto other = by_key.find(snp.variant.exchanged_key()); other != by_key.end()) {
      places.push_back({other->second, true});
    } else {
      places.emplace_back();
    }
  }
  return places;
}

void PairMembership::keep_pairs_of(const GenotypeSet& people) {
  const auto places = found_in(people);
  std::erase_if(pairs_, [&](const WeighedPair& pair) {
    return !places[pair.a].variant || !places[pair.b].variant;
  });
}

std::vector<double> PairMembership::scores(const GenotypeSet& people, Progress& progress) const {
  progress.begin("comparing genotypes with linkage", people.samples.size());
  const auto places = found_in(people);
  std::vector<double> scores;
  std::vector<double> standard(snps_.size());
  for (std::size_t person = 0; person < people.samples.size(); ++person) {
    for (std::size_t s = 0; s < snps_.size(); ++s) {
      // No call is the mean: it tells nothing.
      standard[s] = 0;
      if (!places[s].variant) continue;
      const Dosage dosage = people.store.at(*places[s].variant, person);
      if (dosage == kMissingDosage) continue;
      const double copies = places[s].exchanged ? 2.0 - dosage : dosage;
      standard[s] = (copies - snps_[s].mean) / snps_[s].deviation;
    }
    double score = 0;
    for (const auto& pair : pairs_) score += pair.weight * standard[pair.a] * standard[pair.b];
    scores.push_back(score);
    progress.advance(1);
  }
  return scores;
}

}  // namespace pratique::genomes
