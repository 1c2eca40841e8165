#include "pratique/tables/equivalence_classes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include "pratique/core/error.h"
#include "pratique/core/parallel.h"

namespace pratique::tables {
namespace {

using RowId = std::uint32_t;
using Key = std::uint64_t;

constexpr std::size_t kBlock = 1U << 16;      // rows a thread takes at a time
constexpr std::size_t kStrip = 1U << 10;      // rows whose keys stay in the first cache
constexpr std::size_t kPartition = 1U << 14;  // rows whose hash table stays in the second
constexpr std::size_t kMostPartitions = 1U << 10;

std::size_t code_bits(const CodedColumn& column) {
  return column.distinct < 2 ? 0 : static_cast<std::size_t>(std::bit_width(column.distinct - 1));
}

// A bijection (every step can be undone), so equal mixed keys mean equal keys.
Key mix(Key key) {
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93ULL;
  key ^= key >> 29;
  key *= 0xd6e8feb86659fd93ULL;
  return key ^ (key >> 32);
}

// Mixed keys of the rows from `begin` on, as many as `keys` holds.
void mixed_keys(std::span<const CodedColumn> columns, std::size_t begin, std::span<Key> keys) {
  std::fill(keys.begin(), keys.end(), 0);
  std::size_t shift = 0;
  for (const auto& column : columns) {
    const Code* codes = column.codes.data() + begin;
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] |= static_cast<Key>(codes[i]) << shift;
    shift += code_bits(column);
  }
  for (Key& key : keys) key = mix(key);
}

// Calls use(row, mixed key) for every row of [begin, end) in order.
template <class Use>
void for_each_key(std::span<const CodedColumn> columns, std::size_t begin, std::size_t end,
                  const Use& use) {
  std::array<Key, kStrip> strip;  // filled before it is read
  for (std::size_t at = begin; at < end; at += kStrip) {
    const std::span keys(strip.data(), std::min(kStrip, end - at));
    mixed_keys(columns, at, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) use(at + i, keys[i]);
  }
}

// Open addressing from mixed key to the first row that had it.
class FirstRows {
 public:
  explicit FirstRows(std::size_t rows)
      : slots_(std::bit_ceil(2 * std::clamp<std::size_t>(rows, 8, kPartition)), Slot{0, kFree}) {}

  RowId first(Key key, RowId row) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = key & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.key == key && slot.row != kFree) return slot.row;
      if (slot.row == kFree) {
        slot = {key, row};
        if (2 * ++used_ > slots_.size()) grow();
        return row;
      }
    }
  }

 private:
  struct Slot {
    Key key;
    RowId row;
  };
  static constexpr RowId kFree = std::numeric_limits<RowId>::max();

  void grow() {
    std::vector<Slot> larger(2 * slots_.size(), Slot{0, kFree});
    const std::size_t mask = larger.size() - 1;
    for (const Slot& slot : slots_) {
      if (slot.row == kFree) continue;
      std::size_t i = slot.key & mask;
      while (larger[i].row != kFree) i = (i + 1) & mask;
      larger[i] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

// For every row the first row with the same key. The columns fit into one key.
std::vector<RowId> first_alike(std::span<const CodedColumn> columns, std::size_t rows) {
  std::vector<RowId> first(rows);
  const std::size_t partitions =
      std::min(std::bit_ceil(std::max<std::size_t>(1, rows / kPartition)), kMostPartitions);
  if (partitions == 1) {
    FirstRows table(rows);
    for_each_key(columns, 0, rows, [&](std::size_t row, Key key) {
      first[row] = table.first(key, static_cast<RowId>(row));
    });
    return first;
  }

  // The mixed key's highest bits choose the partition, its lowest the slot.
  const int shift = 64 - std::countr_zero(partitions);
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  std::vector<std::size_t> cursors(blocks * partitions, 0);
  parallel_blocks(rows, kBlock, [&](std::size_t begin, std::size_t end) {
    std::size_t* count = &cursors[begin / kBlock * partitions];
    for_each_key(columns, begin, end, [&](std::size_t, Key key) { ++count[key >> shift]; });
  });
  std::vector<std::size_t> partition_begin(partitions + 1, rows);
  std::size_t next = 0;
  for (std::size_t p = 0; p < partitions; ++p) {
    partition_begin[p] = next;
    for (std::size_t b = 0; b < blocks; ++b) {
      next += std::exchange(cursors[b * partitions + p], next);
    }
  }
  const auto keys = std::make_unique_for_overwrite<Key[]>(rows);
  const auto row_of = std::make_unique_for_overwrite<RowId[]>(rows);
  parallel_blocks(rows, kBlock, [&](std::size_t begin, std::size_t end) {
    std::size_t* cursor = &cursors[begin / kBlock * partitions];
    for_each_key(columns, begin, end, [&](std::size_t row, Key key) {
      const std::size_t place = cursor[key >> shift]++;
      keys[place] = key;
      row_of[place] = static_cast<RowId>(row);
    });
  });

  parallel_blocks(partitions, 1, [&](std::size_t p, std::size_t) {
    FirstRows table(partition_begin[p + 1] - partition_begin[p]);
    for (std::size_t i = partition_begin[p]; i < partition_begin[p + 1]; ++i) {
      first[row_of[i]] = table.first(keys[i], row_of[i]);
    }
  });
  return first;
}

}  // namespace

EquivalenceClasses EquivalenceClasses::of(std::span<const CodedColumn> columns, std::size_t rows) {
  if (rows >= std::numeric_limits<RowId>::max()) {
    throw Error::input("the table has more than four billion rows");
  }
  EquivalenceClasses result;
  std::vector<CodedColumn> pending;
  for (const auto& column : columns) {
    if (code_bits(column) > 0) pending.push_back(column);
  }
  do {
    std::size_t fitting = 0;
    for (std::size_t bits = 0; fitting < pending.size(); ++fitting) {
      bits += code_bits(pending[fitting]);
      if (bits > 64) break;
    }
    const std::span<const CodedColumn> all(pending);
    result.class_of_ = first_alike(all.first(fitting), rows);
    result.sizes_.clear();
    result.representatives_.clear();
    // Row r holds the first row of its class: r itself, or an earlier one that has become a class
    // number already.
    for (std::size_t row = 0; row < rows; ++row) {
      const RowId first = result.class_of_[row];
      if (first == row) {
        result.class_of_[row] = static_cast<ClassId>(result.sizes_.size());
        result.sizes_.push_back(1);
        result.representatives_.push_back(first);
      } else {
        const ClassId id = result.class_of_[first];
        result.class_of_[row] = id;
        ++result.sizes_[id];
      }
    }
    pending.erase(pending.begin(), pending.begin() + static_cast<std::ptrdiff_t>(fitting));
    if (!pending.empty()) {
      pending.insert(pending.begin(), CodedColumn{result.class_of_, result.count()});
    }
  } while (!pending.empty());
  return result;
}

EquivalenceClasses EquivalenceClasses::of(const Table& table,
                                          std::span<const std::size_t> columns) {
  std::vector<CodedColumn> coded;
  coded.reserve(columns.size());
  for (const std::size_t column : columns) coded.push_back(CodedColumn::of(table.columns[column]));
  return of(coded, table.rows());
}

EquivalenceClasses EquivalenceClasses::refined_by(const CodedColumn& column) const {
  const std::array<CodedColumn, 2> columns{CodedColumn{class_of_, count()}, column};
  return of(columns, rows());
}

EquivalenceClasses::Members EquivalenceClasses::members() const {
  Members members;
  members.begin.resize(count() + 1, 0);
  for (std::size_t id = 0; id < count(); ++id) {
    members.begin[id + 1] = members.begin[id] + sizes_[id];
  }
  members.rows.resize(rows());
  std::vector<std::uint32_t> cursor(members.begin.begin(), members.begin.end() - 1);
  for (std::size_t row = 0; row < rows(); ++row) {
    members.rows[cursor[class_of_[row]]++] = static_cast<RowId>(row);
  }
  return members;
}

std::vector<std::uint64_t> records_per_class(const EquivalenceClasses& classes,
                                             const CountedTable& table) {
  if (table.counts.empty()) return {classes.sizes().begin(), classes.sizes().end()};
  std::vector<std::uint64_t> records(classes.count(), 0);
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    records[classes.class_of(row)] += table.counts[row];
  }
  return records;
}

}  // namespace pratique::tables
