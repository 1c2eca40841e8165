#include "pratique/trails/method/protection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  return best_allocation(holdings, rules, request.objective, random, progress);
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

// What counts most first.
std::array<std::size_t, 3> value_of(const Allocation& allocation, Objective objective) {
  const std::size_t samples = disclosed_samples(allocation);
  const std::size_t locations = disclosing_locations(allocation);
  return objective == Objective::samples ? std::array{samples, locations, records(allocation)}
                                         : std::array{locations, samples, records(allocation)};
}

// The best that every view allows, of these and of nothing.
Allocation best_safe(const Holdings& holdings, const ProtectRequest& request,
                     const DedupRules& rules, std::vector<Allocation> allocations) {
  std::stable_sort(allocations.begin(), allocations.end(), [&](const auto& a, const auto& b) {
    return value_of(a, request.objective) > value_of(b, request.objective);
  });
  for (auto& allocation : allocations) {
    // Copies were checked when they were added.
    if (request.keep_copies || protects(holdings, rules, allocation)) return std::move(allocation);
  }
  return Allocation(holdings.locations());
}

// What the other methods would disclose, where that is better than `best`. Cleaning only withholds,
// so what is no better before is not cleaned.
Allocation or_by_dedup(const Holdings& holdings, const ProtectRequest& request,
                       const DedupRules& rules, Allocation best, Progress& progress) {
  std::vector<Allocation> others;
  for (const Method& method : kMethods) {
    if (method.name == request.method) continue;
    const auto dedup = method.name == "force" ? force_dedup : greedy_dedup;
    for (std::size_t run = 0; run < request.runs.value_or(method.runs); ++run) {
      SeededRandom random(request.seed, run);
      others.push_back(dedup(holdings, rules, random));
    }
  }
  const auto value = [&](const Allocation& allocation) {
    return value_of(allocation, request.objective);
  };
  std::stable_sort(others.begin(), others.end(),
                   [&](const auto& a, const auto& b) { return value(a) > value(b); });
  for (auto& other : others) {
    if (value(other) <= value(best)) break;
    Allocation cleaned = final_clean(holdings, rules, std::move(other), progress);
    if (value(cleaned) > value(best) && protects(holdings, rules, cleaned)) {
      best = std::move(cleaned);
    }
  }
  return best;
}

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
    rules.coalition = std::max<std::size_t>(request.coalition, 1);
    permitted = contributor_clean(holdings, request.k, rules.coalition);
    rules.permitted = &permitted;
    rules.least = request.k;
  }
  const Method& method = find_method(request.method);
  const std::size_t runs = request.run_count();
  std::vector<Allocation> allocations;
  const auto run_for = [&](Objective objective) {
    ProtectRequest asked = request;
    asked.objective = objective;
    const std::size_t before = allocations.size();
    allocations.resize(before + runs);
    progress.begin("allocating", runs);
    parallel_blocks(runs, 1, [&](std::size_t run, std::size_t) {
      SeededRandom random(request.seed, run);
      Allocation allocation = method.run(holdings, asked, rules, random, progress);
      if (request.keep_copies) {
        allocation = add_copies(holdings, request.k, allocation, random, progress);
      }
      allocations[before + run] = std::move(allocation);
      progress.advance(1);
    });
  };
  run_for(request.objective);

  Protection result;
  result.bound = disclosure_bound(holdings, rules);
  std::vector<double> samples;
  std::vector<double> locations;
  for (const auto& allocation : allocations) {
    samples.push_back(static_cast<double>(disclosed_samples(allocation)));
    locations.push_back(static_cast<double>(disclosing_locations(allocation)));
  }
  result.allocation = best_safe(holdings, request, rules, allocations);
  const bool nothing_is_better = disclosed_samples(result.allocation) >= result.bound.samples &&
                                 disclosing_locations(result.allocation) >= result.bound.locations;
  // Never worse than the other methods, nor than with the other objective: all of it is tried.
  if (request.method == "best" && !nothing_is_better) {
    run_for(request.objective == Objective::samples ? Objective::locations : Objective::samples);
    result.allocation = best_safe(holdings, request, rules, allocations);
    result.allocation =
        or_by_dedup(holdings, request, rules, std::move(result.allocation), progress);
  }
  result.samples = spread_of(samples);
  result.locations = spread_of(locations);
  return result;
}

}  // namespace pratique::trails
