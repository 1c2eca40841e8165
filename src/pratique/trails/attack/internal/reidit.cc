// REIDIT-C, REIDIT-I with REIDIT-I-K, and REIDIT-M, on groups of equal trails.
#include <algorithm>

#include "pratique/core/parallel.h"
#include "pratique/trails/attack/internal/algorithms.h"
#include "pratique/trails/attack/internal/peeling.h"

namespace pratique::trails {
namespace {

constexpr std::size_t kGrain = 4096;
}  // namespace

std::vector<std::uint64_t> count_candidates(
    const Subtrails& trails, const PositionSet& among, std::uint64_t limit,
    const std::function<bool(std::size_t sub, std::size_t position)>& allowed, Progress& progress) {
  std::vector<std::uint64_t> counts(trails.sub().size(), 0);
  progress.begin("counting candidates", counts.size());
  parallel_blocks(counts.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      std::uint64_t count = 0;
      trails.for_each_supertrail(g, among, [&](std::size_t position) {
        if (allowed(g, position)) count += trails.super_capacity(position);
        return count < limit;
      });
      counts[g] = std::min(count, limit);
    }
    progress.advance(end - begin);
  });
  return counts;
}

GroupAttack attack_complete(const DistinctTrails& sub, const DistinctTrails& super,
                            const std::vector<bool>& complete, std::uint64_t count_to) {
  const auto open = static_cast<std::size_t>(std::ranges::count(complete, false));
  GroupAttack result;
  std::uint64_t everybody = 0;
  for (std::size_t g = 0; g < super.size(); ++g) everybody += super.capacity(g);
  if (count_to > 0) result.partners.assign(sub.size(), std::min(count_to, everybody));
  for (std::size_t g = 0; g < sub.size(); ++g) {
    const auto trail = sub.trail(g);
    const auto seen_open = static_cast<std::size_t>(
        std::ranges::count_if(trail, [&](Location c) { return !complete[c]; }));
    if (seen_open < open) continue;  // it holds a *
    const auto equal = super.find(trail);
    if (!equal || super.capacity(*equal) < sub.capacity(g)) {
      result.impossible.push_back(g);
      continue;
    }
    const std::size_t candidates = super.capacity(*equal);
    if (candidates == 1) result.links.push_back({g, *equal});
    if (count_to > 0) result.partners[g] = std::min<std::uint64_t>(candidates, count_to);
  }
  return result;
}

GroupAttack attack_incomplete(const Subtrails& trails, std::uint64_t count_to, Progress& progress) {
  const Peeling peeling(trails, Peeling::Rule::elements, progress);
  GroupAttack result{peeling.taken(), {}, peeling.impossible()};
  if (count_to > 0 && result.impossible.empty()) {
    result.partners = count_candidates(
        trails, peeling.left(), count_to, [](std::size_t, std::size_t) { return true; }, progress);
    for (const auto& link : result.links) result.partners[link.sub] = 1;
  }
  return result;
}

GroupAttack attack_multiple(const Subtrails& trails, std::uint64_t count_to, Progress& progress) {
  const PositionSet all(trails.super().size(), true);
  GroupAttack result;
  result.partners = count_candidates(
      trails, all, std::max<std::uint64_t>(count_to, 2),
      [](std::size_t, std::size_t) { return true; }, progress);
  for (std::size_t g = 0; g < trails.sub().size(); ++g) {
    if (result.partners[g] == 0) result.impossible.push_back(g);
    if (result.partners[g] == 1) result.links.push_back({g, trails.first_supertrail(g, all)});
  }
  if (count_to == 0) result.partners.clear();
  return result;
}

}  // namespace pratique::trails
