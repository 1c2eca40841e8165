// For tests: small worlds, and everything that can be said of them by trying all of it.
#pragma once

#include <algorithm>
#include <optional>
#include <set>

#include "pratique/crypto/random.h"
#include "pratique/trails/method/holdings.h"

namespace pratique::trails {

// Person i has sample i when they have any. Everybody is seen somewhere; with `missing`, locations
// lack some samples of the people they name.
inline Holdings random_holdings(std::size_t people, std::size_t locations, double chance,
                                double missing, SeededRandom& random) {
  Holdings holdings;
  holdings.people_at.resize(locations);
  holdings.samples_at.resize(locations);
  for (std::size_t i = 0; i < people; ++i) {
    const std::size_t sure = random.below(locations);
    bool sampled = false;
    for (std::size_t c = 0; c < locations; ++c) {
      if (c != sure && !random.chance(chance)) continue;
      holdings.people_at[c].push_back(static_cast<Id>(i));
      if (random.chance(missing)) continue;
      holdings.samples_at[c].push_back(static_cast<Id>(holdings.samples));
      sampled = true;
    }
    if (sampled) ++holdings.samples;
  }
  holdings.people = people;
  return holdings;
}

// Definition 19 by trying every way to give each sample a person, all others a null trail.
class EveryMatching {
 public:
  EveryMatching(const Holdings& holdings, const Allocation& allocation,
                const std::set<Id>& without_people = {}, const std::set<Id>& without_samples = {})
      : holdings_(holdings), taken_(holdings.people) {
    const ElementLocations homes(allocation, holdings.samples);
    for (std::size_t s = 0; s < homes.size(); ++s) {
      if (!homes[s].empty() && without_samples.count(static_cast<Id>(s)) == 0) {
        samples_.push_back(static_cast<Id>(s));
        places_.emplace_back(homes[s].begin(), homes[s].end());
      }
    }
    for (const Id person : without_people) taken_[person] = true;
    partners_of_sample.resize(holdings.samples);
    partners_of_person.resize(holdings.people);
    can_go_without.resize(holdings.people);
    null_trails = holdings.people - without_people.size() - samples_.size();
    match(0);
  }

  [[nodiscard]] std::size_t k() const {
    std::size_t fewest = holdings_.people + holdings_.samples;
    for (const Id s : samples_) fewest = std::min(fewest, partners_of_sample[s].size());
    for (std::size_t p = 0; p < holdings_.people; ++p) {
      if (!partners_of_person[p].empty()) fewest = std::min(fewest, person_partners(p));
    }
    return fewest;
  }
  [[nodiscard]] std::size_t person_partners(std::size_t person) const {
    return partners_of_person[person].size() + (can_go_without[person] ? null_trails : 0);
  }

  std::vector<std::set<Id>> partners_of_sample;
  std::vector<std::set<Id>> partners_of_person;
  std::vector<bool> can_go_without;
  std::size_t null_trails = 0;
  bool possible = false;

 private:
  void match(std::size_t next) {
    if (next == samples_.size()) {
      possible = true;
      for (std::size_t i = 0; i < samples_.size(); ++i) {
        partners_of_sample[samples_[i]].insert(owner_[i]);
        partners_of_person[owner_[i]].insert(samples_[i]);
      }
      for (std::size_t p = 0; p < taken_.size(); ++p) {
        if (!taken_[p]) can_go_without[p] = true;
      }
      return;
    }
    for (Id person = 0; person < holdings_.people; ++person) {
      const bool fits = std::all_of(places_[next].begin(), places_[next].end(), [&](Id c) {
        const auto& named = holdings_.people_at[c];
        return std::binary_search(named.begin(), named.end(), person);
      });
      if (taken_[person] || !fits) continue;
      taken_[person] = true;
      owner_.push_back(person);
      match(next + 1);
      owner_.pop_back();
      taken_[person] = false;
    }
  }

  const Holdings& holdings_;
  std::vector<Id> samples_;
  LocationLists places_;
  std::vector<Id> owner_;
  std::vector<bool> taken_;
};

}  // namespace pratique::trails
