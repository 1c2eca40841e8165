#include "pratique/tables/method/internal/roll_up.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace pratique::tables::internal {
namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
// How many nodes are rolled up from one pivot, about. More: fewer pivots, but larger ones.
constexpr std::size_t kNodesPerPivot = 24;
constexpr std::size_t kMostTailCells = 4096;

template <std::size_t Words>
bool equal(const std::array<std::uint64_t, Words>& a, const std::array<std::uint64_t, Words>& b) {
  std::uint64_t differences = 0;
  for (std::size_t w = 0; w < Words; ++w) differences |= a[w] ^ b[w];
  return differences == 0;
}

template <std::size_t Words>
std::uint64_t hash(const std::array<std::uint64_t, Words>& key) {
  std::uint64_t mixed = 0;
  for (const std::uint64_t word : key) {
    mixed = (mixed ^ word) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
  }
  return mixed * 0xbf58476d1ce4e5b9U;
}

// Numbers keys in the order in which they first come: open addressing over the numbers, for at most
// `keys` of them.
class Places {
 public:
  Places(std::vector<std::uint32_t>& slots, std::size_t keys)
      : slots_(slots),
        capacity_(std::bit_ceil(2 * keys + 2)),
        shift_(static_cast<unsigned>(64 - std::countr_zero(capacity_))) {
    slots_.assign(capacity_, kFree);
  }

  // The place of the key's number; kFree stands there when it is new.
  template <class Key>
  std::uint32_t& of(const Key& key, const std::vector<Key>& numbered) {
    std::size_t place = hash(key) >> shift_;
    while (slots_[place] != kFree && !equal(numbered[slots_[place]], key)) {
      place = (place + 1) & (capacity_ - 1);
    }
    return slots_[place];
  }

 private:
  std::vector<std::uint32_t>& slots_;
  std::size_t capacity_;
  unsigned shift_;
};

}  // namespace

KeyLayout::KeyLayout(const std::vector<LevelCodes>& level_codes)
    : codes(level_codes), order(level_codes.size()), tail(level_codes.size()) {
  unsigned used = 0;
  for (const auto& attribute : codes) {
    const std::size_t distinct = attribute.distinct(0);
    const auto bits = static_cast<unsigned>(distinct < 2 ? 0 : std::bit_width(distinct - 1));
    if (used + bits > 63) {
      ++words;
      used = 0;
    }
    fields.push_back({words - 1, used, (std::uint64_t{1} << bits) - 1});
    used += bits;
  }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return codes[a].distinct(0) > codes[b].distinct(0);
  });
  for (std::size_t nodes = 1; tail > 0; --tail) {
    nodes *= static_cast<std::size_t>(codes[order[tail - 1]].height());
    if (nodes > kNodesPerPivot) break;
  }
  for (std::size_t d = tail; d < order.size() && narrow_tail; ++d) {
    tail_cells *= std::max<std::size_t>(1, codes[order[d]].distinct(0));
    narrow_tail = tail_cells <= kMostTailCells;
  }
}

template <std::size_t Words>
RollUp<Words>::RollUp(const KeyLayout& layout, const std::vector<std::size_t>& value_counts)
    : layout_(layout), views_(value_counts.size()), offsets_(layout.codes.size()) {
  for (const std::size_t distinct : value_counts) tallies_.emplace_back(distinct);
}

template <std::size_t Words>
void RollUp<Words>::roll_up(const ClassTable<Words>& source, const Levels& levels) {
  source_ = &source;
  levels_ = levels;
  target_.resize(source.size());
  first_.clear();
  std::size_t cells = 1;
  const std::size_t most = std::max<std::size_t>(4096, 2 * source.size());
  for (std::size_t a = 0; a < layout_.codes.size() && cells <= most; ++a) {
    cells *= layout_.codes[a].distinct(levels[a]);
  }
  if (cells <= most) {
    find_targets_by_cell(cells);
  } else {
    find_targets_by_key();
  }
  add_up();
}

template <std::size_t Words>
void RollUp<Words>::roll_up_tail(const ClassTable<Words>& source, const Levels& levels) {
  if (!layout_.narrow_tail) return roll_up(source, levels);
  source_ = &source;
  levels_ = levels;
  const std::size_t cells = raise_tails();
  if (source.heads * cells > std::max<std::size_t>(4096, 16 * source.size())) {
    return roll_up(source, levels);
  }
  target_.resize(source.size());
  first_.resize(source.size());
  slots_.assign(source.heads * cells, kFree);
  // Plain pointers: the compiler cannot know that none of the writes moves a vector.
  const std::uint32_t* head = source.head.data();
  const std::uint32_t* tail = source.tail.data();
  const std::uint32_t* cell_of_tail = cell_of_tail_.data();
  std::uint32_t* slots = slots_.data();
  std::uint32_t* target = target_.data();
  std::uint32_t* first = first_.data();
  std::uint32_t targets = 0;
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    std::uint32_t& slot = slots[head[i] * cells + cell_of_tail[tail[i]]];
    if (slot == kFree) {
      first[targets] = i;
      slot = targets++;
    }
    target[i] = slot;
  }
  first_.resize(targets);
  add_up();
}

// By tail at level 0: which cell it falls into at the levels. Returns how many cells there are.
template <std::size_t Words>
std::size_t RollUp<Words>::raise_tails() {
  cell_of_tail_.assign(1, 0);
  std::size_t cells = 1;
  for (std::size_t d = layout_.tail; d < layout_.order.size(); ++d) {
    const std::size_t a = layout_.order[d];
    const LevelCodes& codes = layout_.codes[a];
    const auto distinct = static_cast<std::uint32_t>(codes.distinct(levels_[a]));
    std::vector<std::uint32_t> longer;
    longer.reserve(cell_of_tail_.size() * codes.distinct(0));
    for (const std::uint32_t cell : cell_of_tail_) {
      for (const Code code : codes.raise(0, levels_[a])) longer.push_back(cell * distinct + code);
    }
    cell_of_tail_ = std::move(longer);
    cells *= distinct;
  }
  return cells;
}

template <std::size_t Words>
std::uint32_t RollUp<Words>::add_target(std::size_t first) {
  first_.push_back(static_cast<std::uint32_t>(first));
  return static_cast<std::uint32_t>(first_.size() - 1);
}

template <std::size_t Words>
void RollUp<Words>::add_up() {
  const auto sum = [&](const std::vector<std::uint64_t>& parts, std::vector<std::uint64_t>& sums) {
    sums.assign(first_.size(), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) sums[target_[i]] += parts[i];
  };
  sum(source_->records, records_);
  population_.clear();
  if (!source_->population.empty()) sum(source_->population, population_);
}

// Where the node has few possible cells: each has its own slot.
template <std::size_t Words>
void RollUp<Words>::find_targets_by_cell(std::size_t cells) {
  std::uint32_t stride = 1;
  std::vector<std::size_t> looked_at;
  for (std::size_t a = 0; a < layout_.codes.size(); ++a) {
    const auto distinct = static_cast<std::uint32_t>(layout_.codes[a].distinct(levels_[a]));
    if (distinct < 2) continue;
    looked_at.push_back(a);
    auto& offsets = offsets_[a];
    offsets.clear();
    for (const Code code : layout_.codes[a].raise(source_->levels[a], levels_[a])) {
      offsets.push_back(code * stride);
    }
    stride *= distinct;
  }
  slots_.assign(cells, kFree);
  for (std::size_t i = 0; i < source_->size(); ++i) {
    const Key& key = source_->keys[i];
    std::uint32_t cell = 0;
    for (const std::size_t a : looked_at) cell += offsets_[a][get(key, layout_.fields[a])];
    std::uint32_t& slot = slots_[cell];
    if (slot == kFree) slot = add_target(i);
    target_[i] = slot;
  }
}

template <std::size_t Words>
void RollUp<Words>::find_targets_by_key() {
  struct Raise {
    Field field;
    const Code* code;
  };
  std::vector<Raise> raises;
  for (std::size_t a = 0; a < layout_.codes.size(); ++a) {
    const int from = source_->levels[a];
    if (from == levels_[a]) continue;
    raises.push_back({layout_.fields[a], layout_.codes[a].raise(from, levels_[a]).data()});
  }
  Places places(slots_, source_->size());
  keys_.clear();
  for (std::size_t i = 0; i < source_->size(); ++i) {
    Key key = source_->keys[i];
    for (const Raise& raise : raises) {
      const std::uint64_t code = get(key, raise.field);
      key[raise.field.word] ^= (code ^ raise.code[code]) << raise.field.shift;
    }
    std::uint32_t& slot = places.of(key, keys_);
    if (slot == kFree) {
      slot = add_target(i);
      keys_.push_back(key);
    }
    target_[i] = slot;
  }
}

template <std::size_t Words>
typename RollUp<Words>::Key RollUp<Words>::key(std::size_t target) const {
  Key key = source_->keys[first_[target]];
  for (std::size_t a = 0; a < layout_.codes.size(); ++a) {
    const int from = source_->levels[a];
    if (from == levels_[a]) continue;
    const Field& field = layout_.fields[a];
    const std::uint64_t code = get(key, field);
    key[field.word] ^= (code ^ layout_.codes[a].raise(from, levels_[a])[code]) << field.shift;
  }
  return key;
}

template <std::size_t Words>
void RollUp<Words>::find_members(const std::vector<char>& wanted) {
  begin_.assign(targets() + 2, 0);
  const std::size_t size = source_->size();
  const std::uint32_t* target = target_.data();
  const char* want = wanted.data();
  std::uint32_t* begin = begin_.data();
  for (std::size_t i = 0; i < size; ++i) {
    begin[target[i] + 2] += static_cast<unsigned char>(want[target[i]]);
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  members_.resize(begin_.back());
  std::uint32_t* members = members_.data();
  for (std::uint32_t i = 0; i < size; ++i) {
    if (want[target[i]] != 0) members[begin[target[i] + 1]++] = i;
  }
}

template <std::size_t Words>
std::span<const SensitiveCounts> RollUp<Words>::sensitive(std::size_t target) {
  for (std::size_t s = 0; s < tallies_.size(); ++s) {
    SensitiveTally& tally = tallies_[s];
    tally.clear();
    for (std::uint32_t m = begin_[target]; m < begin_[target + 1]; ++m) {
      tally.add(source_->sensitive[s], members_[m]);
    }
    views_[s] = tally.view();
  }
  return views_;
}

template <std::size_t Words>
ClassTable<Words> RollUp<Words>::table() {
  ClassTable<Words> table;
  table.levels = levels_;
  table.records = records_;
  table.population = population_;
  table.keys.reserve(targets());
  for (std::size_t target = 0; target < targets(); ++target) table.keys.push_back(key(target));
  if (layout_.narrow_tail) split_keys(table);
  if (tallies_.empty()) return table;
  table.sensitive.resize(tallies_.size());
  find_members(std::vector<char>(targets(), 1));
  for (std::size_t target = 0; target < targets(); ++target) {
    const auto values = sensitive(target);
    for (std::size_t s = 0; s < values.size(); ++s) {
      table.sensitive[s].add_class();
      for (std::size_t v = 0; v < values[s].values.size(); ++v) {
        table.sensitive[s].add(values[s].values[v], values[s].counts[v]);
      }
    }
  }
  return table;
}

// Numbers heads and tails.
template <std::size_t Words>
void RollUp<Words>::split_keys(ClassTable<Words>& table) const {
  Key head_mask{};
  for (std::size_t d = 0; d < layout_.tail; ++d) {
    const Field& field = layout_.fields[layout_.order[d]];
    head_mask[field.word] |= field.mask << field.shift;
  }
  std::vector<std::uint32_t> slots;
  Places places(slots, table.size());
  std::vector<Key> heads;
  table.head.reserve(table.size());
  table.tail.reserve(table.size());
  for (const Key& key : table.keys) {
    Key head{};
    for (std::size_t w = 0; w < Words; ++w) head[w] = key[w] & head_mask[w];
    std::uint32_t& slot = places.of(head, heads);
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(heads.size());
      heads.push_back(head);
    }
    table.head.push_back(slot);
    std::uint64_t tail = 0;
    for (std::size_t d = layout_.tail; d < layout_.order.size(); ++d) {
      const std::size_t a = layout_.order[d];
      tail = tail * layout_.codes[a].distinct(0) + get(key, layout_.fields[a]);
    }
    table.tail.push_back(static_cast<std::uint32_t>(tail));
  }
  table.heads = heads.size();
}

template class RollUp<1>;
template class RollUp<2>;
template class RollUp<4>;
template class RollUp<16>;

}  // namespace pratique::tables::internal
