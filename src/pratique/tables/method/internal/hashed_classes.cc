#include "pratique/tables/method/internal/hashed_classes.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "pratique/crypto/random.h"

namespace pratique::tables::internal {
namespace {

class HashedClasses final : public NodeClasses {
 public:
  HashedClasses(const ProtectionInput& input, const std::vector<LevelCodes>& codes,
                const Models& models)
      : codes_(codes), models_(models), order_(codes.size()), lowest_(codes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    survive_growth_ = std::all_of(models.begin(), models.end(),
                                  [](const auto& model) { return model->survives_growth(); });
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
    // Groups that differ in sensitive values alone are one row.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> alike;
    for (std::uint32_t group = 0; group < input.groups(); ++group) {
      const std::uint64_t records = (*input.counts)[group];
      if (records == 0) continue;
      std::uint64_t key = 0;
      for (std::size_t a = 0; a < codes.size(); ++a)
        key += names_[a][0][lowest_code(input, a, group)];
      auto& rows = alike[key];
      const auto same = std::find_if(rows.begin(), rows.end(), [&](std::uint32_t row) {
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
      for (std::size_t a = 0; a < codes.size(); ++a)
        lowest_[a].push_back(lowest_code(input, a, group));
    }
    while (slots_ < 2 * records_.size()) slots_ *= 2;
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const override { return order_; }

  NodeOutcome count(const Levels& levels, const GiveUp& give_up) override {
    std::unique_ptr<Worker> worker = borrow();
    auto& [keys, slot_of, slots, used] = *worker;
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
    for (const auto at : used) {
      Slot& slot = slots[at];
      slot.stays = all_hold(models_, {.records = slot.records, .population = 0, .sensitive = {}});
      if (slot.stays) {
        ++outcome.classes;
        outcome.squares += slot.records * slot.records;
      } else {
        outcome.suppressed += slot.records;
      }
    }
    if (survive_growth_) outcome.surely_suppressed = outcome.suppressed;
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
    bool stays = false;
  };
  struct Worker {
    std::vector<std::uint64_t> keys;     // by row
    std::vector<std::uint32_t> slot_of;  // by row
    std::vector<Slot> slots;
    std::vector<std::uint32_t> used;
  };

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

  const std::vector<LevelCodes>& codes_;
  const Models& models_;
  bool survive_growth_ = false;
  std::vector<std::size_t> order_;
  std::vector<std::vector<std::vector<std::uint64_t>>> names_;  // by attribute, level, lowest code
  std::vector<std::vector<Code>> lowest_;                       // by attribute, row
  std::vector<std::uint64_t> records_;                          // by row
  std::size_t slots_ = 1;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

bool only_count_records(const Models& models) {
  return std::all_of(models.begin(), models.end(), [](const auto& model) {
    return !model->needs_sensitive() && !model->needs_population();
  });
}

std::unique_ptr<NodeClasses> hashed_classes(const ProtectionInput& input,
                                            const std::vector<LevelCodes>& codes,
                                            const Models& models) {
  return std::make_unique<HashedClasses>(input, codes, models);
}

}  // namespace pratique::tables::internal
