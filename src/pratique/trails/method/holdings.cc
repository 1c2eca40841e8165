#include "pratique/trails/method/holdings.h"

#include <algorithm>
#include <limits>

#include "pratique/core/error.h"

namespace pratique::trails {

namespace {

// Runs worth their search: so many elements for each.
constexpr std::size_t kLeastOfRun = 8;

// The first element of each run of neighbours that are at the same locations.
std::vector<Id> runs_of(const LocationLists& at, std::size_t elements) {
  // Where at some location a stretch of neighbours begins, or one has ended.
  std::vector<bool> begins(elements + 1);
  if (elements > 0) begins[0] = true;
  for (const auto& held : at) {
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (i == 0 || held[i] != held[i - 1] + 1) begins[held[i]] = true;
      if (i + 1 == held.size() || held[i + 1] != held[i] + 1) begins[held[i] + 1] = true;
    }
  }
  const auto runs = static_cast<std::size_t>(std::count(begins.begin(), begins.end() - 1, true));
  std::vector<Id> firsts;
  if (runs * kLeastOfRun > elements) return firsts;
  firsts.reserve(runs);
  for (std::size_t element = 0; element < elements; ++element)
    if (begins[element]) firsts.push_back(static_cast<Id>(element));
  return firsts;
}

}  // namespace

ElementLocations::ElementLocations(const LocationLists& at, std::size_t elements)
    : elements_(elements), firsts_(runs_of(at, elements)) {
  starts_.resize((firsts_.empty() ? elements : firsts_.size()) + 1);
  // Of a run its first element stands for all.
  const auto each_run = [&](const std::vector<Id>& held, const auto& take) {
    if (firsts_.empty()) {
      for (const Id element : held) take(element);
      return;
    }
    std::size_t run = 0;
    for (auto next = held.begin(); next != held.end() && run < firsts_.size();) {
      run = run_of(*next);
      take(run);
      ++run;
      if (run < firsts_.size()) next = std::lower_bound(next, held.end(), firsts_[run]);
    }
  };
  std::size_t sightings = 0;
  for (const auto& held : at) each_run(held, [&](std::size_t) { ++sightings; });
  if (sightings > std::numeric_limits<std::uint32_t>::max())
    throw Error::input("there are more than four billion sightings");
  // Each run's start is where it begins once it was moved by all that it has.
  for (const auto& held : at) each_run(held, [&](std::size_t run) { ++starts_[run]; });
  std::uint32_t end = 0;
  for (auto& start : starts_) start = end += start;
  locations_.resize(sightings);
  for (std::size_t location = at.size(); location > 0; --location)
    each_run(at[location - 1],
             [&](std::size_t run) { locations_[--starts_[run]] = static_cast<Id>(location - 1); });
}

std::size_t disclosed_samples(const Allocation& allocation) {
  std::vector<Id> all;
  for (const auto& samples : allocation) all.insert(all.end(), samples.begin(), samples.end());
  std::sort(all.begin(), all.end());
  return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

std::size_t disclosing_locations(const Allocation& allocation) {
  return static_cast<std::size_t>(std::count_if(allocation.begin(), allocation.end(),
                                                [](const auto& held) { return !held.empty(); }));
}

}  // namespace pratique::trails
