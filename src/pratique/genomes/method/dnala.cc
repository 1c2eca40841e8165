#include "pratique/genomes/method/dnala.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/genomes/method/perfect_matching.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kRowsPerBlock = 16;

DistanceMatrix all_distances(const LatticePlanes& planes, std::size_t vertices,
                             Progress& progress) {
  progress.begin("comparing sequences", planes.size());
  DistanceMatrix distances(vertices);
  parallel_blocks(planes.size(), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t b = a + 1; b < planes.size(); ++b)
        distances.set(a, b, static_cast<std::int32_t>(planes.distance(a, b)));
      progress.advance(1);
    }
  });
  return distances;
}

// What a group loses, from the union of its members.
std::int64_t loss_of_group(const LatticePlanes& planes, const std::vector<std::uint32_t>& members) {
  PlaneRow united = planes.row(members.front());
  std::int64_t levels = planes.level_sum(members.front());
  for (std::size_t m = 1; m < members.size(); ++m) {
    planes.unite(united, members[m]);
    levels += planes.level_sum(members[m]);
  }
  return static_cast<std::int64_t>(members.size()) * planes.level_sum(united) - levels;
}

std::int64_t loss_with_more(const LatticePlanes& planes, std::vector<std::uint32_t> members,
                            std::uint32_t more) {
  members.push_back(more);
  return loss_of_group(planes, members);
}

// Joins the group that loses least by it.
void add_left_over(const LatticePlanes& planes, SequenceGroups& groups, std::uint32_t sequence) {
  std::size_t best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::int64_t more =
        loss_with_more(planes, groups[g], sequence) - loss_of_group(planes, groups[g]);
    if (more < least) {
      least = more;
      best = g;
    }
  }
  groups[best].push_back(sequence);
}

SequenceGroups pair_greedily(const LatticePlanes& planes, Progress& progress) {
  const DistanceMatrix distances = all_distances(planes, planes.size(), progress);
  SequenceGroups groups;
  std::vector<bool> taken(planes.size(), false);
  std::uint32_t left_over = 0;
  for (std::uint32_t a = 0; a < planes.size(); ++a) {
    if (taken[a]) continue;
    taken[a] = true;
    std::uint32_t closest = a;
    for (std::uint32_t b = a + 1; b < planes.size(); ++b) {
      if (!taken[b] && (closest == a || distances.at(a, b) < distances.at(a, closest))) closest = b;
    }
    if (closest == a) {
      left_over = a;
      continue;
    }
    taken[closest] = true;
    groups.push_back({a, closest});
  }
  if (planes.size() % 2 == 1) add_left_over(planes, groups, left_over);
  return groups;
}

SequenceGroups pair_optimally(const LatticePlanes& planes, Progress& progress) {
  const std::size_t odd = planes.size() % 2;
  DistanceMatrix distances = all_distances(planes, planes.size() + odd, progress);
  const std::size_t nobody = planes.size();
  if (odd == 1) {
    for (std::size_t a = 0; a < planes.size(); ++a) {
      std::vector<std::uint32_t> by_distance;
      for (std::uint32_t b = 0; b < planes.size(); ++b) {
        if (b != a) by_distance.push_back(b);
      }
      std::partial_sort(by_distance.begin(), by_distance.begin() + 2, by_distance.end(),
                        [&](auto x, auto y) { return distances.at(a, x) < distances.at(a, y); });
      by_distance.resize(2);
      const std::int64_t pair = distances.at(by_distance[0], by_distance[1]);
      const std::int64_t three = loss_with_more(planes, by_distance, static_cast<std::uint32_t>(a));
      distances.set(a, nobody, static_cast<std::int32_t>(three - pair));
    }
  }
  const auto partners = minimum_perfect_matching(distances, progress);
  SequenceGroups groups;
  for (std::uint32_t a = 0; a < planes.size(); ++a) {
    if (partners[a] > a && partners[a] != nobody) groups.push_back({a, partners[a]});
  }
  if (odd == 1) add_left_over(planes, groups, partners[nobody]);
  return groups;
}

SequenceGroups gather(const LatticePlanes& planes, std::uint64_t k, Progress& progress) {
  std::vector<std::uint32_t> left(planes.size());
  std::iota(left.begin(), left.end(), 0U);
  SequenceGroups groups;
  progress.begin("grouping", planes.size() / k);
  while (left.size() >= k) {
    std::vector<std::uint32_t> members = {left.front()};
    left.erase(left.begin());
    PlaneRow united = planes.row(members.front());
    while (members.size() < k) {
      std::vector<std::int64_t> growth(left.size());
      parallel_blocks(left.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          // Those who join lose what they are below the union; those in it what it grows.
          growth[i] = static_cast<std::int64_t>(members.size() + 1) *
                          planes.level_sum_with(united, left[i]) -
                      planes.level_sum(left[i]);
        }
      });
      const auto best = std::min_element(growth.begin(), growth.end()) - growth.begin();
      planes.unite(united, left[static_cast<std::size_t>(best)]);
      members.push_back(left[static_cast<std::size_t>(best)]);
      left.erase(left.begin() + best);
    }
    groups.push_back(std::move(members));
    progress.advance(1);
  }
  for (const std::uint32_t sequence : left) add_left_over(planes, groups, sequence);
  return groups;
}

// Exchanges members of two groups while the loss falls; each round looks at all pairs once.
void exchange_members(const LatticePlanes& planes, SequenceGroups& groups, Progress& progress) {
  constexpr int kRounds = 3;
  std::vector<std::int64_t> losses;
  for (const auto& group : groups) losses.push_back(loss_of_group(planes, group));
  progress.begin("exchanging members", kRounds * groups.size());
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t h = g + 1; h < groups.size(); ++h) {
        if (losses[g] + losses[h] == 0) continue;
        for (auto& a : groups[g]) {
          for (auto& b : groups[h]) {
            std::swap(a, b);
            const std::int64_t first = loss_of_group(planes, groups[g]);
            const std::int64_t second =
                first < losses[g] + losses[h] ? loss_of_group(planes, groups[h]) : 0;
            if (first + second < losses[g] + losses[h]) {
              losses[g] = first;
              losses[h] = second;
              changed = true;
            } else {
              std::swap(a, b);
            }
          }
        }
      }
      progress.advance(1);
    }
    if (!changed) break;
  }
}

std::array<double, 32> letter_bits() {
  std::array<double, 32> bits{};
  for (std::size_t letter = 1; letter < kGap; ++letter)
    bits[letter] = std::log2(std::popcount(letter & kAnyBase));
  bits[kGap] = 0;
  return bits;
}

}  // namespace

SequenceGroups group_sequences(const LatticePlanes& planes, std::uint64_t k, Pairing pairing,
                               Progress& progress) {
  if (planes.size() < k) {
    throw Error::input(fmt::format("{} sequences cannot be hidden among {}", planes.size(), k))
        .hint("Release more sequences together, or ask for a smaller k.");
  }
  if (k == 1) {
    SequenceGroups alone;
    for (std::uint32_t s = 0; s < planes.size(); ++s) alone.push_back({s});
    return alone;
  }
  if (planes.size() < 2 * k) {
    std::vector<std::uint32_t> all(planes.size());
    std::iota(all.begin(), all.end(), 0U);
    return {all};
  }
  if (k == 2)
    return pairing == Pairing::greedy ? pair_greedily(planes, progress)
                                      : pair_optimally(planes, progress);
  SequenceGroups groups = gather(planes, k, progress);
  if (pairing == Pairing::optimal) exchange_members(planes, groups, progress);
  return groups;
}

std::int64_t distance_of(const LatticePlanes& planes, const SequenceGroups& groups) {
  std::int64_t sum = 0;
  for (const auto& group : groups) sum += loss_of_group(planes, group);
  return sum;
}

std::vector<Sequence> generalise(const std::vector<Sequence>& aligned,
                                 const SequenceGroups& groups) {
  std::vector<Sequence> generalised(groups.size());
  parallel_blocks(groups.size(), kRowsPerBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      Sequence united = aligned[groups[g].front()];
      for (const std::uint32_t member : groups[g]) {
        const Sequence& letters = aligned[member];
        for (std::size_t c = 0; c < united.size(); ++c) united[c] = join(united[c], letters[c]);
      }
      generalised[g] = std::move(united);
    }
  });
  return generalised;
}

LatticeLoss loss_of(const std::vector<Sequence>& aligned, const SequenceGroups& groups,
                    const std::vector<Sequence>& generalised) {
  static const std::array<double, 32> kBits = letter_bits();
  LatticeLoss loss;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t member : groups[g]) {
      for (std::size_t c = 0; c < generalised[g].size(); ++c) {
        const Letter before = aligned[member][c];
        const Letter after = generalised[g][c];
        if (before == after) continue;
        loss.distance += level(after) - level(before);
        loss.bits += kBits[after] - kBits[before];
      }
    }
  }
  return loss;
}

}  // namespace pratique::genomes
