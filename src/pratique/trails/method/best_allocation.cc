#include "pratique/trails/method/best_allocation.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "pratique/trails/method/internal/placement.h"

namespace pratique::trails {
namespace {

// The samples that may leave where there are k people; nothing elsewhere.
LocationLists protectable(const Holdings& holdings, const DedupRules& rules) {
  LocationLists permitted = rules.permitted != nullptr ? *rules.permitted : holdings.samples_at;
  for (std::size_t c = 0; c < permitted.size(); ++c) {
    if (holdings.people_at[c].size() < rules.k) permitted[c].clear();
  }
  return permitted;
}

class Opening {
 public:
  Opening(const LocationLists& permitted, const DedupRules& rules, Placement& placement,
          SeededRandom& random)
      : permitted_(permitted), rules_(rules), placement_(placement), tried_(permitted.size()) {
    order_.resize(permitted.size());
    std::iota(order_.begin(), order_.end(), Id{0});
    random.shuffle(order_);
  }

  // The smallest first: what is left for the others is the most.
  void most_locations() {
    std::stable_sort(order_.begin(), order_.end(),
                     [&](Id a, Id b) { return permitted_[a].size() < permitted_[b].size(); });
    for (const Id c : order_) {
      if (!tried_[c] && permitted_[c].size() >= rules_.least) {
        (void)placement_.open(c, rules_.least);
      }
    }
  }

  // Whichever location adds most samples that have none yet.
  void most_samples(std::size_t samples) {
    std::vector<bool> covered(samples);
    while (true) {
      std::optional<Id> best;
      std::size_t most = 0;
      for (const Id c : order_) {
        if (tried_[c] || permitted_[c].size() < rules_.least) continue;
        const auto adds =
            static_cast<std::size_t>(std::count_if(permitted_[c].begin(), permitted_[c].end(),
                                                   [&](Id sample) { return !covered[sample]; }));
        if (adds <= most) continue;
        most = adds;
        best = c;
      }
      if (!best) return;
      tried_[*best] = true;
      if (!placement_.open(*best, rules_.least)) continue;
      for (const Id sample : permitted_[*best]) covered[sample] = true;
    }
  }

 private:
  const LocationLists& permitted_;
  const DedupRules& rules_;
  Placement& placement_;
  std::vector<Id> order_;
  std::vector<bool> tried_;
};

// Every sample left goes to an open location; those with the least choice first.
void fill(const Holdings& holdings, const DedupRules& rules, Placement& placement,
          SeededRandom& random) {
  std::vector<Id> waiting;
  for (Id sample = 0; sample < holdings.samples; ++sample) {
    if (placement.home(sample) == Placement::kNowhere) waiting.push_back(sample);
  }
  random.shuffle(waiting);
  std::stable_sort(waiting.begin(), waiting.end(),
                   [&](Id a, Id b) { return placement.options(a) < placement.options(b); });
  for (const Id sample : waiting) (void)placement.place_lightly(sample, rules.k);
}

// Step 4: adds what still keeps the promise.
class Growth {
 public:
  Growth(const Holdings& holdings, const DedupRules& rules, Placement& placement,
         Progress& progress)
      : holdings_(holdings), rules_(rules), placement_(placement), progress_(progress) {}

  void grow() {
    std::vector<Id> closed;
    for (Id c = 0; c < holdings_.locations(); ++c) {
      if (placement_.size(c) == 0 && placement_.permitted(c).size() >= rules_.least) {
        closed.push_back(c);
      }
    }
    keep(closed, [&](Id c) { return placement_.open(c, rules_.least); });
    std::vector<Id> withheld;
    for (Id sample = 0; sample < holdings_.samples; ++sample) {
      if (placement_.home(sample) == Placement::kNowhere && placement_.options(sample) > 0) {
        withheld.push_back(sample);
      }
    }
    keep(withheld, [&](Id sample) { return placement_.place_lightly(sample, rules_.k); });
  }

 private:
  template <class Add>
  void keep(std::span<const Id> items, const Add& add) {
    if (items.empty() || tries_ == 0) return;
    progress_.check();
    const Allocation before = placement_.allocation();
    bool added = false;
    for (const Id item : items) added = add(item) || added;
    if (!added) return;
    --tries_;
    if (protects(holdings_, rules_, placement_.allocation())) return;
    placement_.take(before);
    if (items.size() == 1) return;
    keep(items.first(items.size() / 2), add);
    keep(items.subspan(items.size() / 2), add);
  }

  const Holdings& holdings_;
  const DedupRules& rules_;
  Placement& placement_;
  Progress& progress_;
  int tries_ = rules_.least > 1 ? 16 : 64;  // a try looks at every view
};

bool better(const Allocation& a, const Allocation& b, Objective objective) {
  const std::pair left{disclosed_samples(a), disclosing_locations(a)};
  const std::pair right{disclosed_samples(b), disclosing_locations(b)};
  if (objective == Objective::samples) return left > right;
  return std::pair(left.second, left.first) > std::pair(right.second, right.first);
}

}  // namespace

Allocation best_allocation(const Holdings& holdings, const DedupRules& rules, Objective objective,
                           SeededRandom& random, Progress& progress) {
  const LocationLists permitted = protectable(holdings, rules);
  DedupRules within = rules;
  within.permitted = &permitted;
  Placement placement(holdings, permitted);
  Opening opening(permitted, within, placement, random);
  if (objective == Objective::samples) opening.most_samples(holdings.samples);
  opening.most_locations();
  fill(holdings, within, placement, random);

  Allocation best(holdings.locations());
  for (Allocation start : {placement.allocation(), force_dedup(holdings, within, random),
                           greedy_dedup(holdings, within, random)}) {
    mend(holdings, within, start, progress);
    placement.take(start);
    Growth(holdings, within, placement, progress).grow();
    const Allocation grown = placement.allocation();
    if (better(grown, best, objective)) best = grown;
  }
  return best;
}

DisclosureBound disclosure_bound(const Holdings& holdings, const DedupRules& rules) {
  LocationLists permitted = protectable(holdings, rules);
  for (auto& samples : permitted) {
    if (samples.size() < rules.least) samples.clear();
  }
  DisclosureBound bound;
  bound.samples = disclosed_samples(permitted);
  Placement placement(holdings, permitted);
  for (std::size_t c = 0; c < permitted.size(); ++c) {
    if (!permitted[c].empty() && placement.open(c, 1)) ++bound.locations;
  }
  bound.locations = std::min(bound.locations, bound.samples / rules.least);
  return bound;
}

}  // namespace pratique::trails
