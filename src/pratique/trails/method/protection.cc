#include "pratique/trails/method/protection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <tuple>

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

// Runs of one method, and the best of them that every view allows. Of all but the best only the
// figures are kept: what one disclosed follows from its seed.
class Runs {
 public:
  Runs(const Holdings& holdings, const ProtectRequest& request, const DedupRules& rules,
       Progress& progress)
      : holdings_(holdings),
        request_(request),
        rules_(rules),
        method_(find_method(request.method)),
        progress_(progress) {}

  void make(Objective objective) {
    const std::size_t before = runs_.size();
    const std::size_t count = request_.run_count();
    runs_.resize(before + count);
    progress_.begin("allocating", count);
    parallel_blocks(count, 1, [&](std::size_t number, std::size_t) {
      OneRun run{objective, number, {}};
      Allocation allocation = allocation_of(run);
      run.value = value_of(allocation, request_.objective);
      {
        const std::lock_guard lock(mutex_);
        runs_[before + number] = run;
        if (!best_ || goes_before(run, before + number, runs_[*best_], *best_)) {
          best_ = before + number;
          of_best_ = std::move(allocation);
        }
      }
      progress_.advance(1);
    });
  }

  // By number: samples and locations, of the runs so far.
  [[nodiscard]] std::pair<Spread, Spread> spreads() const {
    std::vector<double> samples;
    std::vector<double> locations;
    for (const OneRun& run : runs_) {
      const bool first = request_.objective == Objective::samples;
      samples.push_back(static_cast<double>(run.value[first ? 0 : 1]));
      locations.push_back(static_cast<double>(run.value[first ? 1 : 0]));
    }
    return {spread_of(samples), spread_of(locations)};
  }

  // Or nothing, if there is none.
  [[nodiscard]] Allocation best_safe() const {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return goes_before(runs_[a], a, runs_[b], b); });
    for (const std::size_t number : order) {
      Allocation allocation = number == *best_ ? of_best_ : allocation_of(runs_[number]);
      // Copies were checked when they were added.
      if (request_.keep_copies || protects(holdings_, rules_, allocation)) return allocation;
    }
    return Allocation(holdings_.locations());
  }

 private:
  struct OneRun {
    Objective objective = Objective::samples;
    std::size_t seed = 0;
    std::array<std::size_t, 3> value = {};
  };

  static bool goes_before(const OneRun& a, std::size_t at_a, const OneRun& b, std::size_t at_b) {
    return a.value != b.value ? a.value > b.value : at_a < at_b;
  }

  [[nodiscard]] Allocation allocation_of(const OneRun& run) const {
    ProtectRequest asked = request_;
    asked.objective = run.objective;
    SeededRandom random(request_.seed, run.seed);
    Allocation allocation = method_.run(holdings_, asked, rules_, random, progress_);
    if (request_.keep_copies)
      allocation = add_copies(holdings_, request_.k, allocation, random, progress_);
    return allocation;
  }

  const Holdings& holdings_;
  const ProtectRequest& request_;
  const DedupRules& rules_;
  const Method& method_;
  Progress& progress_;
  std::mutex mutex_;
  std::vector<OneRun> runs_;
  std::optional<std::size_t> best_;
  Allocation of_best_;
};

// What the other methods would disclose, where that is better than `best`. Cleaning only withholds,
// so what is no better before is not cleaned.
Allocation or_by_dedup(const Holdings& holdings, const ProtectRequest& request,
                       const DedupRules& rules, Allocation best, Progress& progress) {
  struct Other {
    std::array<std::size_t, 3> value;
    decltype(&greedy_dedup) dedup;
    std::size_t seed;
  };
  const auto allocation_of = [&](const Other& other) {
    SeededRandom random(request.seed, other.seed);
    return other.dedup(holdings, rules, random);
  };
  std::vector<Other> others;
  for (const Method& method : kMethods) {
    if (method.name == request.method) continue;
    for (std::size_t run = 0; run < request.runs.value_or(method.runs); ++run) {
      Other other{{}, method.name == "force" ? force_dedup : greedy_dedup, run};
      other.value = value_of(allocation_of(other), request.objective);
      others.push_back(other);
    }
  }
  std::ranges::stable_sort(others, std::ranges::greater{}, &Other::value);
  for (const Other& other : others) {
    const auto value = value_of(best, request.objective);
    if (other.value <= value) break;
    Allocation cleaned = final_clean(holdings, rules, allocation_of(other), progress);
    if (value_of(cleaned, request.objective) > value && protects(holdings, rules, cleaned)) {
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
  Runs runs(holdings, request, rules, progress);
  runs.make(request.objective);
  Protection result;
  std::tie(result.samples, result.locations) = runs.spreads();
  result.bound = disclosure_bound(holdings, rules);
  result.allocation = runs.best_safe();
  const bool nothing_is_better = disclosed_samples(result.allocation) >= result.bound.samples &&
                                 disclosing_locations(result.allocation) >= result.bound.locations;
  // Never worse than the other methods, nor than with the other objective: all of it is tried.
  if (request.method == "best" && !nothing_is_better) {
    runs.make(request.objective == Objective::samples ? Objective::locations : Objective::samples);
    result.allocation = or_by_dedup(holdings, request, rules, runs.best_safe(), progress);
  }
  return result;
}

}  // namespace pratique::trails
