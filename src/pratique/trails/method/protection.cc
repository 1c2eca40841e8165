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

struct Attempt {
  const Method* method;
  Objective objective;
  std::size_t run;  // seeds it
};

// The runs that were asked for; for `best` also all that the other methods would try, and its own
// runs with the other objective. So it is never worse than they are, and asking for samples never
// gives fewer of them than asking for locations.
std::vector<Attempt> attempts_of(const ProtectRequest& request) {
  std::vector<Attempt> attempts;
  const auto add = [&](const Method& method, Objective objective) {
    for (std::size_t run = 0; run < request.runs.value_or(method.runs); ++run) {
      attempts.push_back({&method, objective, run});
    }
  };
  add(find_method(request.method), request.objective);
  if (request.method != "best") return attempts;
  add(find_method(request.method),
      request.objective == Objective::samples ? Objective::locations : Objective::samples);
  for (const Method& method : kMethods) {
    if (method.name != request.method) add(method, request.objective);
  }
  return attempts;
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
    permitted = contributor_clean(holdings, request.k);
    rules.permitted = &permitted;
    rules.least = request.k;
  }
  const auto attempts = attempts_of(request);
  std::vector<Allocation> allocations(attempts.size());
  progress.begin("allocating", attempts.size());
  parallel_blocks(attempts.size(), 1, [&](std::size_t a, std::size_t) {
    const Attempt& attempt = attempts[a];
    SeededRandom random(request.seed, attempt.run);
    ProtectRequest asked = request;
    asked.objective = attempt.objective;
    Allocation allocation = attempt.method->run(holdings, asked, rules, random, progress);
    if (request.keep_copies) {
      allocation = add_copies(holdings, request.k, allocation, random, progress);
    }
    allocations[a] = std::move(allocation);
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
  for (std::size_t run = 0; run < request.run_count(); ++run) {
    samples.push_back(static_cast<double>(disclosed_samples(allocations[run])));
    locations.push_back(static_cast<double>(disclosing_locations(allocations[run])));
  }
  std::stable_sort(allocations.begin(), allocations.end(),
                   [&](const auto& a, const auto& b) { return value(a) > value(b); });
  // Copies were checked when they were added.
  const auto safe =
      std::find_if(allocations.begin(), allocations.end(), [&](const auto& allocation) {
        return request.keep_copies || protects(holdings, rules, allocation);
      });
  result.allocation =
      safe == allocations.end() ? Allocation(holdings.locations()) : std::move(*safe);
  result.samples = spread_of(samples);
  result.locations = spread_of(locations);
  return result;
}

}  // namespace pratique::trails
