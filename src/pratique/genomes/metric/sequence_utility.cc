#include "pratique/genomes/metric/sequence_utility.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "pratique/crypto/random.h"
#include "pratique/genomes/sequence/lattice_planes.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kBaseCount = 4;
constexpr std::uint64_t kTraitStream = 21;
using BaseShares = std::array<double, kBaseCount>;

// The share of each base that a letter stands for.
BaseShares shares_of(Letter letter) {
  BaseShares shares{};
  if (letter == kGap) return shares;
  const double share = 1.0 / std::popcount(static_cast<unsigned>(letter));
  for (std::size_t base = 0; base < kBaseCount; ++base) {
    if ((letter >> base & 1U) != 0) shares[base] = share;
  }
  return shares;
}

// Sums of shares over people, of those with the trait (1) and without (0).
struct ColumnCounts {
  std::array<BaseShares, 2> by_trait{};

  [[nodiscard]] double of(std::size_t base) const { return by_trait[0][base] + by_trait[1][base]; }
  [[nodiscard]] double all() const { return of(0) + of(1) + of(2) + of(3); }
  [[nodiscard]] std::size_t commonest() const {
    std::size_t best = 0;
    for (std::size_t base = 1; base < kBaseCount; ++base) best = of(base) > of(best) ? base : best;
    return best;
  }
};

ColumnCounts count_column(const std::vector<Sequence>& sequences, std::uint32_t column,
                          const std::vector<std::uint8_t>& trait) {
  static const auto kShares = [] {
    std::array<BaseShares, 32> all{};
    for (std::size_t letter = 1; letter < all.size(); ++letter)
      all[letter] = shares_of(static_cast<Letter>(letter));
    return all;
  }();
  ColumnCounts counts;
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    const BaseShares& shares = kShares[sequences[s][column]];
    for (std::size_t base = 0; base < kBaseCount; ++base)
      counts.by_trait[trait[s]][base] += shares[base];
  }
  return counts;
}

// Of a base against all others.
double chi_square(const ColumnCounts& counts, std::size_t base) {
  const auto total = [&](std::size_t trait) {
    const BaseShares& shares = counts.by_trait[trait];
    return shares[0] + shares[1] + shares[2] + shares[3];
  };
  const double a = counts.by_trait[1][base];
  const double b = total(1) - a;
  const double c = counts.by_trait[0][base];
  const double d = total(0) - c;
  const double below = (a + b) * (c + d) * (a + c) * (b + d);
  if (below <= 0) return 0;
  const double cross = a * d - b * c;
  return (a + b + c + d) * cross * cross / below;
}

// The trait of each person; its cause is columns[cause].
std::vector<std::uint8_t> simulate_trait(const std::vector<Sequence>& sequences,
                                         std::uint32_t column, std::size_t base,
                                         std::uint64_t seed) {
  constexpr double kCarriers = 0.8;
  constexpr double kOthers = 0.2;
  SeededRandom random(seed, kTraitStream);
  std::vector<std::uint8_t> trait;
  for (const auto& sequence : sequences) {
    const double carried = shares_of(sequence[column])[base];
    trait.push_back(random.chance(carried * kCarriers + (1 - carried) * kOthers) ? 1 : 0);
  }
  return trait;
}

// Every so many people, so that pairs stay within reach.
std::vector<Sequence> sampled(const std::vector<Sequence>& sequences) {
  constexpr std::size_t kMost = 1000;
  if (sequences.size() <= kMost) return sequences;
  std::vector<Sequence> some;
  for (std::size_t i = 0; i < kMost; ++i) some.push_back(sequences[i * sequences.size() / kMost]);
  return some;
}

std::vector<double> distances_between(const std::vector<Sequence>& sequences,
                                      const std::vector<std::uint32_t>& columns,
                                      Progress& progress) {
  const LatticePlanes planes(sequences, columns);
  std::vector<double> distances;
  distances.reserve(planes.size() * planes.size() / 2);
  for (std::size_t a = 0; a < planes.size(); ++a) {
    for (std::size_t b = a + 1; b < planes.size(); ++b)
      distances.push_back(static_cast<double>(planes.distance(a, b)));
    progress.check();
  }
  return distances;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

SequenceUtility measure_utility(const std::vector<Sequence>& before,
                                const std::vector<Sequence>& after,
                                const std::vector<std::uint32_t>& columns, std::uint64_t seed,
                                Progress& progress) {
  SequenceUtility utility;
  if (columns.empty()) return utility;
  progress.begin("measuring what is left", columns.size());
  const std::vector<std::uint8_t> nobody(before.size(), 0);
  std::size_t cause = 0;
  std::size_t carried = 0;
  double most_even = 1;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto counts = count_column(before, columns[c], nobody);
    const std::size_t base = counts.commonest();
    const double all = counts.all();
    const double off_even = all > 0 ? std::abs(counts.of(base) / all - 0.5) : 1;
    if (off_even >= most_even) continue;
    most_even = off_even;
    cause = c;
    carried = base;
  }
  const auto trait = simulate_trait(before, columns[cause], carried, seed);
  std::vector<double> strength_before;
  std::vector<double> strength_after;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto was = count_column(before, columns[c], trait);
    const auto is = count_column(after, columns[c], trait);
    for (std::size_t base = 0; base < kBaseCount; ++base) {
      const double share_before = was.all() > 0 ? was.of(base) / was.all() : 0;
      const double share_after = is.all() > 0 ? is.of(base) / is.all() : 0;
      utility.frequency_error += std::abs(share_before - share_after);
    }
    const std::size_t base = c == cause ? carried : was.commonest();
    strength_before.push_back(chi_square(was, base));
    strength_after.push_back(chi_square(is, base));
    if (c == cause) {
      utility.before.at_cause = strength_before.back();
      utility.after.at_cause = strength_after.back();
    } else {
      utility.before.elsewhere = std::max(utility.before.elsewhere, strength_before.back());
      utility.after.elsewhere = std::max(utility.after.elsewhere, strength_after.back());
    }
    progress.advance(1);
  }
  utility.frequency_error /= static_cast<double>(columns.size() * kBaseCount);
  utility.association_correlation = correlation(strength_before, strength_after);
  const auto apart_before = distances_between(sampled(before), columns, progress);
  const auto apart_after = distances_between(sampled(after), columns, progress);
  utility.distance_correlation = correlation(apart_before, apart_after);
  utility.mean_distance_before = mean_of(apart_before);
  utility.mean_distance_after = mean_of(apart_after);
  return utility;
}

}  // namespace pratique::genomes
