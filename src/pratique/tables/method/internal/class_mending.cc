#include "pratique/tables/method/internal/class_mending.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "pratique/core/parallel.h"
#include "pratique/tables/method/internal/cluster_pool.h"
#include "pratique/tables/method/internal/mondrian_partition.h"
#include "pratique/tables/method/internal/unsatisfied.h"

namespace pratique::tables {
namespace {

bool asked(const Models& models, bool (Model::*what)() const) {
  return std::any_of(models.begin(), models.end(),
                     [&](const auto& model) { return (*model.*what)(); });
}

class ClassMender {
 public:
  ClassMender(const ProtectionInput& input, const Models& models, const LossSpace& space,
              CellStyle style)
      : input_(input), models_(models), space_(space), style_(style) {
    if (asked(models, &Model::needs_population)) people_.emplace(input, style);
  }

  std::vector<Items> mended(std::vector<Items> classes, Progress& progress) {
    while (true) {
      classes = distinct_classes(input_, std::move(classes), style_);
      const std::size_t before = classes.size();
      ClusterPool pool(space_);
      bool all_hold = true;
      for (Cluster& cluster : clusters_of(classes)) {
        all_hold = all_hold && cluster.holds;
        pool.add(std::move(cluster));
      }
      if (all_hold) return classes;
      mend(pool, progress);
      classes = pool.take();
      if (before == 1 && !maker().make(classes.front()).holds) {
        internal::throw_unsatisfied(input_, models_);
      }
    }
  }

  // Each class keeps of its people only those that it needs.
  void shrink(std::vector<Items>& classes, Progress& progress) const {
    progress.begin("counting the population", classes.size());
    parallel_blocks(classes.size(), 16, [&](std::size_t begin, std::size_t end) {
      ClusterMaker maker = this->maker();
      ModelCheck check(input_, models_);
      for (std::size_t c = begin; c < end; ++c) {
        progress.check();
        Items records;
        std::vector<std::uint32_t> own;
        for (const Item& item : classes[c]) {
          if (item.count > 0) records.push_back(item);
          own.push_back(item.group);
        }
        Cluster cluster = maker.make(std::move(records));
        auto wide = widened(cluster, own, maker, check);
        if (wide) classes[c] = std::move(wide->items);
      }
      progress.advance(end - begin);
    });
  }

 private:
  [[nodiscard]] ClusterMaker maker() const {
    return {input_, models_, space_, people_ ? &*people_ : nullptr};
  }

  std::vector<Cluster> clusters_of(const std::vector<Items>& classes) const {
    std::vector<Cluster> clusters(classes.size());
    parallel_blocks(classes.size(), 64, [&](std::size_t begin, std::size_t end) {
      ClusterMaker maker = this->maker();
      for (std::size_t c = begin; c < end; ++c) clusters[c] = maker.make(merged(classes[c]));
    });
    return clusters;
  }

  // Each group once.
  static Items merged(Items items) {
    std::sort(items.begin(), items.end(),
              [](const Item& a, const Item& b) { return a.group < b.group; });
    Items once;
    for (const Item& item : items) {
      if (!once.empty() && once.back().group == item.group) {
        once.back().count += item.count;
      } else {
        once.push_back(item);
      }
    }
    return once;
  }

  void mend(ClusterPool& pool, Progress& progress) {
    std::vector<std::optional<Cluster>> wider(pool.size());
    if (people_) widen(pool, wider, progress);
    ClusterMaker maker = this->maker();
    for (std::size_t c = 0; c < pool.size(); ++c) {
      progress.check();
      while (!pool.empty(c) && !pool[c].holds) {
        const double widening = wider[c] ? wider[c]->loss() - pool[c].loss() : kNever;
        const auto near = pool.nearest(pool[c], c, widening);
        if (near.cluster != ClusterPool::kNone) {
          Cluster both = united(pool[c], pool[near.cluster], maker);
          if (both.holds || !wider[c]) {
            pool.set(c, std::move(both));
            pool.clear(near.cluster);
            continue;
          }
        }
        if (!wider[c]) break;
        pool.set(c, std::move(*wider[c]));
      }
    }
  }

  void widen(const ClusterPool& pool, std::vector<std::optional<Cluster>>& wider,
             Progress& progress) const {
    progress.begin("counting the population", pool.size());
    parallel_blocks(pool.size(), 16, [&](std::size_t begin, std::size_t end) {
      ClusterMaker maker = this->maker();
      ModelCheck check(input_, models_);
      for (std::size_t c = begin; c < end; ++c) {
        progress.check();
        if (!pool[c].holds) wider[c] = widened(pool[c], people_->people(), maker, check);
      }
      progress.advance(end - begin);
    });
  }

  // By the nearest of `people`. None where the models break for another reason than too few of
  // them.
  std::optional<Cluster> widened(const Cluster& cluster, const std::vector<std::uint32_t>& people,
                                 ClusterMaker& maker, ModelCheck& check) const {
    if (!check.holds(cluster.items, people_->total())) return std::nullopt;
    // A few are added before the order is made anew for the wider cells.
    constexpr std::size_t kNearest = 32;
    Cluster wide = cluster;
    std::vector<std::pair<double, std::uint32_t>> near;
    while (!wide.holds) {
      const auto cells = people_->over(groups_in(wide.items));
      near.clear();
      for (const auto person : people) {
        if (people_->contain(cells, person)) continue;
        near.emplace_back(space_.united_cost(wide.box.data(), space_.point(person)), person);
      }
      if (near.empty()) return std::nullopt;
      const auto few = near.begin() + static_cast<std::ptrdiff_t>(std::min(kNearest, near.size()));
      std::partial_sort(near.begin(), few, near.end());
      for (auto person = near.begin(); person != few && !wide.holds; ++person) {
        wide.items.push_back({person->second, 0});
        wide = maker.make(std::move(wide.items));
      }
    }
    return wide;
  }

  static Cluster united(const Cluster& a, const Cluster& b, ClusterMaker& maker) {
    Items items = a.items;
    items.insert(items.end(), b.items.begin(), b.items.end());
    return maker.make(merged(std::move(items)));
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const ProtectionInput& input_;
  const Models& models_;
  const LossSpace& space_;
  CellStyle style_;
  std::optional<CellPopulation> people_;  // where a model counts them
};

// Cuts of items between all children of the lowest node over them, in one attribute.
class ApartByLabels {
 public:
  ApartByLabels(const ProtectionInput& input, const Models& models, const LossSpace& space)
      : input_(input),
        space_(space),
        maker_(input, models, space),
        must_cover_(asked(models, &Model::needs_everybody)) {}

  std::vector<Items> cut(Items items, Progress& progress) {
    std::vector<Items> classes;
    std::vector<Items> pending{std::move(items)};
    while (!pending.empty()) {
      progress.check();
      const Items whole = std::move(pending.back());
      pending.pop_back();
      std::vector<Items> best;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t word = 0; word < space_.size(); ++word) {
        auto parts = parts_of(whole, word);
        const double loss = parts.size() < 2 && parts_seen_ < 2 ? least : loss_of(parts);
        if (loss >= least) continue;
        least = loss;
        best = std::move(parts);
      }
      if (best.empty()) {
        classes.push_back(whole);
        continue;
      }
      for (auto part = best.rbegin(); part != best.rend(); ++part) {
        pending.push_back(std::move(*part));
      }
    }
    return classes;
  }

 private:
  // Where nobody need be covered, children without records are left out.
  std::vector<Items> parts_of(const Items& items, std::size_t word) {
    const Attribute& attribute = input_.attributes[space_.attribute_of(word)];
    const Hierarchy& hierarchy = *attribute.hierarchy;
    const auto leaf = [&](const Item& item) {
      return attribute.leaf[attribute.column->codes[item.group]];
    };
    LossSpace::Word top = leaf(items.front());
    for (const Item& item : items) top = space_.united(word, top, leaf(item));
    parts_seen_ = 1;
    if (hierarchy.is_leaf(static_cast<Hierarchy::Node>(top))) return {};
    const int level = hierarchy.level(static_cast<Hierarchy::Node>(top)) - 1;
    std::map<Hierarchy::Node, Items> by_child;
    for (const Item& item : items) by_child[hierarchy.ancestor(leaf(item), level)].push_back(item);
    parts_seen_ = by_child.size();
    std::vector<Items> parts;
    for (auto& [child, part] : by_child) {
      if (must_cover_ || records_in(part) > 0) parts.push_back(std::move(part));
    }
    return parts;
  }

  // Infinite where one of them breaks a model.
  double loss_of(const std::vector<Items>& parts) {
    double loss = 0;
    for (const Items& part : parts) {
      const Cluster cluster = maker_.make(part);
      if (!cluster.holds) return std::numeric_limits<double>::infinity();
      loss += cluster.loss();
    }
    return loss;
  }

  const ProtectionInput& input_;
  const LossSpace& space_;
  ClusterMaker maker_;
  bool must_cover_;
  std::size_t parts_seen_ = 0;
};

}  // namespace

std::vector<Items> classes_by(const ClassSearch& search, const ProtectionInput& input,
                              const Models& models, const LossSpace& space, CellStyle style,
                              Progress& progress) {
  Items records = all_items(input);
  if (!asked(models, &Model::needs_population)) {
    require_feasible(input, models, records);
    auto classes = search(input, std::move(records));
    if (all_monotone(models)) return classes;
    return ClassMender(input, models, space, style).mended(std::move(classes), progress);
  }
  if (records.empty()) return {};
  require_feasible(input, models, everybody(input));
  ClassMender population(input, models, space, style);
  if (!asked(models, &Model::needs_apart)) {
    ProtectionInput alone = input;
    alone.population = nullptr;
    return population.mended(search(alone, std::move(records)), progress);
  }
  progress.begin("cutting", input.groups());
  std::vector<Items> classes;
  if (style == CellStyle::labels) {
    classes = ApartByLabels(input, models, space).cut(everybody(input), progress);
  } else {
    classes = partition(input, models, space, {}, everybody(input), 0, progress);
  }
  if (!asked(models, &Model::needs_everybody)) {
    std::erase_if(classes, [](const Items& items) { return records_in(items) == 0; });
    population.shrink(classes, progress);
  }
  return classes;
}

}  // namespace pratique::tables
