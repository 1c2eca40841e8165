// The classes of a node of the lattice, packed, and how they become those of a coarser node: raise
// the codes in each key, add up what falls together.
//
// The cells of a class are packed into a key of a few bits per attribute. Attributes stand in the
// order of how many values they have. A pivot is a node whose levels are 0 in the last few of them,
// its tail; nodes that differ from it in the tail alone are rolled up from it without a look at
// keys: a class's place there is its head (the rest of its cells) and what becomes of its tail.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pratique/tables/method/internal/level_codes.h"
#include "pratique/tables/method/internal/sensitive_tally.h"
#include "pratique/tables/method/lattice.h"

namespace pratique::tables::internal {

struct KeyLayout {
  explicit KeyLayout(const std::vector<LevelCodes>& codes);

  struct Field {
    std::size_t word = 0;
    unsigned shift = 0;
    std::uint64_t mask = 0;
  };
  const std::vector<LevelCodes>& codes;
  std::vector<Field> fields;  // one per attribute, none across two words
  std::size_t words = 1;
  std::vector<std::size_t> order;  // of the attributes
  std::size_t tail = 0;            // where it begins in the order
  std::size_t tail_cells = 1;      // at level 0
  bool narrow_tail = true;         // few enough cells to list them all
};

template <std::size_t Words>
struct ClassTable {
  using Key = std::array<std::uint64_t, Words>;

  Levels levels;
  std::vector<Key> keys;
  std::vector<std::uint64_t> records;
  std::vector<std::uint64_t> population;  // empty without one
  std::vector<ValueCounts> sensitive;     // beside the sensitive attributes, where models look
  // Of a pivot with a narrow tail:
  std::vector<std::uint32_t> head;  // which combination of cells, numbered from 0
  std::vector<std::uint32_t> tail;  // which of the tail's cells
  std::size_t heads = 0;

  [[nodiscard]] std::size_t size() const { return keys.size(); }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = keys.size() * (sizeof(Key) + 16) + population.size() * 8;
    for (const auto& values : sensitive) sum += values.bytes();
    return sum;
  }
};

// For one thread at a time. After a roll-up it knows the classes of the coarser node: its targets.
template <std::size_t Words>
class RollUp {
 public:
  using Key = typename ClassTable<Words>::Key;

  // value_counts: how many values each sensitive attribute has, where models look at them.
  RollUp(const KeyLayout& layout, const std::vector<std::size_t>& value_counts);

  // The source must outlive what is asked about the targets.
  void roll_up(const ClassTable<Words>& source, const Levels& levels);
  // The same, faster, where the source is a pivot and the node differs in the tail alone.
  void roll_up_tail(const ClassTable<Words>& source, const Levels& levels);

  [[nodiscard]] std::size_t targets() const { return records_.size(); }
  [[nodiscard]] std::uint64_t records(std::size_t target) const { return records_[target]; }
  [[nodiscard]] std::uint64_t population(std::size_t target) const {
    return population_.empty() ? 0 : population_[target];
  }
  [[nodiscard]] Key key(std::size_t target) const;
  [[nodiscard]] std::uint64_t code(const Key& key, std::size_t attribute) const {
    return get(key, layout_.fields[attribute]);
  }

  // Lists the classes of the source in each target that is wanted (1, else 0).
  void find_members(const std::vector<char>& wanted);
  // The sensitive values of a target whose members were found; good until the next call.
  [[nodiscard]] std::span<const SensitiveCounts> sensitive(std::size_t target);

  // All targets.
  [[nodiscard]] ClassTable<Words> table();

 private:
  using Field = KeyLayout::Field;

  static std::uint64_t get(const Key& key, const Field& field) {
    return key[field.word] >> field.shift & field.mask;
  }
  void find_targets_by_cell(std::size_t cells);
  void find_targets_by_key();
  std::size_t raise_tails();
  std::uint32_t add_target(std::size_t first);
  void add_up();
  void split_keys(ClassTable<Words>& table) const;

  const KeyLayout& layout_;
  const ClassTable<Words>* source_ = nullptr;
  Levels levels_;
  std::vector<std::uint32_t> target_;  // by class of the source
  std::vector<std::uint32_t> first_;   // by target, as the next two: a class of the source
  std::vector<std::uint64_t> records_;
  std::vector<std::uint64_t> population_;
  std::vector<std::uint32_t> begin_;  // of each target's members
  std::vector<std::uint32_t> members_;
  std::vector<SensitiveTally> tallies_;
  std::vector<SensitiveCounts> views_;

  std::vector<std::uint32_t> slots_;
  std::vector<Key> keys_;
  std::vector<std::vector<std::uint32_t>> offsets_;  // by attribute, code of the source
  std::vector<std::uint32_t> cell_of_tail_;
};

// Keys of 63 to 1,008 bits.
extern template class RollUp<1>;
extern template class RollUp<2>;
extern template class RollUp<4>;
extern template class RollUp<16>;

}  // namespace pratique::tables::internal
