#include "pratique/synthetic/haplotypes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pratique::synthetic {
namespace {

constexpr std::size_t kAncestors = 40;
constexpr double kBasesPerSite = 3000;
constexpr double kBasesPerAncestor = 50'000;
constexpr double kBasesPerCrossing = 1e8;
constexpr double kWrongCopy = 0.001;

// Whether something happens between two sites that happens once in so many bases.
bool happens_between(std::int64_t a, std::int64_t b, double bases, SeededRandom& random) {
  return random.chance(1 - std::exp(-static_cast<double>(b - a) / bases));
}

}  // namespace

HaplotypeModel::HaplotypeModel(std::size_t sites, SeededRandom& random)
    : ancestors_(kAncestors, Haplotype(sites, 0)) {
  std::vector<double> weights;
  for (std::size_t k = 1; k < kAncestors; ++k) weights.push_back(1.0 / static_cast<double>(k));
  const AliasTable carriers(weights);
  std::vector<std::size_t> order(kAncestors);
  std::iota(order.begin(), order.end(), 0U);
  std::int64_t position = 0;
  for (std::size_t s = 0; s < sites; ++s) {
    // Room for the variants of genes beside it.
    position += 100 + static_cast<std::int64_t>(-std::log(1 - random.uniform()) * kBasesPerSite);
    positions_.push_back(position);
    random.shuffle(order);
    const std::size_t count = 1 + carriers.draw(random);
    for (std::size_t k = 0; k < count; ++k) ancestors_[order[k]][s] = 1;
  }
}

Haplotype HaplotypeModel::founder(SeededRandom& random) const {
  Haplotype copied(positions_.size(), 0);
  std::size_t ancestor = random.below(kAncestors);
  for (std::size_t s = 0; s < copied.size(); ++s) {
    if (s > 0 && happens_between(positions_[s - 1], positions_[s], kBasesPerAncestor, random))
      ancestor = random.below(kAncestors);
    copied[s] = ancestors_[ancestor][s];
    if (random.chance(kWrongCopy)) copied[s] ^= 1U;
  }
  return copied;
}

Haplotype HaplotypeModel::inherited(const DiploidGenome& parent,
                                    const std::optional<GivenOrigin>& origin,
                                    SeededRandom& random) const {
  std::vector<bool> from_second(positions_.size(), false);
  bool second = random.chance(0.5);
  for (std::size_t s = 0; s < from_second.size(); ++s) {
    if (s > 0 && happens_between(positions_[s - 1], positions_[s], kBasesPerCrossing, random))
      second = !second;
    from_second[s] = second;
  }
  // Both halves of a meiosis are as likely: the other one has the wanted origin.
  if (origin && from_second[origin->site] != origin->second) from_second.flip();
  Haplotype child(positions_.size(), 0);
  for (std::size_t s = 0; s < child.size(); ++s)
    child[s] = from_second[s] ? parent.second[s] : parent.first[s];
  return child;
}

}  // namespace pratique::synthetic
