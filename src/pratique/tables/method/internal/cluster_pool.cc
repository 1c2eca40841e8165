#include "pratique/tables/method/internal/cluster_pool.h"

#include <algorithm>

namespace pratique::tables {
namespace {

constexpr double kSame = 1e-9;

}  // namespace

void ClusterMaker::complete(Cluster& cluster) {
  cluster.cost = space_.cost(cluster.box.data());
  cluster.holds = cluster.records >= smallest_ && check_.holds(cluster.items);
}

Cluster ClusterMaker::make(Items items) {
  Cluster cluster;
  const LossSpace::Word* first = space_.point(items.front().group);
  cluster.box.assign(first, first + space_.size());
  for (const Item& item : items) {
    space_.unite(cluster.box.data(), space_.point(item.group));
    cluster.records += item.count;
  }
  cluster.items = std::move(items);
  complete(cluster);
  return cluster;
}

Cluster ClusterMaker::united(const Cluster& a, const Cluster& b) {
  Cluster cluster = a;
  space_.unite(cluster.box.data(), b.box.data());
  for (const Item& item : b.items) {
    const auto same = std::find_if(cluster.items.begin(), cluster.items.end(),
                                   [&](const Item& mine) { return mine.group == item.group; });
    if (same != cluster.items.end()) {
      same->count += item.count;
    } else {
      cluster.items.push_back(item);
    }
  }
  cluster.records += b.records;
  complete(cluster);
  return cluster;
}

void ClusterPool::add(Cluster cluster) {
  boxes_.insert(boxes_.end(), cluster.box.begin(), cluster.box.end());
  records_.push_back(static_cast<double>(cluster.records));
  loss_.push_back(cluster.loss());
  clusters_.push_back(std::move(cluster));
}

void ClusterPool::set(std::size_t i, Cluster cluster) {
  std::copy(cluster.box.begin(), cluster.box.end(),
            boxes_.begin() + static_cast<std::ptrdiff_t>(i * space_.size()));
  records_[i] = static_cast<double>(cluster.records);
  loss_[i] = cluster.loss();
  clusters_[i] = std::move(cluster);
}

void ClusterPool::drop_empty() {
  std::vector<Cluster> kept;
  for (auto& cluster : clusters_) {
    if (!cluster.items.empty()) kept.push_back(std::move(cluster));
  }
  clusters_.clear();
  boxes_.clear();
  records_.clear();
  loss_.clear();
  for (auto& cluster : kept) add(std::move(cluster));
}

std::vector<Items> ClusterPool::take() {
  std::vector<Items> classes;
  for (auto& cluster : clusters_) {
    if (!cluster.items.empty()) classes.push_back(std::move(cluster.items));
  }
  return classes;
}

ClusterPool::Neighbour ClusterPool::nearest(const Cluster& from, std::size_t except,
                                            double limit) const {
  Neighbour best{limit, kNone};
  const double from_loss = from.loss();
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    if (i == except || records_[i] == 0) continue;
    const double more = added(from, from_loss, i, best.added);
    if (more < best.added) best = {more, i};
  }
  return best;
}

std::size_t ClusterPool::best_partner(std::size_t from, std::uint64_t wanted) const {
  const Cluster& cluster = clusters_[from];
  const double missing =
      cluster.records < wanted ? static_cast<double>(wanted - cluster.records) : 1;
  const double from_loss = cluster.loss();
  std::size_t best = kNone;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    if (i == from || records_[i] == 0) continue;
    const double useful = std::min(records_[i], missing);
    const double rate = added(cluster, from_loss, i, least * useful) / useful;
    if (rate < least - kSame) {
      least = rate;
      best = i;
    }
  }
  return best;
}

std::vector<ClusterPool::Neighbour> ClusterPool::nearest_few(std::size_t from,
                                                             std::size_t few) const {
  std::vector<Neighbour> near;
  const double from_loss = clusters_[from].loss();
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    if (i == from || records_[i] == 0) continue;
    const double limit =
        near.size() < few ? std::numeric_limits<double>::infinity() : near.back().added;
    const double more = added(clusters_[from], from_loss, i, limit);
    if (more >= limit) continue;
    const Neighbour entry{more, i};
    near.insert(std::upper_bound(near.begin(), near.end(), entry), entry);
    if (near.size() > few) near.pop_back();
  }
  return near;
}

}  // namespace pratique::tables
