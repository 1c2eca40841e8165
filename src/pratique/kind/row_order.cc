#include "pratique/kind/row_order.h"

#include <algorithm>
#include <string>

#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/kind/internal/keyed_groups.h"

namespace pratique::release {
namespace {

constexpr std::size_t kGrain = 1U << 14;

// FNV-1a, finished so that all bits depend on all bytes. It spreads rows; it keeps no secret.
std::uint64_t hash_of(std::string_view text, std::uint64_t salt) {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ salt;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 29);
}

}  // namespace

void sort_by_content(std::vector<KeyedGroup>& keyed, const std::vector<OutputColumn>& columns) {
  const auto text = [](const OutputColumn& column, std::uint32_t group) -> std::string_view {
    if (column.aside == nullptr) return column.value(group);
    return SpooledColumns::content_of(column.marks->value(column.code(group)));
  };
  std::sort(keyed.begin(), keyed.end(), [&](const KeyedGroup& a, const KeyedGroup& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    for (const auto& column : columns) {
      const int order = text(column, a.group).compare(text(column, b.group));
      if (order != 0) return order < 0;
    }
    return false;
  });
}

std::vector<std::uint32_t> order_by_content(const Content& content, std::uint64_t seed) {
  const auto& columns = content.columns;
  std::vector<std::vector<std::uint64_t>> value_hashes;
  SeededRandom salts(seed);
  bool marked = false;
  for (const auto& column : columns) {
    const std::uint64_t salt = salts.next();
    value_hashes.emplace_back();
    if (column.aside == nullptr) {
      for (const auto& value : *column.values) value_hashes.back().push_back(hash_of(value, salt));
    } else if (!marked) {  // one mark stands for all cells
      marked = true;
      for (const auto mark : column.marks->values())
        value_hashes.back().push_back(hash_of(SpooledColumns::content_of(mark), salt));
    }
  }
  std::vector<KeyedGroup> keyed(content.groups.size());
  parallel_blocks(keyed.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t hash = 0;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (value_hashes[c].empty()) continue;
        hash ^= value_hashes[c][columns[c].code(content.groups[i])];
        hash *= 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
      }
      keyed[i] = {hash, content.groups[i]};
    }
  });
  sort_by_content(keyed, columns);
  std::vector<std::uint32_t> rows;
  for (const KeyedGroup& entry : keyed) {
    rows.insert(rows.end(), (*content.counts)[entry.group], entry.group);
  }
  return rows;
}

}  // namespace pratique::release
