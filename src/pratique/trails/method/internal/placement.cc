#include "pratique/trails/method/internal/placement.h"

#include <algorithm>

namespace pratique::trails {

Placement::Placement(const Holdings& holdings, const LocationLists& permitted)
    : holdings_(holdings),
      permitted_(permitted),
      options_(permitted, holdings.samples),
      home_(holdings.samples, kNowhere),
      sizes_(permitted.size()) {}

void Placement::place(Id sample, Id location) {
  if (home_[sample] != kNowhere) --sizes_[home_[sample]];
  home_[sample] = location;
  if (location != kNowhere) ++sizes_[location];
}

bool Placement::augment(std::size_t location, std::size_t least) {
  struct Step {
    Id location;
    std::size_t from;  // the step whose location takes `sample` from this one's
    Id sample;
  };
  std::vector<Step> steps = {{static_cast<Id>(location), 0, 0}};
  std::vector<bool> seen(sizes_.size());
  seen[location] = true;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    for (Id sample : permitted_[steps[at].location]) {
      const Id owner = home_[sample];
      if (owner != kNowhere && seen[owner]) continue;
      if (owner == kNowhere || sizes_[owner] > least) {
        for (std::size_t step = at;; step = steps[step].from) {
          place(sample, steps[step].location);
          if (step == 0) return true;
          sample = steps[step].sample;
        }
      }
      seen[owner] = true;
      steps.push_back({owner, at, sample});
    }
  }
  return false;
}

bool Placement::open(std::size_t location, std::size_t least) {
  const auto before = home_;
  const auto sizes = sizes_;
  while (sizes_[location] < least) {
    if (augment(location, least)) continue;
    home_ = before;
    sizes_ = sizes;
    return false;
  }
  return true;
}

std::vector<Id> Placement::close(std::size_t location) {
  std::vector<Id> samples;
  for (const Id sample : permitted_[location]) {
    if (home_[sample] != location) continue;
    place(sample, kNowhere);
    samples.push_back(sample);
  }
  return samples;
}

bool Placement::place_lightly(Id sample, std::size_t k) {
  const auto load = [&](Id c) {
    return std::pair(sizes_[c] >= k, static_cast<double>(sizes_[c]) /
                                         static_cast<double>(holdings_.people_at[c].size()));
  };
  Id best = kNowhere;
  for (const Id c : options_[sample]) {
    if (sizes_[c] > 0 && (best == kNowhere || load(c) < load(best))) best = c;
  }
  if (best != kNowhere) place(sample, best);
  return best != kNowhere;
}

Allocation Placement::allocation() const {
  Allocation placed(sizes_.size());
  for (std::size_t sample = 0; sample < home_.size(); ++sample) {
    if (home_[sample] != kNowhere) placed[home_[sample]].push_back(static_cast<Id>(sample));
  }
  return placed;
}

void Placement::take(const Allocation& allocation) {
  std::fill(home_.begin(), home_.end(), kNowhere);
  std::fill(sizes_.begin(), sizes_.end(), 0);
  for (std::size_t c = 0; c < allocation.size(); ++c) {
    for (const Id sample : allocation[c]) place(sample, static_cast<Id>(c));
  }
}

}  // namespace pratique::trails
