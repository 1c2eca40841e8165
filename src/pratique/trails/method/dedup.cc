#include "pratique/trails/method/dedup.h"

#include <algorithm>
#include <optional>

#include "pratique/trails/method/internal/insiders.h"

namespace pratique::trails {
namespace {

// What is not yet given away, by location.
class Pool {
 public:
  Pool(const LocationLists& at, std::size_t elements)
      : at_(at), of_(at, elements), databases_(elements), gone_(elements), closed_(at.size()) {
    for (const auto& held : at) sizes_.push_back(held.size());
    for (std::size_t element = 0; element < elements; ++element)
      databases_[element] = static_cast<std::uint32_t>(of_[element].size());
  }

  [[nodiscard]] std::size_t size(std::size_t location) const { return sizes_[location]; }

  void close(std::size_t location) {
    if (closed_[location]) return;
    closed_[location] = true;
    sizes_[location] = 0;
    for (const Id element : at_[location]) --databases_[element];
  }

  // The `count` elements that are in the fewest databases.
  [[nodiscard]] std::vector<Id> rarest(std::size_t location, std::size_t count,
                                       SeededRandom& random) const {
    std::vector<Id> left;
    for (const Id element : at_[location]) {
      if (!gone_[element]) left.push_back(element);
    }
    random.shuffle(left);
    std::stable_sort(left.begin(), left.end(),
                     [&](Id a, Id b) { return databases_[a] < databases_[b]; });
    left.resize(std::min(count, left.size()));
    return left;
  }

  void remove(const std::vector<Id>& elements) {
    for (const Id element : elements) {
      gone_[element] = true;
      for (const Id location : of_[element]) {
        if (!closed_[location]) --sizes_[location];
      }
    }
  }

 private:
  const LocationLists& at_;
  ElementLocations of_;
  std::vector<std::size_t> sizes_;
  std::vector<std::uint32_t> databases_;
  std::vector<bool> gone_;
  std::vector<bool> closed_;
};

class Dedup {
 public:
  Dedup(const Holdings& holdings, const DedupRules& rules, SeededRandom& random)
      : rules_(rules),
        random_(random),
        people_(holdings.people_at, holdings.people),
        samples_(rules.permitted != nullptr ? *rules.permitted : holdings.samples_at,
                 holdings.samples),
        allocation_(holdings.locations()) {
    clean();
  }

  Allocation greedy() {
    const std::vector<bool> all(allocation_.size(), true);
    while (const auto p = smallest(all, rules_.k, rules_.least)) {
      const std::size_t count = std::min(samples_.size(*p), people_.size(*p));
      give(*p, count, std::max(count, rules_.k));
      clean();
    }
    return finish();
  }

  Allocation force() {
    std::vector<bool> waiting(allocation_.size(), true);
    while (const auto p = smallest(waiting, rules_.k, rules_.least)) {
      waiting[*p] = false;
      give(*p, std::min(samples_.size(*p), rules_.k), rules_.k);
    }
    std::vector<bool> opened = waiting;
    opened.flip();
    while (const auto p = smallest(opened, 1, 1)) {
      const std::size_t count = std::min(samples_.size(*p), people_.size(*p));
      give(*p, count, count);
    }
    return finish();
  }

 private:
  // Explicit-Clean: locations that cannot disclose any more count for nothing.
  void clean() {
    for (std::size_t c = 0; c < allocation_.size(); ++c) {
      if (people_.size(c) >= rules_.k && samples_.size(c) > 0) continue;
      people_.close(c);
      samples_.close(c);
    }
  }

  // Of the locations still in play: the one with the fewest people, or, where a least number of
  // samples is asked for, the fewest samples.
  [[nodiscard]] std::optional<std::size_t> smallest(const std::vector<bool>& in_play,
                                                    std::size_t people, std::size_t samples) {
    std::optional<std::size_t> best;
    std::size_t best_size = 0;
    std::size_t ties = 0;
    for (std::size_t c = 0; c < allocation_.size(); ++c) {
      if (!in_play[c] || people_.size(c) < people || samples_.size(c) < samples) continue;
      const std::size_t size = rules_.least > 1 ? samples_.size(c) : people_.size(c);
      if (best && size > best_size) continue;
      ties = best && size == best_size ? ties + 1 : 1;
      if (random_.below(ties) != 0) continue;
      best = c;
      best_size = size;
    }
    return best;
  }

  void give(std::size_t location, std::size_t samples, std::size_t protectors) {
    const auto chosen = samples_.rarest(location, samples, random_);
    allocation_[location].insert(allocation_[location].end(), chosen.begin(), chosen.end());
    samples_.remove(chosen);
    people_.remove(people_.rarest(location, protectors, random_));
  }

  Allocation finish() {
    for (auto& held : allocation_) std::sort(held.begin(), held.end());
    return std::move(allocation_);
  }

  const DedupRules& rules_;
  SeededRandom& random_;
  Pool people_;
  Pool samples_;
  Allocation allocation_;
};

}  // namespace

Allocation greedy_dedup(const Holdings& holdings, const DedupRules& rules, SeededRandom& random) {
  return Dedup(holdings, rules, random).greedy();
}

Allocation force_dedup(const Holdings& holdings, const DedupRules& rules, SeededRandom& random) {
  return Dedup(holdings, rules, random).force();
}

LocationLists contributor_clean(const Holdings& holdings, std::size_t k, std::size_t coalition) {
  LocationLists permitted = holdings.samples_at;
  for (const Insiders& insiders : insiders_of(holdings, {.k = k, .coalition = coalition})) {
    const auto& members = insiders.members();
    if (members.empty()) continue;
    for (Id i = 0; i < holdings.locations(); ++i) {
      if (permitted[i].empty() || std::binary_search(members.begin(), members.end(), i) ||
          insiders.most_partners(i) >= k) {
        continue;
      }
      std::erase_if(permitted[i], [&](Id sample) { return !insiders.submitted(sample); });
    }
  }
  return permitted;
}

}  // namespace pratique::trails
