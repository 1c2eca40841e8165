#include "pratique/trails/method/copies.h"

#include <algorithm>
#include <span>

#include "pratique/trails/method/best_allocation.h"

namespace pratique::trails {
namespace {

// Which further locations each sample could be disclosed at.
class CopyPlan {
 public:
  CopyPlan(const Holdings& holdings, std::size_t k, const Allocation& allocation)
      : holdings_(holdings),
        k_(k),
        homes_(allocation, holdings.samples),
        candidate_for_(holdings.people),
        disclosing_(holdings.locations()),
        extra(holdings.samples) {
    std::size_t disclosed = 0;
    for (std::size_t c = 0; c < allocation.size(); ++c) {
      disclosing_[c] = !allocation[c].empty();
      disclosed += allocation[c].size();
      auto& marks = seen_.emplace_back(holdings.people);
      for (const Id person : holdings.people_at[c]) {
        marks[person] = true;
        candidate_for_[person] += allocation[c].size();
      }
    }
    null_trails_ = holdings.people - std::min(holdings.people, disclosed);
  }

  void add(Id sample, std::vector<Id> options) {
    if (homes_[sample].empty()) return;
    const Id home = homes_[sample].front();
    std::stable_sort(options.begin(), options.end(), [&](Id a, Id b) {
      if (disclosing_[a] != disclosing_[b]) return bool(disclosing_[b]);
      return holdings_.people_at[a].size() > holdings_.people_at[b].size();
    });
    std::vector<Id> candidates = holdings_.people_at[home];
    for (const Id c : options) {
      if (c == home) continue;
      const auto fits = [&](Id person) { return bool(seen_[c][person]); };
      const auto rest = std::stable_partition(candidates.begin(), candidates.end(), fits);
      const bool enough = static_cast<std::size_t>(rest - candidates.begin()) >= k_ &&
                          std::all_of(rest, candidates.end(), [&](Id person) {
                            const std::size_t left = candidate_for_[person] - 1;
                            return left == 0 || left + null_trails_ >= k_;
                          });
      if (!enough) continue;
      std::for_each(rest, candidates.end(), [&](Id person) { --candidate_for_[person]; });
      candidates.erase(rest, candidates.end());
      disclosing_[c] = true;
      extra[sample].push_back(c);
    }
  }

 private:
  const Holdings& holdings_;
  const std::size_t k_;
  ElementLocations homes_;
  std::vector<std::vector<bool>> seen_;  // by location: people
  std::vector<std::size_t> candidate_for_;
  std::vector<bool> disclosing_;
  std::size_t null_trails_ = 0;

 public:
  LocationLists extra;  // by sample
};

// Applies what keeps the promise: all, or halves of it.
class CopyTrial {
 public:
  CopyTrial(const Holdings& holdings, std::size_t k, const LocationLists& extra, Progress& progress)
      : holdings_(holdings), rules_{.k = k}, extra_(extra), progress_(progress) {}

  void keep(Allocation& allocation, std::span<const Id> samples) {
    if (samples.empty() || tries_ == 0) return;
    progress_.check();
    --tries_;
    Allocation tried = allocation;
    for (const Id sample : samples) {
      for (const Id c : extra_[sample]) tried[c].push_back(sample);
    }
    for (auto& held : tried) std::sort(held.begin(), held.end());
    if (protects(holdings_, rules_, tried)) {
      allocation = std::move(tried);
      return;
    }
    if (samples.size() == 1) return;
    keep(allocation, samples.first(samples.size() / 2));
    keep(allocation, samples.subspan(samples.size() / 2));
  }

 private:
  const Holdings& holdings_;
  const DedupRules rules_;
  const LocationLists& extra_;
  Progress& progress_;
  int tries_ = 64;
};

}  // namespace

Allocation add_copies(const Holdings& holdings, std::size_t k, const Allocation& allocation,
                      SeededRandom& random, Progress& progress) {
  CopyPlan plan(holdings, k, allocation);
  const ElementLocations options(holdings.samples_at, holdings.samples);
  std::vector<Id> samples;
  for (const auto& held : allocation) samples.insert(samples.end(), held.begin(), held.end());
  random.shuffle(samples);
  for (const Id sample : samples) {
    progress.check();
    plan.add(sample, {options[sample].begin(), options[sample].end()});
  }
  std::erase_if(samples, [&](Id sample) { return plan.extra[sample].empty(); });
  Allocation result = allocation;
  CopyTrial(holdings, k, plan.extra, progress).keep(result, samples);
  return result;
}

}  // namespace pratique::trails
