#include "pratique/tables/internal/node_classes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/tables/internal/sensitive_tally.h"

namespace pratique::tables::internal {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
// How many nodes are rolled up from one pivot, about. More: fewer pivots, but larger ones.
constexpr std::size_t kNodesPerPivot = 24;
constexpr std::size_t kMostTailCells = 4096;
constexpr std::size_t kLeastMemory = std::size_t{6} << 20U;

struct Field {
  std::size_t word = 0;
  unsigned shift = 0;
  std::uint64_t mask = 0;
};

// One field per attribute, none across two words.
std::vector<Field> lay_out(const std::vector<LevelCodes>& codes, std::size_t& words) {
  std::vector<Field> fields;
  std::size_t word = 0;
  unsigned used = 0;
  for (const auto& attribute : codes) {
    const std::size_t distinct = attribute.distinct(0);
    const auto bits = static_cast<unsigned>(distinct < 2 ? 0 : std::bit_width(distinct - 1));
    if (used + bits > 63) {
      ++word;
      used = 0;
    }
    fields.push_back({word, used, (std::uint64_t{1} << bits) - 1});
    used += bits;
  }
  words = word + 1;
  return fields;
}

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

template <std::size_t Words>
class PackedNodeClasses final : public NodeClasses {
 public:
  PackedNodeClasses(const ProtectionInput& input, const std::vector<LevelCodes>& codes,
                    const Models& models, std::vector<Field> fields, std::size_t memory_bytes)
      : input_(input), codes_(codes), fields_(std::move(fields)), memory_bytes_(memory_bytes) {
    const auto ordered = in_order(models);
    const auto first_sensitive = std::find_if(ordered.begin(), ordered.end(),
                                              [](const Model* m) { return m->needs_sensitive(); });
    on_counts_.assign(ordered.begin(), first_sensitive);
    on_values_.assign(first_sensitive, ordered.end());
    sensitive_ = on_values_.empty() ? 0 : input.sensitive.size();
    has_population_ = input.population != nullptr;

    order_.resize(codes.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return codes[a].distinct(0) > codes[b].distinct(0);
    });
    pivot_depth_ = order_.size();
    std::size_t nodes = 1;
    while (pivot_depth_ > 0) {
      nodes *= static_cast<std::size_t>(codes[order_[pivot_depth_ - 1]].height());
      if (nodes > kNodesPerPivot) break;
      --pivot_depth_;
    }
    for (std::size_t d = pivot_depth_; d < order_.size(); ++d) {
      tail_cells_ *= std::max<std::size_t>(1, codes[order_[d]].distinct(0));
      if (tail_cells_ > kMostTailCells) tail_cells_ = kMostTailCells + 1;
    }
    base_ = count_groups();
    if (memory_bytes_ == 0) memory_bytes_ = 4 * base_->bytes() + kLeastMemory;
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const override { return order_; }

  NodeOutcome count(const Levels& levels, const GiveUp& give_up) override {
    std::unique_ptr<Scratch> scratch = borrow();
    Levels prefix = levels;
    for (std::size_t d = pivot_depth_; d < order_.size(); ++d) prefix[order_[d]] = 0;
    const auto source = pivot(prefix, pivot_depth_, *scratch);
    roll_up_pivot(*source, levels, *scratch);
    NodeOutcome outcome = judge(*source, levels, give_up, *scratch);
    give_back(std::move(scratch));
    return outcome;
  }

 private:
  using Key = std::array<std::uint64_t, Words>;

  struct ClassTable {
    Levels levels;
    std::vector<Key> keys;
    std::vector<std::uint64_t> records;
    std::vector<std::uint64_t> population;  // empty without one
    std::vector<ValueCounts> sensitive;     // beside the sensitive attributes, where models look
    // All nodes above a pivot agree with it in the head of the order of attributes, and it is at
    // level 0 in the tail: a class's place in a node is its head and what becomes of its tail.
    std::vector<std::uint32_t> head;  // which combination of cells, numbered from 0
    std::vector<std::uint32_t> tail;  // which of the tail_cells_
    std::size_t heads = 0;

    [[nodiscard]] std::size_t size() const { return keys.size(); }
    [[nodiscard]] std::size_t bytes() const {
      std::size_t sum = keys.size() * (sizeof(Key) + 16) + population.size() * 8;
      for (const auto& values : sensitive) sum += values.bytes();
      return sum;
    }
  };

  struct Scratch {
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> target;  // by class of the source
    std::vector<std::uint32_t> first;   // by target, as are the rest: a class of the source
    std::vector<Key> keys;
    std::vector<std::uint64_t> records;
    std::vector<std::uint64_t> population;
    std::vector<char> stays;
    std::vector<std::uint32_t> begin;  // members of each target
    std::vector<std::uint32_t> members;
    std::vector<std::vector<std::uint32_t>> offsets;  // by attribute, code of the source
    std::vector<std::uint32_t> cell_of_tail;
    std::vector<SensitiveTally> tallies;
    std::vector<SensitiveCounts> views;
  };

  struct Pivot {
    std::mutex making;
    std::shared_ptr<const ClassTable> table;  // guarded by the cache's mutex
    std::uint64_t last_used = 0;
  };

  std::unique_ptr<Scratch> borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!scratches_.empty()) {
        auto scratch = std::move(scratches_.back());
        scratches_.pop_back();
        return scratch;
      }
    }
    auto scratch = std::make_unique<Scratch>();
    scratch->offsets.resize(codes_.size());
    for (std::size_t s = 0; s < sensitive_; ++s) {
      scratch->tallies.emplace_back(input_.sensitive[s]->dictionary.size());
    }
    scratch->views.resize(sensitive_);
    return scratch;
  }
  void give_back(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    scratches_.push_back(std::move(scratch));
  }

  static std::uint64_t get(const Key& key, const Field& field) {
    return key[field.word] >> field.shift & field.mask;
  }
  static bool equal(const Key& a, const Key& b) {
    std::uint64_t differences = 0;
    for (std::size_t w = 0; w < Words; ++w) differences |= a[w] ^ b[w];
    return differences == 0;
  }
  static std::uint64_t hash(const Key& key) {
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : key) {
      mixed = (mixed ^ word) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 29U;
    }
    return mixed * 0xbf58476d1ce4e5b9U;
  }

  // The classes at level 0 of all attributes.
  std::shared_ptr<const ClassTable> count_groups() {
    ClassTable groups;
    groups.levels.assign(codes_.size(), 0);
    for (std::size_t s = 0; s < sensitive_; ++s) groups.sensitive.emplace_back();
    for (std::uint32_t group = 0; group < input_.groups(); ++group) {
      const std::uint64_t records = (*input_.counts)[group];
      const std::uint64_t people = has_population_ ? (*input_.population)[group] : 0;
      if (records == 0 && people == 0) continue;
      Key key{};
      for (std::size_t a = 0; a < codes_.size(); ++a) {
        const Code code = codes_[a].lowest()[input_.attributes[a].column->codes[group]];
        key[fields_[a].word] |= std::uint64_t{code} << fields_[a].shift;
      }
      groups.keys.push_back(key);
      groups.records.push_back(records);
      if (has_population_) groups.population.push_back(people);
      for (std::size_t s = 0; s < sensitive_; ++s) {
        groups.sensitive[s].add_class();
        if (records > 0) groups.sensitive[s].add(input_.sensitive[s]->codes[group], records);
      }
    }
    const auto scratch = borrow();
    roll_up(groups, groups.levels, *scratch);
    return std::make_shared<const ClassTable>(table_of(groups, groups.levels, *scratch));
  }

  // Numbers heads and tails.
  void split_keys(ClassTable& table) const {
    if (tail_cells_ > kMostTailCells) return;
    Key head_mask{};
    for (std::size_t d = 0; d < pivot_depth_; ++d) {
      const Field& field = fields_[order_[d]];
      head_mask[field.word] |= field.mask << field.shift;
    }
    const std::size_t capacity = std::bit_ceil(2 * table.size() + 2);
    const auto shift = static_cast<unsigned>(64 - std::countr_zero(capacity));
    std::vector<std::uint32_t> slots(capacity, kNone);
    std::vector<Key> heads;
    table.head.reserve(table.size());
    table.tail.reserve(table.size());
    for (const Key& key : table.keys) {
      Key head{};
      for (std::size_t w = 0; w < Words; ++w) head[w] = key[w] & head_mask[w];
      std::size_t place = hash(head) >> shift;
      while (slots[place] != kNone && !equal(heads[slots[place]], head)) {
        place = (place + 1) & (capacity - 1);
      }
      if (slots[place] == kNone) {
        slots[place] = static_cast<std::uint32_t>(heads.size());
        heads.push_back(head);
      }
      table.head.push_back(slots[place]);
      std::uint64_t tail = 0;
      for (std::size_t d = pivot_depth_; d < order_.size(); ++d) {
        const std::size_t a = order_[d];
        tail = tail * codes_[a].distinct(0) + get(key, fields_[a]);
      }
      table.tail.push_back(static_cast<std::uint32_t>(tail));
    }
    table.heads = heads.size();
  }

  // By tail at level 0: which cell it falls into at these levels. Returns how many cells there are.
  std::size_t raise_tails(const Levels& levels, std::vector<std::uint32_t>& cell_of_tail) const {
    cell_of_tail.assign(1, 0);
    std::size_t cells = 1;
    for (std::size_t d = pivot_depth_; d < order_.size(); ++d) {
      const std::size_t a = order_[d];
      const auto distinct = static_cast<std::uint32_t>(codes_[a].distinct(levels[a]));
      std::vector<std::uint32_t> longer;
      for (const std::uint32_t cell : cell_of_tail) {
        for (const Code code : codes_[a].raise(0, levels[a])) {
          longer.push_back(cell * distinct + code);
        }
      }
      cell_of_tail = std::move(longer);
      cells *= distinct;
    }
    return cells;
  }

  std::uint32_t add_target(std::size_t first, Scratch& scratch) const {
    scratch.first.push_back(static_cast<std::uint32_t>(first));
    return static_cast<std::uint32_t>(scratch.first.size() - 1);
  }

  void add_up(const ClassTable& source, Scratch& scratch) const {
    scratch.records.assign(scratch.first.size(), 0);
    for (std::size_t i = 0; i < source.size(); ++i) {
      scratch.records[scratch.target[i]] += source.records[i];
    }
    if (!has_population_) return;
    scratch.population.assign(scratch.first.size(), 0);
    for (std::size_t i = 0; i < source.size(); ++i) {
      scratch.population[scratch.target[i]] += source.population[i];
    }
  }

  // As roll_up, for a node that agrees with the source in the head.
  void roll_up_pivot(const ClassTable& source, const Levels& levels, Scratch& scratch) const {
    if (tail_cells_ > kMostTailCells) return roll_up(source, levels, scratch);
    const std::size_t cells = raise_tails(levels, scratch.cell_of_tail);
    if (source.heads * cells > std::max<std::size_t>(4096, 16 * source.size())) {
      return roll_up(source, levels, scratch);
    }
    scratch.target.resize(source.size());
    scratch.first.resize(source.size());
    scratch.slots.assign(source.heads * cells, kNone);
    // Plain pointers: the compiler cannot know that none of the writes moves a vector.
    const std::uint32_t* head = source.head.data();
    const std::uint32_t* tail = source.tail.data();
    const std::uint32_t* cell_of_tail = scratch.cell_of_tail.data();
    std::uint32_t* slots = scratch.slots.data();
    std::uint32_t* target = scratch.target.data();
    std::uint32_t* first = scratch.first.data();
    std::uint32_t targets = 0;
    for (std::uint32_t i = 0; i < source.size(); ++i) {
      std::uint32_t& slot = slots[head[i] * cells + cell_of_tail[tail[i]]];
      if (slot == kNone) {
        first[targets] = i;
        slot = targets++;
      }
      target[i] = slot;
    }
    scratch.first.resize(targets);
    add_up(source, scratch);
  }

  // Fills target, first, records and population.
  void roll_up(const ClassTable& source, const Levels& levels, Scratch& scratch) const {
    scratch.target.resize(source.size());
    scratch.first.clear();
    std::size_t cells = 1;
    const std::size_t most = std::max<std::size_t>(4096, 2 * source.size());
    for (std::size_t a = 0; a < codes_.size() && cells <= most; ++a) {
      cells *= codes_[a].distinct(levels[a]);
    }
    if (cells <= most) {
      find_targets_by_cell(source, levels, cells, scratch);
    } else {
      find_targets_by_key(source, levels, scratch);
    }
    add_up(source, scratch);
  }

  [[nodiscard]] Key raised(Key key, const Levels& from, const Levels& to) const {
    for (std::size_t a = 0; a < codes_.size(); ++a) {
      if (from[a] == to[a]) continue;
      const Field& field = fields_[a];
      const std::uint64_t code = get(key, field);
      key[field.word] ^= (code ^ codes_[a].raise(from[a], to[a])[code]) << field.shift;
    }
    return key;
  }

  // Where the node has few possible cells: each has its own slot.
  void find_targets_by_cell(const ClassTable& source, const Levels& levels, std::size_t cells,
                            Scratch& scratch) const {
    std::uint32_t stride = 1;
    std::vector<std::size_t> looked_at;
    for (std::size_t a = 0; a < codes_.size(); ++a) {
      const auto distinct = static_cast<std::uint32_t>(codes_[a].distinct(levels[a]));
      if (distinct < 2) continue;
      looked_at.push_back(a);
      auto& offsets = scratch.offsets[a];
      offsets.clear();
      for (const Code code : codes_[a].raise(source.levels[a], levels[a])) {
        offsets.push_back(code * stride);
      }
      stride *= distinct;
    }
    scratch.slots.assign(cells, kNone);
    for (std::size_t i = 0; i < source.size(); ++i) {
      const Key& key = source.keys[i];
      std::uint32_t cell = 0;
      for (const std::size_t a : looked_at) cell += scratch.offsets[a][get(key, fields_[a])];
      std::uint32_t& slot = scratch.slots[cell];
      if (slot == kNone) {
        slot = add_target(i, scratch);
      }
      scratch.target[i] = slot;
    }
  }

  void find_targets_by_key(const ClassTable& source, const Levels& levels, Scratch& scratch) const {
    struct Raise {
      Field field;
      const Code* code;
    };
    std::vector<Raise> raises;
    for (std::size_t a = 0; a < codes_.size(); ++a) {
      if (source.levels[a] == levels[a]) continue;
      raises.push_back({fields_[a], codes_[a].raise(source.levels[a], levels[a]).data()});
    }
    const std::size_t capacity = std::bit_ceil(2 * source.size() + 2);
    const auto shift = static_cast<unsigned>(64 - std::countr_zero(capacity));
    scratch.slots.assign(capacity, kNone);
    scratch.keys.clear();
    for (std::size_t i = 0; i < source.size(); ++i) {
      Key key = source.keys[i];
      for (const Raise& raise : raises) {
        const std::uint64_t code = get(key, raise.field);
        key[raise.field.word] ^= (code ^ raise.code[code]) << raise.field.shift;
      }
      std::size_t place = hash(key) >> shift;
      while (scratch.slots[place] != kNone && !equal(scratch.keys[scratch.slots[place]], key)) {
        place = (place + 1) & (capacity - 1);
      }
      if (scratch.slots[place] == kNone) {
        scratch.slots[place] = add_target(i, scratch);
        scratch.keys.push_back(key);
      }
      scratch.target[i] = scratch.slots[place];
    }
  }

  // Lists the classes of the source in each target that `wanted` asks for (with 1, else 0).
  template <class Wanted>
  void find_members(std::size_t source_size, Scratch& scratch, const Wanted& wanted) const {
    scratch.begin.assign(scratch.records.size() + 2, 0);
    const std::uint32_t* target = scratch.target.data();
    std::uint32_t* begin = scratch.begin.data();
    for (std::size_t i = 0; i < source_size; ++i) begin[target[i] + 2] += wanted(target[i]);
    std::partial_sum(scratch.begin.begin(), scratch.begin.end(), scratch.begin.begin());
    scratch.members.resize(scratch.begin.back());
    std::uint32_t* members = scratch.members.data();
    for (std::uint32_t i = 0; i < source_size; ++i) {
      if (wanted(target[i]) != 0) members[begin[target[i] + 1]++] = i;
    }
  }

  void tally(const ClassTable& source, std::size_t target, Scratch& scratch) const {
    for (std::size_t s = 0; s < sensitive_; ++s) {
      SensitiveTally& tally = scratch.tallies[s];
      tally.clear();
      for (std::uint32_t m = scratch.begin[target]; m < scratch.begin[target + 1]; ++m) {
        tally.add(source.sensitive[s], scratch.members[m]);
      }
      scratch.views[s] = tally.view();
    }
  }

  [[nodiscard]] ClassTable table_of(const ClassTable& source, const Levels& levels,
                                    Scratch& scratch) const {
    ClassTable table;
    table.levels = levels;
    table.records = scratch.records;
    table.population = scratch.population;
    table.keys.reserve(scratch.first.size());
    for (const std::uint32_t first : scratch.first) {
      table.keys.push_back(raised(source.keys[first], source.levels, levels));
    }
    split_keys(table);
    if (sensitive_ == 0) return table;
    table.sensitive.resize(sensitive_);
    find_members(source.size(), scratch, [](std::uint32_t) { return 1U; });
    for (std::size_t target = 0; target < table.size(); ++target) {
      tally(source, target, scratch);
      for (std::size_t s = 0; s < sensitive_; ++s) {
        table.sensitive[s].add_class();
        const SensitiveCounts& counts = scratch.views[s];
        for (std::size_t v = 0; v < counts.values.size(); ++v) {
          table.sensitive[s].add(counts.values[v], counts.counts[v]);
        }
      }
    }
    return table;
  }

  void suppress(std::size_t target, const Model& broken, Scratch& scratch,
                NodeOutcome& outcome) const {
    scratch.stays[target] = 0;
    outcome.suppressed += scratch.records[target];
    if (broken.survives_growth()) outcome.surely_suppressed += scratch.records[target];
  }

  static const Model* broken_model(const std::vector<const Model*>& models, const ClassView& view) {
    for (const Model* model : models) {
      if (!model->holds(view)) return model;
    }
    return nullptr;
  }

  NodeOutcome judge(const ClassTable& source, const Levels& levels, const GiveUp& give_up,
                    Scratch& scratch) const {
    NodeOutcome outcome;
    const std::size_t targets = scratch.records.size();
    scratch.stays.assign(targets, 0);
    const auto population = [&](std::size_t t) {
      return has_population_ ? scratch.population[t] : 0;
    };
    for (std::size_t t = 0; t < targets; ++t) {
      if (scratch.records[t] == 0) continue;
      scratch.stays[t] = 1;
      const ClassView view{scratch.records[t], population(t), {}};
      if (const Model* broken = broken_model(on_counts_, view)) {
        suppress(t, *broken, scratch, outcome);
      }
    }
    const auto given_up = [&] {
      outcome.complete = !give_up(outcome.suppressed);
      return !outcome.complete;
    };
    if (given_up()) return outcome;
    if (!on_values_.empty()) {
      std::uint64_t ask_at = 2 * outcome.suppressed + 1;
      find_members(source.size(), scratch, [stays = scratch.stays.data()](std::uint32_t t) {
        return stays[t] != 0 ? 1U : 0U;
      });
      for (std::size_t t = 0; t < targets; ++t) {
        if (scratch.stays[t] == 0) continue;
        tally(source, t, scratch);
        const ClassView view{scratch.records[t], population(t), scratch.views};
        const Model* broken = broken_model(on_values_, view);
        if (broken == nullptr) continue;
        suppress(t, *broken, scratch, outcome);
        if (outcome.suppressed < ask_at) continue;
        if (given_up()) return outcome;
        ask_at = outcome.suppressed + outcome.suppressed / 8;
      }
      if (given_up()) return outcome;
    }
    for (std::size_t a = 0; a < codes_.size(); ++a) {
      outcome.suppressed_by_code.emplace_back(codes_[a].distinct(levels[a]), 0);
    }
    for (std::size_t t = 0; t < targets; ++t) {
      const std::uint64_t records = scratch.records[t];
      if (scratch.stays[t] != 0) {
        ++outcome.classes;
        outcome.squares += records * records;
        continue;
      }
      const Key key = raised(source.keys[scratch.first[t]], source.levels, levels);
      for (std::size_t a = 0; a < codes_.size(); ++a) {
        outcome.suppressed_by_code[a][get(key, fields_[a])] += records;
      }
    }
    return outcome;
  }

  // The classes at `prefix`, whose levels are 0 from `depth` on in the order of attributes.
  std::shared_ptr<const ClassTable> pivot(const Levels& prefix, std::size_t depth,
                                          Scratch& scratch) {
    while (depth > 0 && prefix[order_[depth - 1]] == 0) --depth;
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
    std::shared_ptr<const ClassTable> source;
    {
      const std::lock_guard lock(mutex_);
      if (entry->table) return entry->table;
      source = lower_sibling(prefix, order_[depth - 1]);
    }
    if (!source) {
      Levels shorter = prefix;
      shorter[order_[depth - 1]] = 0;
      source = pivot(shorter, depth - 1, scratch);
    }
    roll_up(*source, prefix, scratch);
    auto table = std::make_shared<const ClassTable>(table_of(*source, prefix, scratch));
    const std::lock_guard lock(mutex_);
    entry->table = table;
    kept_bytes_ += table->bytes();
    let_go(entry.get());
    return table;
  }

  std::shared_ptr<const ClassTable> lower_sibling(Levels prefix, std::size_t attribute) const {
    while (--prefix[attribute] > 0) {
      const auto found = pivots_.find(prefix);
      if (found != pivots_.end() && found->second->table) return found->second->table;
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

  const ProtectionInput& input_;
  const std::vector<LevelCodes>& codes_;
  std::vector<Field> fields_;
  std::vector<const Model*> on_counts_;
  std::vector<const Model*> on_values_;
  std::size_t sensitive_ = 0;
  bool has_population_ = false;
  std::vector<std::size_t> order_;  // of the attributes on the way to a pivot
  std::size_t pivot_depth_ = 0;     // where the tail begins
  std::size_t tail_cells_ = 1;      // at level 0
  std::shared_ptr<const ClassTable> base_;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> scratches_;
  std::map<Levels, std::shared_ptr<Pivot>> pivots_;
  std::size_t memory_bytes_;
  std::size_t kept_bytes_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace

std::unique_ptr<NodeClasses> NodeClasses::make(const ProtectionInput& input,
                                               const std::vector<LevelCodes>& codes,
                                               const Models& models, std::size_t memory_bytes) {
  std::size_t words = 0;
  auto fields = lay_out(codes, words);
  const auto packed = [&]<std::size_t Words>() -> std::unique_ptr<NodeClasses> {
    return std::make_unique<PackedNodeClasses<Words>>(input, codes, models, std::move(fields),
                                                      memory_bytes);
  };
  if (words <= 1) return packed.template operator()<1>();
  if (words <= 2) return packed.template operator()<2>();
  if (words <= 4) return packed.template operator()<4>();
  if (words <= 16) return packed.template operator()<16>();
  throw Error::input("the quasi-identifiers have too many distinct values together")
      .hint("Search full-domain levels over fewer of them, or use mondrian.");
}

}  // namespace pratique::tables::internal
