#include "pratique/trails/method/trail_order.h"

#include <algorithm>
#include <numeric>

namespace pratique::trails {
namespace {

struct OrderedLists {
  LocationLists at;
  std::vector<Id> former;
};

// `at` by new numbers of locations.
OrderedLists ordered_lists(const LocationLists& at, std::size_t elements) {
  const ElementLocations trails(at, elements);
  OrderedLists ordered{LocationLists(at.size()), std::vector<Id>(elements)};
  std::iota(ordered.former.begin(), ordered.former.end(), Id{0});
  std::stable_sort(ordered.former.begin(), ordered.former.end(), [&](Id a, Id b) {
    return std::ranges::lexicographical_compare(trails[a], trails[b]);
  });
  for (std::size_t id = 0; id < elements; ++id)
    for (const Id location : trails[ordered.former[id]])
      ordered.at[location].push_back(static_cast<Id>(id));
  return ordered;
}

}  // namespace

OrderedHoldings ordered_by_trails(const Holdings& holdings, const std::vector<std::string>& names) {
  OrderedHoldings result;
  result.locations.resize(holdings.locations());
  std::iota(result.locations.begin(), result.locations.end(), std::size_t{0});
  std::sort(result.locations.begin(), result.locations.end(),
            [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  LocationLists people;
  LocationLists samples;
  for (const std::size_t former : result.locations) {
    people.push_back(holdings.people_at[former]);
    samples.push_back(holdings.samples_at[former]);
  }
  OrderedLists of_samples = ordered_lists(samples, holdings.samples);
  result.holdings = {holdings.people, holdings.samples, ordered_lists(people, holdings.people).at,
                     std::move(of_samples.at)};
  result.samples = std::move(of_samples.former);
  return result;
}

Allocation OrderedHoldings::restored(const Allocation& allocation) const {
  Allocation result(allocation.size());
  for (std::size_t c = 0; c < allocation.size(); ++c) {
    for (const Id id : allocation[c]) result[locations[c]].push_back(samples[id]);
    std::sort(result[locations[c]].begin(), result[locations[c]].end());
  }
  return result;
}

}  // namespace pratique::trails
