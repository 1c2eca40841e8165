#include "pratique/tables/attack/internal/possible_worlds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace pratique::tables::internal {
namespace {

using Counts = std::vector<std::uint64_t>;

constexpr std::uint64_t kMostPeople = 4096;  // so that the largest binomial is a long double

class WorldCounter {
 public:
  WorldCounter(const Deal& deal, const WorldsKnown& known, std::uint64_t& steps)
      : deal_(deal), known_(known), steps_(steps), order_(deal.parts.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    // The last part takes what is left, whatever that is: the largest.
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return deal_.parts[a] < deal_.parts[b]; });
  }

  std::optional<Worlds> run() {
    if (!number_states() || !list_hands() || !go_forward()) return std::nullopt;
    return go_back();
  }

 private:
  // What a part may be dealt.
  struct Hand {
    Counts counts;
    std::uint64_t number = 0;  // as a state
    bool breaks = false;
    long double weight = 1;
  };
  struct Reached {
    Counts left;
    long double open = 0;   // what is to come decides
    long double met = 0;    // the condition is met, whatever is to come
    long double later = 0;  // of what is to come: the chance that the condition is met
  };
  using States = std::unordered_map<std::uint64_t, Reached>;

  [[nodiscard]] bool some() const { return known_.condition == WorldsKnown::Condition::some; }
  [[nodiscard]] std::size_t last() const { return order_.size() - 1; }

  bool number_states() {
    std::uint64_t people = 0;
    std::uint64_t states = 1;
    for (const auto count : deal_.values) {
      people += count;
      strides_.push_back(states);
      if (states > std::numeric_limits<std::uint64_t>::max() / (count + 1)) return false;
      states *= count + 1;
    }
    if (people > kMostPeople) return false;
    left_.push_back(people);
    for (const auto part : order_) left_.push_back(left_.back() - deal_.parts[part]);
    factorial_.push_back(0);
    for (std::uint64_t n = 1; n <= people; ++n)
      factorial_.push_back(factorial_.back() + std::log(static_cast<long double>(n)));
    return true;
  }

  [[nodiscard]] std::uint64_t number_of(const Counts& counts) const {
    std::uint64_t number = 0;
    for (std::size_t v = 0; v < counts.size(); ++v) number += counts[v] * strides_[v];
    return number;
  }

  [[nodiscard]] long double log_ways(std::uint64_t all, std::uint64_t chosen) const {
    return factorial_[all] - factorial_[chosen] - factorial_[all - chosen];
  }

  [[nodiscard]] long double weight_of(std::size_t part, const Counts& counts) const {
    long double weight = 1;
    if (known_.weights.empty()) return weight;
    for (std::size_t v = 0; v < counts.size(); ++v) {
      for (std::uint64_t n = 0; n < counts[v]; ++n) weight *= known_.weights[part][v];
    }
    return weight;
  }

  // Of all parts but the last; those that no world of the condition has are left out.
  bool list_hands() {
    hands_.resize(order_.size());
    for (std::size_t p = 0; p < last(); ++p) {
      Counts dealt(deal_.values.size(), 0);
      if (!list_hands_of(p, 0, deal_.parts[order_[p]], left_.front(), dealt)) return false;
    }
    return true;
  }

  bool list_hands_of(std::size_t p, std::size_t value, std::uint64_t open, std::uint64_t room,
                     Counts& dealt) {
    if (steps_ == 0) return false;
    --steps_;
    if (value == dealt.size()) {
      Hand hand{dealt, number_of(dealt), known_.breaks(order_[p], dealt),
                weight_of(order_[p], dealt)};
      if ((some() || hand.breaks) && hand.weight > 0) hands_[p].push_back(std::move(hand));
      return true;
    }
    const std::uint64_t beyond = room - deal_.values[value];  // what the values after it offer
    const std::uint64_t least = open > beyond ? open - beyond : 0;
    for (std::uint64_t n = least; n <= std::min(open, deal_.values[value]); ++n) {
      dealt[value] = n;
      if (!list_hands_of(p, value + 1, open - n, beyond, dealt)) return false;
    }
    dealt[value] = 0;
    return true;
  }

  // In how many ways the hand comes from what is left, as a share of all hands of its size; 0 where
  // it cannot.
  long double chance_of(const Hand& hand, const Reached& state, std::size_t p) {
    long double ways = -log_ways(left_[p], deal_.parts[order_[p]]);
    for (std::size_t v = 0; v < hand.counts.size(); ++v) {
      if (hand.counts[v] > state.left[v]) return 0;
      if (hand.counts[v] > 0) ways += log_ways(state.left[v], hand.counts[v]);
    }
    return std::exp(ways) * hand.weight;
  }

  bool go_forward() {
    states_.resize(order_.size());
    states_.front()[number_of(deal_.values)] = {.left = deal_.values, .open = 1};
    for (std::size_t p = 0; p < last(); ++p) {
      for (const auto& [number, state] : states_[p]) {
        const std::uint64_t tried = hands_[p].size() * 2;  // there and back
        if (steps_ < tried) return false;
        steps_ -= tried;
        for (const Hand& hand : hands_[p]) {
          const long double chance = chance_of(hand, state, p);
          if (chance == 0) continue;
          auto [place, fresh] = states_[p + 1].try_emplace(number - hand.number);
          Reached& next = place->second;
          if (fresh) {
            next.left = state.left;
            for (std::size_t v = 0; v < next.left.size(); ++v) next.left[v] -= hand.counts[v];
          }
          const bool meets = some() && hand.breaks;
          (meets ? next.met : next.open) += chance * state.open;
          next.met += chance * state.met;
        }
      }
    }
    return true;
  }

  Worlds go_back() {
    Worlds worlds;
    worlds.having.assign(order_.size(), std::vector<long double>(deal_.values.size(), 0));
    const auto deals = [&](std::size_t part, const Counts& hand, long double chance) {
      for (std::size_t v = 0; v < hand.size(); ++v) {
        worlds.having[part][v] += chance * static_cast<long double>(hand[v]) /
                                  static_cast<long double>(deal_.parts[part]);
      }
    };
    const std::size_t largest = order_.back();
    for (auto& [number, state] : states_.back()) {
      const long double weight = weight_of(largest, state.left);
      state.later = known_.breaks(largest, state.left) ? weight : 0;
      const long double chance = state.open * state.later + state.met;
      worlds.chance += chance;
      deals(largest, state.left, chance);
    }
    for (std::size_t p = last(); p-- > 0;) {
      for (auto& [number, state] : states_[p]) {
        for (const Hand& hand : hands_[p]) {
          const long double chance = chance_of(hand, state, p);
          if (chance == 0) continue;
          const Reached& next = states_[p + 1].at(number - hand.number);
          const long double later = some() && hand.breaks ? 1 : next.later;
          state.later += chance * later;
          deals(order_[p], hand.counts, chance * (state.open * later + state.met));
        }
      }
    }
    return worlds;
  }

  const Deal& deal_;
  const WorldsKnown& known_;
  std::uint64_t& steps_;
  std::vector<std::size_t> order_;        // of the parts
  std::vector<std::uint64_t> strides_;    // by value
  std::vector<std::uint64_t> left_;       // people, before each part in the order
  std::vector<long double> factorial_;    // logarithms
  std::vector<std::vector<Hand>> hands_;  // by part in the order
  std::vector<States> states_;            // before each part in the order
};

}  // namespace

std::optional<Worlds> count_worlds(const Deal& deal, const WorldsKnown& known,
                                   std::uint64_t& steps) {
  return WorldCounter(deal, known, steps).run();
}

}  // namespace pratique::tables::internal
