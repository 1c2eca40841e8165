#include "pratique/trails/attack/sensitivity.h"

#include <algorithm>
#include <numeric>

#include "pratique/core/parallel.h"

namespace pratique::trails {
namespace {

std::vector<std::uint64_t> visitors(const World& world, const Disclosure& disclosure) {
  return (disclosure.identified_is_sub() ? world.deidentified : world.identified)
      .sizes(world.locations);
}

SensitivityPoint attack_some(const World& world, Disclosure disclosure, Algorithm algorithm,
                             const std::vector<bool>& keep) {
  const World part = restricted(world, keep);
  // Where nothing was published, nothing is unknown about what was.
  for (std::size_t c = 0; c < keep.size(); ++c) {
    if (keep[c]) continue;
    disclosure.complete[c] = true;
    if (!disclosure.identified_complete.empty()) disclosure.identified_complete[c] = true;
  }
  SensitivityPoint point;
  point.locations = static_cast<std::size_t>(std::ranges::count(keep, true));
  point.identified = part.identified.seen();
  point.deidentified = part.deidentified.seen();
  point.reidentified = attack(part, disclosure, {algorithm, 0}).reidentified();
  return point;
}

// points[i] is the attack on the locations that keep(i) marks, about location order[i].
template <class Keep>
std::vector<SensitivityPoint> attack_all(const World& world, const Disclosure& disclosure,
                                         Algorithm algorithm, const std::vector<Location>& order,
                                         const Keep& keep, Progress& progress) {
  const auto sizes = visitors(world, disclosure);
  std::vector<SensitivityPoint> points(order.size());
  progress.begin("attacking with some locations", order.size());
  parallel_blocks(order.size(), 1, [&](std::size_t i, std::size_t) {
    points[i] = attack_some(world, disclosure, algorithm, keep(i));
    points[i].location = order[i];
    points[i].visitors = sizes[order[i]];
    progress.advance(1);
  });
  return points;
}

std::vector<Location> all_locations(const World& world) {
  std::vector<Location> order(world.locations);
  std::iota(order.begin(), order.end(), Location{0});
  return order;
}

}  // namespace

std::vector<SensitivityPoint> attack_by_rank(const World& world, const Disclosure& disclosure,
                                             Algorithm algorithm, Rank rank, Progress& progress) {
  const auto sizes = visitors(world, disclosure);
  auto order = all_locations(world);
  std::ranges::stable_sort(order, [&](Location a, Location b) {
    return rank == Rank::down ? sizes[a] > sizes[b] : sizes[a] < sizes[b];
  });
  const auto first = [&](std::size_t i) {
    std::vector<bool> keep(world.locations, false);
    for (std::size_t j = 0; j <= i; ++j) keep[order[j]] = true;
    return keep;
  };
  return attack_all(world, disclosure, algorithm, order, first, progress);
}

std::vector<SensitivityPoint> attack_leaving_one_out(const World& world,
                                                     const Disclosure& disclosure,
                                                     Algorithm algorithm, Progress& progress) {
  const auto others = [&](std::size_t i) {
    std::vector<bool> keep(world.locations, true);
    keep[i] = false;
    return keep;
  };
  return attack_all(world, disclosure, algorithm, all_locations(world), others, progress);
}

}  // namespace pratique::trails
