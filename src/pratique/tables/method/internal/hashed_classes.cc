#include "pratique/tables/method/internal/hashed_classes.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>

#include "pratique/crypto/random.h"
#include "pratique/tables/model/class_counts.h"

namespace pratique::tables::internal {
namespace {

// Rows of a part: so few that its classes are found without leaving the processor's caches.
constexpr std::size_t kRowsOfPart = 4096;
// Classes of fewer records are judged once for all, where only their size matters.
constexpr std::uint64_t kSmallClass = 64;

// A node is told from the one that the same worker counted last by the columns in which they
// differ, mostly one or two. Rows are parted by their keys, so that a class is in one part: what
// the first parts suppress often shows that the node cannot win, and the others are left alone.
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
    parts_ = std::bit_floor(std::max<std::size_t>(1, records_.size() / kRowsOfPart));
    if (!looks_at_values_) {
      for (std::uint64_t records = 0; records < kSmallClass; ++records)
        of_size_.push_back(judged({.records = records, .population = 0, .sensitive = {}}));
    }
    for (std::size_t a = 0; a < codes.size(); ++a) {
      auto& levels = records_of_code_.emplace_back();
      for (int level = 0; level < codes[a].height(); ++level) {
        auto& sums = levels.emplace_back(codes[a].distinct(level), 0);
        const auto& raise = codes[a].raise(0, level);
        for (std::size_t row = 0; row < records_.size(); ++row)
          sums[raise[lowest_[a][row]]] += records_[row];
      }
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const override { return order_; }

  NodeOutcome count(const Levels& levels, const GiveUp& give_up) override {
    std::unique_ptr<Worker> worker = borrow();
    NodeOutcome outcome;
    name(levels, *worker);
    outcome.complete = count_parts(give_up, *worker, outcome);
    if (outcome.complete) count_suppressed(levels, *worker, outcome);
    give_back(std::move(worker));
    return outcome;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint64_t records = 0;
  };
  struct Worker {
    Levels levels;                      // of the keys
    std::vector<std::uint64_t> keys;    // by row
    std::vector<std::uint32_t> rows;    // part by part
    std::vector<char> suppressed;       // by row
    std::vector<std::uint32_t> listed;  // rows
    // Of one part:
    std::vector<Slot> slots;
    std::vector<std::uint32_t> used;     // slots
    std::vector<std::uint32_t> slot_of;  // by row of the part
    std::vector<char> stays;             // by slot
    std::vector<std::uint32_t> end;      // by slot: of its rows in by_slot
    std::vector<std::uint32_t> by_slot;  // rows, those of one slot together, in the order of `used`
    std::optional<ClassCounter> counter;
  };

  struct Judged {
    bool stays = false;
    std::uint64_t most_kept = 0;  // of it, by parts
  };
  [[nodiscard]] Judged judged(const ClassView& view) const {
    return {all_hold(models_, view), most_kept(view)};
  }

  void name(const Levels& levels, Worker& worker) const {
    const bool fresh = worker.levels.empty();
    if (fresh) worker.keys.assign(records_.size(), 0);
    std::vector<std::uint64_t> change;
    for (std::size_t a = 0; a < levels.size(); ++a) {
      if (!fresh && worker.levels[a] == levels[a]) continue;
      change = names_[a][static_cast<std::size_t>(levels[a])];
      if (!fresh) {
        const auto& before = names_[a][static_cast<std::size_t>(worker.levels[a])];
        for (std::size_t code = 0; code < change.size(); ++code) change[code] -= before[code];
      }
      const std::uint64_t* by_code = change.data();
      const Code* lowest = lowest_[a].data();
      std::uint64_t* keys = worker.keys.data();
      for (std::size_t row = 0; row < records_.size(); ++row) keys[row] += by_code[lowest[row]];
    }
    worker.levels = levels;
  }

  [[nodiscard]] std::size_t part_of(std::uint64_t key) const {
    return (key >> 32U) * parts_ >> 32U;
  }

  // Whether it came to the end.
  bool count_parts(const GiveUp& give_up, Worker& worker, NodeOutcome& outcome) const {
    const std::uint64_t* keys = worker.keys.data();
    worker.rows.resize(records_.size() + 1);
    std::uint32_t* rows = worker.rows.data();
    worker.suppressed.assign(records_.size(), 0);
    std::size_t first = 0;
    for (std::uint32_t row = 0; row < records_.size(); ++row) {
      rows[first] = row;
      first += part_of(keys[row]) == 0 ? 1 : 0;
    }
    count_part({rows, first}, worker, outcome);
    if (give_up(outcome.suppressed)) return false;
    // Where each part begins; then, where it ends.
    std::vector<std::size_t> place(parts_ + 1, 0);
    for (std::size_t row = 0; row < records_.size(); ++row) ++place[part_of(keys[row]) + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (std::uint32_t row = 0; row < records_.size(); ++row)
      rows[place[part_of(keys[row])]++] = row;
    for (std::size_t part = 1; part < parts_; ++part) {
      count_part({rows + place[part - 1], rows + place[part]}, worker, outcome);
      if (give_up(outcome.suppressed)) return false;
    }
    return true;
  }

  void count_part(std::span<const std::uint32_t> rows, Worker& worker, NodeOutcome& outcome) const {
    auto& slots = worker.slots;
    const std::size_t mask = std::bit_ceil(2 * rows.size() + 2) - 1;
    if (slots.size() <= mask) slots.resize(mask + 1);
    worker.slot_of.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint64_t key = worker.keys[rows[i]];
      std::size_t at = key & mask;
      while (slots[at].records != 0 && slots[at].key != key) at = (at + 1) & mask;
      if (slots[at].records == 0) {
        slots[at].key = key;
        worker.used.push_back(static_cast<std::uint32_t>(at));
      }
      slots[at].records += records_[rows[i]];
      worker.slot_of[i] = static_cast<std::uint32_t>(at);
    }
    worker.stays.resize(slots.size());
    const std::uint64_t before = outcome.suppressed;
    const auto take = [&](std::uint32_t at, std::uint64_t records, const Judged& judged) {
      worker.stays[at] = judged.stays ? 1 : 0;
      if (judged.stays) {
        ++outcome.classes;
        outcome.squares += records * records;
      } else {
        outcome.suppressed += records;
        outcome.surely_suppressed += records - judged.most_kept;
      }
    };
    if (looks_at_values_) {
      gather(rows, worker);
      std::size_t i = 0;
      for (const auto at : worker.used) {
        worker.counter->clear();
        for (; i < worker.end[at]; ++i)
          worker.counter->add(group_of_[worker.by_slot[i]], records_[worker.by_slot[i]]);
        const ClassView view = worker.counter->view();
        take(at, view.records, judged(view));
      }
    } else {
      for (const auto at : worker.used) {
        const std::uint64_t records = slots[at].records;
        take(at, records,
             records < kSmallClass
                 ? of_size_[records]
                 : judged({.records = records, .population = 0, .sensitive = {}}));
      }
    }
    if (outcome.suppressed > before) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        worker.suppressed[rows[i]] = worker.stays[worker.slot_of[i]] == 0 ? 1 : 0;
    }
    for (const auto at : worker.used) slots[at] = {};
    worker.used.clear();
  }

  // The least that a model lets parts of it keep.
  [[nodiscard]] std::uint64_t most_kept(const ClassView& view) const {
    std::uint64_t kept = view.records;
    for (const auto& model : models_) {
      if (!model->holds(view)) kept = std::min(kept, model->most_kept(view));
    }
    return kept;
  }

  void gather(std::span<const std::uint32_t> rows, Worker& worker) const {
    worker.end.resize(worker.slots.size());
    for (const auto at : worker.used) worker.end[at] = 0;
    for (const auto at : worker.slot_of) ++worker.end[at];
    std::uint32_t begin = 0;
    for (const auto at : worker.used) {
      const std::uint32_t count = worker.end[at];
      worker.end[at] = begin;
      begin += count;
    }
    worker.by_slot.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      worker.by_slot[worker.end[worker.slot_of[i]]++] = rows[i];
    if (!worker.counter) worker.counter.emplace(input_);
  }

  [[nodiscard]] Code lowest_code(const ProtectionInput& input, std::size_t a,
                                 std::uint32_t group) const {
    return codes_[a].lowest()[input.attributes[a].column->codes[group]];
  }

  // By the rows that are suppressed, or by the others where these are fewer.
  void count_suppressed(const Levels& levels, Worker& worker, NodeOutcome& outcome) const {
    const auto out =
        static_cast<std::size_t>(std::count(worker.suppressed.begin(), worker.suppressed.end(), 1));
    const bool by_others = 2 * out > records_.size();
    const char wanted = by_others ? 0 : 1;
    worker.listed.resize(records_.size() + 1);
    std::size_t listed = 0;
    for (std::uint32_t row = 0; row < records_.size(); ++row) {
      worker.listed[listed] = row;
      listed += worker.suppressed[row] == wanted ? 1 : 0;
    }
    for (std::size_t a = 0; a < levels.size(); ++a) {
      const auto& raise = codes_[a].raise(0, levels[a]);
      std::vector<std::uint64_t> sums(codes_[a].distinct(levels[a]), 0);
      for (std::size_t i = 0; i < listed; ++i)
        sums[raise[lowest_[a][worker.listed[i]]]] += records_[worker.listed[i]];
      if (by_others) {
        const auto& all = records_of_code_[a][static_cast<std::size_t>(levels[a])];
        for (std::size_t code = 0; code < sums.size(); ++code) sums[code] = all[code] - sums[code];
      }
      outcome.suppressed_by_code.push_back(std::move(sums));
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
  std::vector<Judged> of_size_;                                 // by records
  // By attribute, level, code: all records.
  std::vector<std::vector<std::vector<std::uint64_t>>> records_of_code_;
  std::size_t parts_ = 1;
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
