// Clusterer::improve and its steps.
#include <algorithm>

#include "pratique/tables/method/internal/clusters.h"

namespace pratique::tables {
namespace {

constexpr double kWorthAPass = 0.002;  // of the loss
constexpr std::size_t kNeighbours = 6;

}  // namespace

void Clusterer::change(ClusterPool& pool, std::size_t i, Cluster cluster) {
  pool.set(i, std::move(cluster));
  changed_in_[i] = pass_;
}

// An item, or as many of its records as can be spared, goes where it costs less.
double Clusterer::relocate(ClusterPool& pool, std::size_t from) {
  double gained = 0;
  for (std::size_t i = 0; i < pool[from].items.size(); ++i) {
    const Cluster& source = pool[from];
    if (source.items.size() < 2 || source.cost <= 0) break;
    Item moving = source.items[i];
    const std::uint64_t spare =
        source.records > maker_.smallest() ? source.records - maker_.smallest() : 0;
    if (spare == 0 || is_over()) break;
    moving.count = std::min(moving.count, spare);
    const bool wholly = moving.count == source.items[i].count;
    Items rest = source.items;
    if (wholly) {
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      rest[i].count -= moving.count;
    }
    Cluster left = maker_.make(std::move(rest));
    if (!left.holds) continue;
    const double freed = source.loss() - left.loss();
    const Cluster mover = maker_.make({moving});
    const auto best = pool.nearest(mover, from, freed - kNoGain);
    if (best.cluster == ClusterPool::kNone) continue;
    Cluster target = maker_.united(pool[best.cluster], mover);
    if (!target.holds) continue;
    change(pool, best.cluster, std::move(target));
    change(pool, from, std::move(left));
    gained += freed - best.added;
    if (wholly) --i;
  }
  return gained;
}

double Clusterer::cut_pairs_anew(ClusterPool& pool, std::size_t from) {
  double gained = 0;
  Items first;
  Items second;
  for (const auto& near : pool.nearest_few(from, kNeighbours)) {
    const double before = pool[from].loss() + pool[near.cluster].loss();
    if (before <= kNoGain) continue;
    const Cluster both = maker_.united(pool[from], pool[near.cluster]);
    if (!cut(both.items, first, second)) continue;
    Cluster first_cluster = maker_.make(first);
    Cluster second_cluster = maker_.make(second);
    const double gain = before - first_cluster.loss() - second_cluster.loss();
    if (gain <= kNoGain) continue;
    change(pool, from, std::move(first_cluster));
    change(pool, near.cluster, std::move(second_cluster));
    gained += gain;
  }
  return gained;
}

double Clusterer::dissolve(ClusterPool& pool, std::size_t from) {
  double budget = pool[from].loss();
  if (budget <= kNoGain) return 0;
  const Items items = pool[from].items;
  std::vector<std::pair<std::size_t, Cluster>> before;
  for (const Item& item : items) {
    const Cluster mover = maker_.make({item});
    const auto best = pool.nearest(mover, from, budget - kNoGain);
    bool works = best.cluster != ClusterPool::kNone;
    if (works) {
      Cluster target = maker_.united(pool[best.cluster], mover);
      works = target.holds;
      before.emplace_back(best.cluster, pool[best.cluster]);
      pool.set(best.cluster, std::move(target));
      budget -= best.added;
    }
    if (!works) {
      for (std::size_t u = before.size(); u-- > 0;) {
        pool.set(before[u].first, std::move(before[u].second));
      }
      return 0;
    }
  }
  for (const auto& [target, old] : before) changed_in_[target] = pass_;
  pool.clear(from);
  return budget;
}

void Clusterer::improve(std::vector<Items>& classes, int passes) {
  ClusterPool pool(space_);
  double loss = 0;
  for (auto& items : classes) {
    pool.add(maker_.make(std::move(items)));
    loss += pool[pool.size() - 1].loss();
  }
  using Step = double (Clusterer::*)(ClusterPool&, std::size_t);
  changed_in_.assign(pool.size(), 0);
  for (pass_ = 1; pass_ <= passes; ++pass_) {
    double gained = 0;
    for (const Step step :
         {&Clusterer::relocate, &Clusterer::cut_pairs_anew, &Clusterer::dissolve}) {
      for (std::size_t c = 0; c < pool.size(); ++c) {
        // What stayed as it was, beside neighbours that mostly did, is not worth another look.
        if (!pool.empty(c) && changed_in_[c] >= pass_ - 1 && !is_over())
          gained += (this->*step)(pool, c);
      }
    }
    cut_apart(pool);
    changed_in_.resize(pool.size(), pass_);
    loss -= gained;
    if (gained < kWorthAPass * loss || is_over()) break;
  }
  classes = pool.take();
}

}  // namespace pratique::tables
