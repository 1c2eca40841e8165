#include "pratique/tables/method/internal/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pratique/tables/method/internal/search_time.h"

namespace pratique::tables {
namespace {

using Word = LossSpace::Word;

MondrianOptions cutting(CellStyle style) {
  MondrianOptions options;
  options.style = style;
  options.relaxed = true;
  return options;
}

}  // namespace

Clusterer::Clusterer(const ProtectionInput& input, const Models& models, const LossSpace& space,
                     CellStyle style, const internal::SearchTime* time)
    : space_(space),
      time_(time),
      options_(cutting(style)),
      splitter_(input, models, space, options_),
      maker_(input, models, space) {}

bool Clusterer::is_over() const { return time_ != nullptr && time_->is_over(); }

std::vector<Items> Clusterer::agglomerate(const Items& items) {
  ClusterPool pool(space_);
  for (const Item& item : items) pool.add(maker_.make({item}));
  bool again = true;
  while (again) {
    again = false;
    for (std::size_t c = 0; c < pool.size(); ++c) {
      if (is_over()) return {items};
      if (pool.empty(c) || pool[c].holds) continue;
      const std::size_t partner = pool.best_partner(c, maker_.smallest());
      if (partner == ClusterPool::kNone) break;
      // The union stands where the later one stood, so that a round goes on with others.
      pool.set(std::max(c, partner), maker_.united(pool[c], pool[partner]));
      pool.clear(std::min(c, partner));
      again = true;
    }
    pool.drop_empty();
  }
  cut_apart(pool);
  return pool.take();
}

bool Clusterer::cut(const Items& items, Items& first, Items& second) {
  std::optional<Splitter::Cut> best;
  for (const std::size_t word : splitter_.words_by_width(items)) {
    auto candidate = splitter_.best_cut(items, word);
    if (Splitter::better(candidate, best)) best = std::move(candidate);
  }
  if (!best) return false;
  Splitter::apply(*best, items, first, second);
  return true;
}

void Clusterer::cut_apart(ClusterPool& pool) {
  Items first;
  Items second;
  for (std::size_t c = 0; c < pool.size(); ++c) {
    while (!is_over() && pool[c].records >= 2 * maker_.smallest() && pool[c].cost > 0 &&
           cut(pool[c].items, first, second)) {
      pool.set(c, maker_.make(first));
      pool.add(maker_.make(second));
    }
  }
}

// The far pair is found as usual: from anywhere to the farthest, and again.
bool Clusterer::halve(const Items& items, Items& first, Items& second) {
  const auto point = [&](std::size_t i) { return space_.point(items[i].group); };
  const auto farthest = [&](std::size_t from) {
    std::size_t best = from;
    double most = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const double cost = space_.united_cost(point(from), point(i));
      if (cost > most) {
        most = cost;
        best = i;
      }
    }
    return best;
  };
  std::size_t left_seed = 0;
  std::size_t right_seed = farthest(left_seed);
  for (int turn = 0; turn < 3 && right_seed != left_seed; ++turn) {
    left_seed = right_seed;
    right_seed = farthest(left_seed);
  }
  if (left_seed == right_seed) return false;

  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    order.emplace_back(-std::abs(space_.united_cost(point(left_seed), point(i)) -
                                 space_.united_cost(point(right_seed), point(i))),
                       i);
  }
  std::sort(order.begin(), order.end());
  struct Side {
    std::vector<Word> box;
    double cost = 0;
    double records = 0;
    Items& items;
  };
  first.clear();
  second.clear();
  Side left{{point(left_seed), point(left_seed) + space_.size()}, 0, 0, first};
  Side right{{point(right_seed), point(right_seed) + space_.size()}, 0, 0, second};
  for (const auto& entry : order) {
    const Item& item = items[entry.second];
    const auto records = static_cast<double>(item.count);
    const auto added = [&](const Side& side) {
      return space_.united_cost(side.box.data(), space_.point(item.group)) *
                 (side.records + records) -
             side.cost * side.records;
    };
    const double to_left = added(left);
    const double to_right = added(right);
    const bool goes_left =
        to_left < to_right || (to_left == to_right && left.records < right.records);
    Side& side = goes_left ? left : right;
    space_.unite(side.box.data(), space_.point(item.group));
    side.cost = space_.cost(side.box.data());
    side.records += records;
    side.items.push_back(item);
  }
  return !first.empty() && !second.empty();
}

bool Clusterer::repair(Items& small, Items& large) {
  Cluster growing = maker_.make(small);
  while (!growing.holds) {
    if (large.empty()) return false;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < large.size(); ++i) {
      const double cost =
          space_.united_cost(growing.box.data(), space_.point(large[i].group), least);
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    Item taken = large[best];
    if (growing.records < maker_.smallest()) {
      taken.count = std::min(taken.count, maker_.smallest() - growing.records);
    }
    growing = maker_.united(growing, maker_.make({taken}));
    large[best].count -= taken.count;
    if (large[best].count == 0) large.erase(large.begin() + static_cast<std::ptrdiff_t>(best));
  }
  small = std::move(growing.items);
  return !large.empty() && maker_.make(large).holds;
}

std::vector<Items> Clusterer::bisect(Items items) {
  std::vector<Items> done;
  std::vector<Items> pending;
  pending.push_back(std::move(items));
  Items first;
  Items second;
  while (!pending.empty()) {
    const Cluster whole = maker_.make(std::move(pending.back()));
    pending.pop_back();
    bool cuts =
        !is_over() && whole.records >= 2 * maker_.smallest() && halve(whole.items, first, second);
    if (cuts) {
      const bool first_holds = maker_.make(first).holds;
      const bool second_holds = maker_.make(second).holds;
      cuts = first_holds || second_holds;
      if (cuts && !first_holds) cuts = repair(first, second);
      if (cuts && !second_holds) cuts = repair(second, first);
    }
    if (cuts && maker_.make(first).loss() + maker_.make(second).loss() < whole.loss() - kNoGain) {
      pending.push_back(second);
      pending.push_back(first);
    } else {
      done.push_back(whole.items);
    }
  }
  return done;
}

}  // namespace pratique::tables
