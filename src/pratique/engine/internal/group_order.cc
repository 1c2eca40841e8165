#include "pratique/engine/internal/group_order.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>

#include "pratique/core/parallel.h"

namespace pratique {
namespace {

// The first bytes of a text as a number that compares as they do.
std::uint64_t first_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < sizeof(bytes); ++i)
    bytes = bytes << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  return bytes;
}

void order_codes(Column& column) {
  const auto& values = column.dictionary.values();
  if (std::is_sorted(values.begin(), values.end())) return;
  struct Text {
    std::uint64_t begin;
    Code code;
  };
  std::vector<Text> order(values.size());
  for (Code code = 0; code < order.size(); ++code) order[code] = {first_bytes(values[code]), code};
  std::sort(order.begin(), order.end(), [&](const Text& a, const Text& b) {
    return a.begin != b.begin ? a.begin < b.begin : values[a.code] < values[b.code];
  });
  Dictionary ordered;
  std::vector<Code> code_of(values.size());
  for (const Text& text : order) code_of[text.code] = ordered.intern(values[text.code]);
  for (Code& code : column.codes) code = code_of[code];
  column.dictionary = std::move(ordered);
}

// The codes of the first columns, as many as have room.
struct Keyed {
  std::uint64_t key;
  std::uint32_t group;
};

// Of groups in order.
void unite_equal(GroupedTable& grouped) {
  auto& columns = grouped.groups.columns;
  auto& counts = grouped.counts;
  std::size_t kept = 0;
  for (std::size_t group = 0; group < counts.size(); ++group) {
    const bool same = kept > 0 && std::all_of(columns.begin(), columns.end(), [&](const Column& c) {
                        return c.codes[group] == c.codes[kept - 1];
                      });
    if (same) {
      counts[kept - 1] += counts[group];
      continue;
    }
    for (Column& column : columns) column.codes[kept] = column.codes[group];
    counts[kept++] = counts[group];
  }
  for (Column& column : columns) column.codes.resize(kept);
  counts.resize(kept);
}

}  // namespace

void order_by_values(GroupedTable& grouped) {
  auto& columns = grouped.groups.columns;
  std::vector<std::function<void()>> tasks;
  for (Column& column : columns) tasks.emplace_back([&column] { order_codes(column); });
  parallel_tasks(tasks);
  std::vector<Keyed> order(grouped.counts.size());
  for (std::uint32_t group = 0; group < order.size(); ++group) order[group] = {0, group};
  std::size_t in_key = 0;
  int bits_left = 64;
  for (; in_key < columns.size(); ++in_key) {
    const int bits = std::bit_width(columns[in_key].dictionary.size());
    if (bits > bits_left) break;
    bits_left -= bits;
    const auto& codes = columns[in_key].codes;
    for (Keyed& entry : order) entry.key = entry.key << bits | codes[entry.group];
  }
  const auto before = [&](const Keyed& a, const Keyed& b) {
    if (a.key != b.key) return a.key < b.key;
    for (std::size_t c = in_key; c < columns.size(); ++c) {
      const Code of_a = columns[c].codes[a.group];
      const Code of_b = columns[c].codes[b.group];
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  };
  if (!std::is_sorted(order.begin(), order.end(), before))
    std::sort(order.begin(), order.end(), before);
  const auto rearrange = [&](auto& items) {
    std::remove_reference_t<decltype(items)> moved;
    moved.reserve(items.size());
    for (const Keyed& entry : order) moved.push_back(items[entry.group]);
    items = std::move(moved);
  };
  for (Column& column : columns) rearrange(column.codes);
  rearrange(grouped.counts);
  unite_equal(grouped);
}

}  // namespace pratique
