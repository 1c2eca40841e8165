#include "pratique/trails/method/protection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"
#include "pratique/trails/method/copies.h"

namespace pratique::trails {
namespace {

LocationLists lists_of(const Side& side, std::size_t locations) {
  LocationLists at(locations);
  for (Element element = 0; element < side.elements(); ++element) {
    for (const Location location : side.trail(element)) at[location].push_back(element);
  }
  return at;
}

std::size_t records(const Allocation& allocation) {
  std::size_t count = 0;
  for (const auto& held : allocation) count += held.size();
  return count;
}

Allocation by_best(const Holdings& holdings, const ProtectRequest& request, const DedupRules& rules,
                   SeededRandom& random, Progress& progress) {
  Allocation allocation = best_allocation(holdings, rules, request.objective, random, progress);
  return request.keep_copies ? add_copies(holdings, request.k, allocation, random, progress)
                             : allocation;
}

// Final-Clean: nothing moves, what breaks the promise is withheld.
Allocation final_clean(const Holdings& holdings, const DedupRules& rules, Allocation allocation,
                       Progress& progress) {
  const Allocation chosen = allocation;
  DedupRules only_withhold = rules;
  only_withhold.permitted = &chosen;
  mend(holdings, only_withhold, allocation, progress);
  return allocation;
}

Allocation by_greedy(const Holdings& holdings, const ProtectRequest& /*request*/,
                     const DedupRules& rules, SeededRandom& random, Progress& progress) {
  return final_clean(holdings, rules, greedy_dedup(holdings, rules, random), progress);
}

Allocation by_force(const Holdings& holdings, const ProtectRequest& /*request*/,
                    const DedupRules& rules, SeededRandom& random, Progress& progress) {
  return final_clean(holdings, rules, force_dedup(holdings, rules, random), progress);
}

constexpr Method kMethods[] = {
    {"greedy", "Greedy-Dedup: the location with the fewest people first", 25, false, by_greedy},
    {"force", "Force-Dedup: first k samples everywhere, then the rest", 25, false, by_force},
    {"best", "moves samples between locations as long as more can leave", 4, true, by_best},
};

}  // namespace

std::size_t ProtectRequest::run_count() const { return runs.value_or(find_method(method).runs); }

std::span<const Method> methods() { return kMethods; }

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : kMethods) names.emplace_back(method.name);
  return names;
}

const Method& find_method(const std::string& name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return method;
  }
  throw Error::input(fmt::format("there is no method '{}'", name))
      .hint(fmt::format("The methods are {}.", fmt::join(method_names(), ", ")));
}

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  for (const double value : values) spread.mean += value / static_cast<double>(values.size());
  if (values.size() < 2) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return spread;
}

Holdings holdings_of(const World& world) {
  Holdings holdings;
  holdings.people = world.identified.elements();
  holdings.samples = world.deidentified.elements();
  holdings.people_at = lists_of(world.identified, world.locations);
  holdings.samples_at = lists_of(world.deidentified, world.locations);
  return holdings;
}

Protection protect(const Holdings& holdings, const ProtectRequest& request, Progress& progress) {
  LocationLists permitted;
  DedupRules rules{.k = request.k};
  if (request.secure) {
    permitted = contributor_clean(holdings, request.k);
    rules.permitted = &permitted;
    rules.least = request.k;
  }
  const Method& method = find_method(request.method);
  const std::size_t runs = request.run_count();
  std::vector<Allocation> allocations(runs);
  progress.begin("allocating", runs);
  parallel_blocks(runs, 1, [&](std::size_t run, std::size_t) {
    SeededRandom random(request.seed, run);
    allocations[run] = method.run(holdings, request, rules, random, progress);
    progress.advance(1);
  });

  Protection result;
  result.bound = disclosure_bound(holdings, request.k);
  std::vector<double> samples;
  std::vector<double> locations;
  const auto value = [&](const Allocation& allocation) {
    const std::size_t s = disclosed_samples(allocation);
    const std::size_t l = disclosing_locations(allocation);
    return request.objective == Objective::samples ? std::array{s, l, records(allocation)}
                                                   : std::array{l, s, records(allocation)};
  };
  const Allocation* best = nullptr;
  for (const auto& allocation : allocations) {
    samples.push_back(static_cast<double>(disclosed_samples(allocation)));
    locations.push_back(static_cast<double>(disclosing_locations(allocation)));
    if (best == nullptr || value(allocation) > value(*best)) best = &allocation;
  }
  result.allocation = *best;
  result.samples = spread_of(samples);
  result.locations = spread_of(locations);
  return result;
}

}  // namespace pratique::trails
