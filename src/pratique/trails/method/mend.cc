#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "pratique/trails/method/best_allocation.h"
#include "pratique/trails/method/internal/insiders.h"
#include "pratique/trails/method/internal/link_graph.h"
#include "pratique/trails/method/internal/placement.h"

namespace pratique::trails {
namespace {

constexpr std::uint32_t kNoComponent = static_cast<std::uint32_t>(-1);
// Moves can undo each other; after so many rounds samples are only withheld.
constexpr int kRoundsWithMoves = 16;

// Mends the faults that one view shows, all at once; the next look tells what is left.
class Mending {
 public:
  Mending(const LinkGraph& graph, const DedupRules& rules, Placement& placement, bool may_move)
      : graph_(graph),
        partners_(link_partners(graph)),
        rules_(rules),
        placement_(placement),
        may_move_(may_move) {}

  [[nodiscard]] bool faultless() const { return unlinkability(partners_) >= rules_.k; }

  void mend(std::size_t locations, std::size_t samples) {
    component_of_location_.assign(locations, kNoComponent);
    visible_.assign(samples, false);
    for (std::size_t s = 0; s < graph_.samples.size(); ++s) {
      component_of_location_[graph_.samples[s].locations.front()] =
          partners_.component_of_samples[s];
      for (const Id sample : graph_.samples[s].members) visible_[sample] = true;
    }
    for (std::uint32_t s = 0; s < graph_.samples.size(); ++s) {
      if (partners_.of_samples[s] < rules_.k) mend_location(s);
    }
    for (std::uint32_t p = 0; p < graph_.people.size(); ++p) {
      if (partners_.of_people[p] > 0 && partners_.of_people[p] < rules_.k) mend_people(p);
    }
  }

 private:
  // Too few people for the samples of a location: others keep theirs to themselves.
  void mend_location(std::uint32_t s) {
    std::map<std::uint32_t, std::uint64_t> kept;  // by component: people that would protect
    for (const auto p : graph_.links[s]) {
      if (!partners_.admits(s, p)) {
        kept[partners_.component_of_people[p]] += graph_.people[p].members.size();
      }
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (const auto& [component, people] : kept) order.emplace_back(people, component);
    std::sort(order.rbegin(), order.rend());
    std::uint64_t partners = partners_.of_samples[s];
    const Id location = graph_.samples[s].locations.front();
    for (const auto& [people, component] : order) {
      if (partners >= rules_.k) return;
      if (touched_.insert(component).second && !move_into(location, component) &&
          !withhold_from(component)) {
        close_smallest(component, location);
        return;
      }
      partners += people;
    }
    if (partners >= rules_.k) return;
    for (const Id sample : graph_.samples[s].members) withhold(sample);
  }

  // Too few samples for people. A sample that moves to where they are is one more.
  void mend_people(std::uint32_t p) {
    const auto& places = graph_.people[p].locations;
    std::uint64_t partners = partners_.of_people[p];
    if (may_move_) {
      for (const Id c : places) {
        if (placement_.size(c) == 0) continue;  // a closed location would open below its least
        for (const Id sample : placement_.permitted(c)) {
          if (partners >= rules_.k) return;
          const Id home = placement_.home(sample);
          if (!can_leave(sample) || std::binary_search(places.begin(), places.end(), home)) {
            continue;
          }
          placement_.place(sample, c);
          ++partners;
        }
      }
    }
    if (partners >= rules_.k) return;
    // A withheld sample is a null trail, which counts for all people who can go without a sample.
    if (partners_.people_open[p]) {
      while (partners + withheld_ < rules_.k) {
        if (!withhold_from_largest()) return close_smallest_of(places);
      }
    } else if (touched_.insert(partners_.component_of_people[p]).second &&
               !withhold_from(partners_.component_of_people[p])) {
      close_smallest_of(places);
    }
  }

  [[nodiscard]] bool can_leave(Id sample) const {
    const Id home = placement_.home(sample);
    return home != Placement::kNowhere && visible_[sample] && placement_.size(home) > rules_.least;
  }

  bool move_into(Id location, std::uint32_t component) {
    if (!may_move_) return false;
    for (const Id sample : placement_.permitted(location)) {
      if (!can_leave(sample) || placement_.home(sample) == location ||
          component_of_location_[placement_.home(sample)] != component) {
        continue;
      }
      placement_.place(sample, location);
      return true;
    }
    return false;
  }

  bool withhold_one(std::optional<std::uint32_t> component) {
    std::optional<Id> best;
    for (std::uint32_t s = 0; s < graph_.samples.size(); ++s) {
      if (component && partners_.component_of_samples[s] != *component) continue;
      for (const Id sample : graph_.samples[s].members) {
        if (!can_leave(sample)) continue;
        if (!best ||
            placement_.size(placement_.home(sample)) > placement_.size(placement_.home(*best))) {
          best = sample;
        }
        break;
      }
    }
    if (!best) return false;
    placement_.place(*best, Placement::kNowhere);
    ++withheld_;
    return true;
  }
  bool withhold_from(std::uint32_t component) { return withhold_one(component); }
  bool withhold_from_largest() { return withhold_one({}); }

  void withhold(Id sample) {
    const Id home = placement_.home(sample);
    if (home == Placement::kNowhere) return;
    if (placement_.size(home) <= rules_.least) return close(home);
    placement_.place(sample, Placement::kNowhere);
  }

  // Its samples go where else they may.
  void close(Id location) {
    const auto samples = placement_.close(location);
    if (!may_move_) return;
    for (const Id sample : samples) (void)placement_.place_lightly(sample, rules_.k);
  }

  void close_smallest(std::uint32_t component, Id location) {
    std::vector<Id> choice = {location};
    for (Id c = 0; c < component_of_location_.size(); ++c) {
      if (component_of_location_[c] == component) choice.push_back(c);
    }
    close_smallest_of(choice);
  }

  void close_smallest_of(const std::vector<Id>& choice) {
    std::optional<Id> smallest;
    for (const Id c : choice) {
      if (placement_.size(c) == 0) continue;
      if (!smallest || placement_.size(c) < placement_.size(*smallest)) smallest = c;
    }
    if (smallest) close(*smallest);
  }

  const LinkGraph& graph_;
  const LinkPartners partners_;
  const DedupRules& rules_;
  Placement& placement_;
  const bool may_move_;
  std::uint64_t withheld_ = 0;
  std::set<std::uint32_t> touched_;  // components already given a way out
  std::vector<std::uint32_t> component_of_location_;
  std::vector<bool> visible_;
};

// The view of the third party, which sees where every sample was: it cannot tell samples apart that
// are disclosed at one location, and needs no more (definition 24).
bool is_too_small(std::size_t size, const DedupRules& rules) {
  return size > 0 && size < rules.least;
}

// The public's view always has to be looked at: with copies, trails are not locations.
bool can_skip(const Insiders& view, const DedupRules& rules, const Allocation& allocation) {
  return !view.members().empty() && view.surely_faultless(rules, allocation);
}

}  // namespace

bool protects(const Holdings& holdings, const DedupRules& rules, const Allocation& allocation) {
  for (const auto& samples : allocation) {
    if (is_too_small(samples.size(), rules)) return false;
  }
  const auto views = insiders_of(holdings, rules);
  return std::all_of(views.begin(), views.end(), [&](const Insiders& view) {
    if (view.hidden() > 0) return view.faultless(rules, allocation);
    if (can_skip(view, rules, allocation)) return true;
    return unlinkability(link_partners(link_graph(holdings, allocation, view.members()))) >=
           rules.k;
  });
}

void mend(const Holdings& holdings, const DedupRules& rules, Allocation& allocation,
          Progress& progress) {
  const LocationLists permitted =
      rules.permitted != nullptr ? *rules.permitted : holdings.samples_at;
  Placement placement(holdings, permitted);
  placement.take(allocation);
  for (Id c = 0; c < holdings.locations(); ++c) {
    if (is_too_small(placement.size(c), rules)) (void)placement.close(c);
  }
  allocation = placement.allocation();
  const auto views = insiders_of(holdings, rules);
  std::size_t faultless = 0;  // views in a row
  for (std::size_t look = 0; faultless < views.size(); ++look) {
    progress.check();
    const Insiders& view = views[look % views.size()];
    const bool may_move = look < views.size() * std::size_t{kRoundsWithMoves};
    bool fault = false;
    if (view.hidden() > 0) {
      fault = !view.faultless(rules, allocation);
      if (fault) view.mend(rules, allocation, placement, may_move);
    } else if (!can_skip(view, rules, allocation)) {
      const LinkGraph graph = link_graph(holdings, allocation, view.members());
      Mending mending(graph, rules, placement, may_move);
      fault = !mending.faultless();
      if (fault) mending.mend(holdings.locations(), holdings.samples);
    }
    faultless = fault ? 0 : faultless + 1;
    if (fault) allocation = placement.allocation();
  }
}

}  // namespace pratique::trails
