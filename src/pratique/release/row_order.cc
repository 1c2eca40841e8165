#include "pratique/release/row_order.h"

#include <algorithm>
#include <string>

#include "pratique/core/parallel.h"
#include "pratique/core/random.h"

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

struct Keyed {
  std::uint64_t hash;
  std::uint32_t row;
};

}  // namespace

std::vector<std::uint32_t> order_by_content(const Output& output, std::uint64_t seed) {
  std::vector<std::vector<std::uint64_t>> value_hashes;
  SeededRandom salts(seed);
  for (const auto& column : output.columns) {
    const std::uint64_t salt = salts.next();
    value_hashes.emplace_back();
    for (const auto& value : *column.values) value_hashes.back().push_back(hash_of(value, salt));
  }
  std::vector<Keyed> keyed(output.row_count);
  parallel_blocks(keyed.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = output.rows == nullptr ? static_cast<std::uint32_t>(i) : (*output.rows)[i];
      std::uint64_t hash = 0;
      for (std::size_t c = 0; c < value_hashes.size(); ++c) {
        hash = (hash ^ value_hashes[c][(*output.columns[c].codes)[row]]) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
      }
      keyed[i] = {hash, row};
    }
  });
  const auto text = [&](std::size_t c, std::uint32_t row) -> const std::string& {
    return (*output.columns[c].values)[(*output.columns[c].codes)[row]];
  };
  std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    for (std::size_t c = 0; c < output.columns.size(); ++c) {
      if (const int order = text(c, a.row).compare(text(c, b.row)); order != 0) return order < 0;
    }
    return false;
  });
  std::vector<std::uint32_t> rows(keyed.size());
  std::transform(keyed.begin(), keyed.end(), rows.begin(), [](const Keyed& k) { return k.row; });
  return rows;
}

}  // namespace pratique::release
