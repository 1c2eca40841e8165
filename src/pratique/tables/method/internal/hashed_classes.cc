#include "pratique/tables/method/internal/hashed_classes.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "pratique/crypto/random.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::tables::internal {
namespace {

class HashedClasses final : public NodeClasses {
 public:
  HashedClasses(const ProtectionInput& input, const std::vector<LevelCodes>& codes,
                const Models& models)
      : input_(input), codes_(codes), models_(models), order_(codes.size()), lowest_(codes.size()) {
    looks_at_values_ = std::any_of(models.begin(), models.end(),
                                   [](const auto& model) { return model->needs_sensitive(); });
    std::iota(order_.begin(), order_.end(), 0);
    SeededRandom random(1);
    for (const LevelCodes& attribute : codes) {
      auto& levels = names_.emplace_back();
      for (int level = 0; level < attribute.height(); ++level) {
        std::vector<std::uint64_t> drawn(attribute.distinct(level));
        for (auto& name : drawn) name = random.next();
        auto& names = levels.emplace_back();
        for (const Code code : attribute.raise(0, level)) names.push_back(drawn[code]);
      }
    }
    // Groups that differ in sensitive values alone are one row, unless a model looks at these.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> alike;
    for (std::uint32_t group = 0; group < input.groups(); ++group) {
      const std::uint64_t records = (*input.counts)[group];
      if (records == 0) continue;
      std::uint64_t key = 0;
      for (std::size_t a = 0; a < codes.size(); ++a)
        key += names_[a][0][lowest_code(input, a, group)];
      auto& rows = alike[key];
      const auto first = looks_at_values_ ? rows.end() : rows.begin();
      const auto same = std::find_if(first, rows.end(), [&](std::uint32_t row) {
        for (std::size_t a = 0; a < codes.size(); ++a) {
          if (lowest_[a][row] != lowest_code(input, a, group)) return false;
        }
        return true;
      });
      if (same != rows.end()) {
        records_[*same] += records;
        continue;
      }
      rows.push_back(static_cast<std::uint32_t>(records_.size()));
      records_.push_back(records);
      group_of_.push_back(group);
      for (std::size_t a = 0; a < codes.size(); ++a)
        lowest_[a].push_back(lowest_code(input, a, group));
    }
    while (slots_ < 2 * records_.size()) slots_ *= 2;
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const override { return order_; }

  NodeOutcome count(const Levels& levels, const GiveUp& give_up) override {
    std::unique_ptr<Worker> worker = borrow();
    auto& [keys, slot_of, slots, used, by_slot, counter] = *worker;
    keys.assign(records_.size(), 0);
    slot_of.resize(records_.size());
    slots.resize(slots_);
    for (std::size_t a = 0; a < levels.size(); ++a) {
      const auto& names = names_[a][static_cast<std::size_t>(levels[a])];
      const auto& lowest = lowest_[a];
      for (std::size_t row = 0; row < keys.size(); ++row) keys[row] += names[lowest[row]];
    }
    for (std::size_t row = 0; row < keys.size(); ++row) {
      std::size_t at = keys[row] & (slots_ - 1);
      while (slots[at].records != 0 && slots[at].key != keys[row]) at = (at + 1) & (slots_ - 1);
      if (slots[at].records == 0) {
        slots[at].key = keys[row];
        used.push_back(static_cast<std::uint32_t>(at));
      }
      slots[at].records += records_[row];
      slot_of[row] = static_cast<std::uint32_t>(at);
    }
    NodeOutcome outcome;
    const auto look_at = [&](Slot& slot, const ClassView& view) {
      slot.stays = all_hold(models_, view);
      if (slot.stays) {
        ++outcome.classes;
        outcome.squares += slot.records * slot.records;
      } else {
        outcome.suppressed += slot.records;
        outcome.surely_suppressed += slot.records - most_kept(view);
      }
    };
    if (looks_at_values_) {
      gather(*worker);
      std::size_t row = 0;
      for (const auto at : used) {
        counter->clear();
        for (; row < slots[at].end; ++row)
          counter->add(group_of_[by_slot[row]], records_[by_slot[row]]);
        look_at(slots[at], counter->view());
      }
    } else {
      for (const auto at : used)
        look_at(slots[at], {.records = slots[at].records, .population = 0, .sensitive = {}});
    }
    if (give_up(outcome.suppressed)) {
      outcome.complete = false;
    } else {
      count_suppressed(levels, *worker, outcome);
    }
    for (const auto at : used) slots[at] = {};
    used.clear();
    give_back(std::move(worker));
    return outcome;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t records = 0;
    std::uint32_t end = 0;  // of its rows in Worker::by_slot
    bool stays = false;
  };
  struct Worker {
    std::vector<std::uint64_t> keys;     // by row
    std::vector<std::uint32_t> slot_of;  // by row
    std::vector<Slot> slots;
    std::vector<std::uint32_t> used;
    std::vector<std::uint32_t> by_slot;  // rows, those of one slot together, in the order of `used`
    std::optional<ClassCounter> counter;
  };

  // The least that a model lets parts of it keep.
  [[nodiscard]] std::uint64_t most_kept(const ClassView& view) const {
    std::uint64_t kept = view.records;
    for (const auto& model : models_) {
      if (!model->holds(view)) kept = std::min(kept, model->most_kept(view));
    }
    return kept;
  }

  void gather(Worker& worker) const {
    for (const auto at : worker.used) worker.slots[at].end = 0;
    for (const auto at : worker.slot_of) ++worker.slots[at].end;
    std::uint32_t begin = 0;
    for (const auto at : worker.used) {
      const std::uint32_t rows = worker.slots[at].end;
      worker.slots[at].end = begin;
      begin += rows;
    }
    worker.by_slot.resize(worker.slot_of.size());
    for (std::uint32_t row = 0; row < worker.slot_of.size(); ++row)
      worker.by_slot[worker.slots[worker.slot_of[row]].end++] = row;
    if (!worker.counter) worker.counter.emplace(input_);
  }

  [[nodiscard]] Code lowest_code(const ProtectionInput& input, std::size_t a,
                                 std::uint32_t group) const {
    return codes_[a].lowest()[input.attributes[a].column->codes[group]];
  }

  void count_suppressed(const Levels& levels, const Worker& worker, NodeOutcome& outcome) const {
    for (std::size_t a = 0; a < levels.size(); ++a)
      outcome.suppressed_by_code.emplace_back(codes_[a].distinct(levels[a]), 0);
    if (outcome.suppressed == 0) return;
    for (std::size_t row = 0; row < records_.size(); ++row) {
      if (worker.slots[worker.slot_of[row]].stays) continue;
      for (std::size_t a = 0; a < levels.size(); ++a) {
        const Code code = codes_[a].raise(0, levels[a])[lowest_[a][row]];
        outcome.suppressed_by_code[a][code] += records_[row];
      }
    }
  }

  std::unique_ptr<Worker> borrow() {
    const std::lock_guard lock(mutex_);
    if (workers_.empty()) return std::make_unique<Worker>();
    auto worker = std::move(workers_.back());
    workers_.pop_back();
    return worker;
  }
  void give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex_);
    workers_.push_back(std::move(worker));
  }

  const ProtectionInput& input_;
  const std::vector<LevelCodes>& codes_;
  const Models& models_;
  bool looks_at_values_ = false;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::vector<std::uint64_t>>> names_;  // by attribute, level, lowest code
  std::vector<std::vector<Code>> lowest_;                       // by attribute, row
  std::vector<std::uint64_t> records_;                          // by row
  std::vector<std::uint32_t> group_of_;                         // by row: one of its groups
  std::size_t slots_ = 1;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

bool can_be_hashed(const Models& models) { return !need_population(models); }

std::unique_ptr<NodeClasses> hashed_classes(const ProtectionInput& input,
                                            const std::vector<LevelCodes>& codes,
                                            const Models& models) {
  return std::make_unique<HashedClasses>(input, codes, models);
}

}  // namespace pratique::tables::internal
