#include "pratique/tables/method/internal/node_classes.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "pratique/core/error.h"
#include "pratique/tables/method/internal/roll_up.h"

namespace pratique::tables::internal {
namespace {

constexpr std::size_t kLeastMemory = std::size_t{6} << 20U;

// In the order in which to ask: what is decided by counts alone first, then what prunes.
std::vector<const Model*> in_order(const Models& models) {
  std::vector<const Model*> ordered;
  for (const auto& model : models) ordered.push_back(model.get());
  std::stable_sort(ordered.begin(), ordered.end(), [](const Model* a, const Model* b) {
    const auto place = [](const Model* m) {
      return (m->needs_sensitive() ? 2 : 0) + (m->survives_growth() ? 0 : 1);
    };
    return place(a) < place(b);
  });
  return ordered;
}

const Model* broken_model(const std::vector<const Model*>& models, const ClassView& view) {
  for (const Model* model : models) {
    if (!model->holds(view)) return model;
  }
  return nullptr;
}

template <std::size_t Words>
class PackedNodeClasses final : public NodeClasses {
 public:
  PackedNodeClasses(const ProtectionInput& input, KeyLayout layout, const Models& models,
                    std::size_t memory_bytes)
      : layout_(std::move(layout)), memory_bytes_(memory_bytes) {
    const auto ordered = in_order(models);
    const auto first_sensitive = std::find_if(ordered.begin(), ordered.end(),
                                              [](const Model* m) { return m->needs_sensitive(); });
    on_counts_.assign(ordered.begin(), first_sensitive);
    on_values_.assign(first_sensitive, ordered.end());
    needs_everybody_ = std::any_of(ordered.begin(), ordered.end(),
                                   [](const Model* m) { return m->needs_everybody(); });
    bounds_parts_ = std::any_of(on_values_.begin(), on_values_.end(),
                                [](const Model* m) { return m->bounds_parts(); });
    if (!on_values_.empty()) {
      for (const Column* column : input.sensitive) {
        value_counts_.push_back(column->dictionary.size());
      }
    }
    base_ = count_groups(input);
    if (memory_bytes_ == 0) memory_bytes_ = 4 * base_->bytes() + kLeastMemory;
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const override { return layout_.order; }

  NodeOutcome count(const Levels& levels, const GiveUp& give_up) override {
    std::unique_ptr<Worker> worker = borrow();
    Levels prefix = levels;
    for (std::size_t d = layout_.tail; d < layout_.order.size(); ++d) prefix[layout_.order[d]] = 0;
    const auto source = pivot(prefix, layout_.tail, worker->rolled);
    worker->rolled.roll_up_tail(*source, levels);
    NodeOutcome outcome = judge(levels, give_up, *worker);
    give_back(std::move(worker));
    return outcome;
  }

 private:
  using Classes = ClassTable<Words>;

  struct Worker {
    RollUp<Words> rolled;
    std::vector<char> stays;  // by target
  };

  struct Pivot {
    std::mutex making;
    std::shared_ptr<const Classes> table;  // guarded by the cache's mutex
    std::uint64_t last_used = 0;
  };

  std::unique_ptr<Worker> borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!workers_.empty()) {
        auto worker = std::move(workers_.back());
        workers_.pop_back();
        return worker;
      }
    }
    return std::make_unique<Worker>(Worker{RollUp<Words>(layout_, value_counts_), {}});
  }
  void give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    workers_.push_back(std::move(worker));
  }

  // The classes at level 0 of all attributes.
  std::shared_ptr<const Classes> count_groups(const ProtectionInput& input) {
    Classes groups;
    groups.levels.assign(layout_.codes.size(), 0);
    groups.sensitive.resize(value_counts_.size());
    for (std::uint32_t group = 0; group < input.groups(); ++group) {
      const std::uint64_t records = (*input.counts)[group];
      const std::uint64_t people = input.population != nullptr ? (*input.population)[group] : 0;
      if (records == 0 && people == 0) continue;
      auto& key = groups.keys.emplace_back();
      for (std::size_t a = 0; a < layout_.codes.size(); ++a) {
        const Code code = layout_.codes[a].lowest()[input.attributes[a].column->codes[group]];
        key[layout_.fields[a].word] |= std::uint64_t{code} << layout_.fields[a].shift;
      }
      groups.records.push_back(records);
      if (input.population != nullptr) groups.population.push_back(people);
      for (std::size_t s = 0; s < groups.sensitive.size(); ++s) {
        groups.sensitive[s].add_class();
        if (records > 0) groups.sensitive[s].add(input.sensitive[s]->codes[group], records);
      }
    }
    const auto worker = borrow();
    worker->rolled.roll_up(groups, groups.levels);
    return std::make_shared<const Classes>(worker->rolled.table());
  }

  NodeOutcome judge(const Levels& levels, const GiveUp& give_up, Worker& worker) const {
    NodeOutcome outcome;
    RollUp<Words>& rolled = worker.rolled;
    const std::size_t targets = rolled.targets();
    worker.stays.assign(targets, 0);
    const auto suppress = [&](std::size_t t, const Model& broken, const ClassView& view) {
      worker.stays[t] = 0;
      outcome.suppressed += view.records;
      outcome.surely_suppressed += view.records - broken.most_kept(view);
    };
    for (std::size_t t = 0; t < targets; ++t) {
      if (rolled.records(t) == 0) continue;
      worker.stays[t] = 1;
      const ClassView view{rolled.records(t), rolled.population(t), {}};
      if (const Model* broken = broken_model(on_counts_, view)) suppress(t, *broken, view);
    }
    const auto given_up = [&] {
      outcome.absent = needs_everybody_ && leaves_people_out(worker);
      outcome.complete = !outcome.absent && !give_up(outcome.suppressed);
      return !outcome.complete;
    };
    if (given_up()) return outcome;
    if (!on_values_.empty()) {
      std::uint64_t ask_at = 2 * outcome.suppressed + 1;
      rolled.find_members(worker.stays);
      for (std::size_t t = 0; t < targets; ++t) {
        if (worker.stays[t] == 0) continue;
        const ClassView view{rolled.records(t), rolled.population(t), rolled.sensitive(t)};
        const Model* broken = broken_model(on_values_, view);
        if (broken == nullptr) continue;
        suppress(t, *broken, view);
        if (bounds_parts_ || outcome.suppressed < ask_at) continue;
        if (given_up()) return outcome;
        ask_at = outcome.suppressed + outcome.suppressed / 8;
      }
      if (given_up()) return outcome;
    }
    for (std::size_t a = 0; a < layout_.codes.size(); ++a) {
      outcome.suppressed_by_code.emplace_back(layout_.codes[a].distinct(levels[a]), 0);
    }
    for (std::size_t t = 0; t < targets; ++t) {
      const std::uint64_t records = rolled.records(t);
      if (worker.stays[t] != 0) {
        ++outcome.classes;
        outcome.squares += records * records;
        continue;
      }
      const auto key = rolled.key(t);
      for (std::size_t a = 0; a < layout_.codes.size(); ++a) {
        outcome.suppressed_by_code[a][rolled.code(key, a)] += records;
      }
    }
    return outcome;
  }

  static bool leaves_people_out(const Worker& worker) {
    for (std::size_t t = 0; t < worker.rolled.targets(); ++t) {
      if (worker.stays[t] == 0 && worker.rolled.population(t) > 0) return true;
    }
    return false;
  }

  // The classes at `prefix`, whose levels are 0 from `depth` on in the order of attributes.
  std::shared_ptr<const Classes> pivot(const Levels& prefix, std::size_t depth,
                                       RollUp<Words>& rolled) {
    while (depth > 0 && prefix[layout_.order[depth - 1]] == 0) --depth;
    if (depth == 0) return base_;
    std::shared_ptr<Pivot> entry;
    {
      const std::lock_guard lock(mutex_);
      auto& place = pivots_[prefix];
      if (!place) place = std::make_shared<Pivot>();
      entry = place;
      entry->last_used = ++clock_;
      if (entry->table) return entry->table;
    }
    const std::lock_guard making(entry->making);
    std::shared_ptr<const Classes> source;
    {
      const std::lock_guard lock(mutex_);
      if (entry->table) return entry->table;
      source = lower_sibling(prefix, layout_.order[depth - 1]);
    }
    if (!source) {
      Levels shorter = prefix;
      shorter[layout_.order[depth - 1]] = 0;
      source = pivot(shorter, depth - 1, rolled);
    }
    rolled.roll_up(*source, prefix);
    auto table = std::make_shared<const Classes>(rolled.table());
    const std::lock_guard lock(mutex_);
    entry->table = table;
    kept_bytes_ += table->bytes();
    let_go(entry.get());
    return table;
  }

  std::shared_ptr<const Classes> lower_sibling(Levels prefix, std::size_t attribute) const {
    while (--prefix[attribute] > 0) {
      const auto pivot = pivots_.find(prefix);
      if (pivot != pivots_.end() && pivot->second->table) return pivot->second->table;
    }
    return nullptr;
  }

  void let_go(const Pivot* except) {
    while (kept_bytes_ > memory_bytes_) {
      auto oldest = pivots_.end();
      for (auto place = pivots_.begin(); place != pivots_.end(); ++place) {
        if (!place->second->table || place->second.get() == except) continue;
        if (oldest == pivots_.end() || place->second->last_used < oldest->second->last_used) {
          oldest = place;
        }
      }
      if (oldest == pivots_.end()) return;
      kept_bytes_ -= oldest->second->table->bytes();
      pivots_.erase(oldest);
    }
  }

  KeyLayout layout_;
  std::vector<const Model*> on_counts_;
  std::vector<const Model*> on_values_;
  // Whether these tell what lower nodes suppress: then a lost node is worth counting to its end.
  bool bounds_parts_ = false;
  bool needs_everybody_ = false;
  std::vector<std::size_t> value_counts_;  // of the sensitive attributes, where models look
  std::shared_ptr<const Classes> base_;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<Levels, std::shared_ptr<Pivot>> pivots_;
  std::size_t memory_bytes_;
  std::size_t kept_bytes_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace

std::unique_ptr<NodeClasses> NodeClasses::make(const ProtectionInput& input,
                                               const std::vector<LevelCodes>& codes,
                                               const Models& models, std::size_t memory_bytes) {
  KeyLayout layout(codes);
  const auto packed = [&]<std::size_t Words>() -> std::unique_ptr<NodeClasses> {
    return std::make_unique<PackedNodeClasses<Words>>(input, std::move(layout), models,
                                                      memory_bytes);
  };
  if (layout.words <= 1) return packed.template operator()<1>();
  if (layout.words <= 2) return packed.template operator()<2>();
  if (layout.words <= 4) return packed.template operator()<4>();
  if (layout.words <= 16) return packed.template operator()<16>();
  throw Error::input("the quasi-identifiers have too many distinct values together")
      .hint("Search full-domain levels over fewer of them, or use mondrian.");
}

}  // namespace pratique::tables::internal
