#include "pratique/tables/attack/containment_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "pratique/core/parallel.h"

namespace pratique::tables {
namespace {

// The positions 0 .. rows.size() - 1 in the order of the codes their rows have in the columns.
// The first 64 bits of a tuple are one number; only what it leaves equal is compared code by code.
std::vector<std::uint32_t> sorted_by_tuple(const std::vector<const Column*>& columns,
                                           std::span<const std::uint32_t> rows) {
  std::size_t packed = 0;
  std::vector<int> bits;
  for (int total = 0; packed < columns.size(); ++packed) {
    bits.push_back(std::bit_width(columns[packed]->dictionary.size()));
    total += bits.back();
    if (total > 64) break;
  }
  struct Entry {
    std::uint64_t key;
    std::uint32_t position;
  };
  std::vector<Entry> entries(rows.size());
  parallel_blocks(rows.size(), 1U << 14, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t key = 0;
      for (std::size_t c = 0; c < packed; ++c) {
        key = (key << static_cast<unsigned>(bits[c])) | columns[c]->codes[rows[i]];
      }
      entries[i] = {key, static_cast<std::uint32_t>(i)};
    }
  });
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    for (std::size_t c = packed; c < columns.size(); ++c) {
      const Code x = columns[c]->codes[rows[a.position]];
      const Code y = columns[c]->codes[rows[b.position]];
      if (x != y) return x < y;
    }
    return a.position < b.position;
  });
  std::vector<std::uint32_t> result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) result[i] = entries[i].position;
  return result;
}

std::vector<std::uint64_t> occurrences(const Column& column, std::span<const std::uint32_t> rows) {
  std::vector<std::uint64_t> counts(column.dictionary.size(), 0);
  for (const std::uint32_t row : rows) ++counts[column.codes[row]];
  return counts;
}

}  // namespace

ContainmentIndex::ContainmentIndex(std::vector<LinkedColumn> columns,
                                   std::span<const std::uint32_t> class_rows,
                                   std::span<const std::uint32_t> original_rows, Progress& progress)
    : columns_(std::move(columns)), class_rows_(class_rows), original_rows_(original_rows) {
  progress.begin("indexing cells", columns_.size() + 1);
  matches_.reserve(columns_.size());
  for (const auto& column : columns_) {
    matches_.emplace_back(column.cells->dictionary, column.originals->dictionary, column.hierarchy,
                          column.cells_are);
    progress.advance(1);
  }
  order_columns();
  build_trie();
  progress.advance(1);
}

std::vector<Code> ContainmentIndex::cells_of_nobody(const Column& cells) const {
  const auto column =
      std::find_if(columns_.begin(), columns_.end(),
                   [&](const LinkedColumn& linked) { return linked.cells == &cells; });
  return matches_[static_cast<std::size_t>(column - columns_.begin())].cells_of_nobody();
}

// Most selective first: by the share of (original, class) pairs that the column alone lets through.
void ContainmentIndex::order_columns() {
  std::vector<double> passing(columns_.size(), 0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto classes_with = occurrences(*columns_[c].cells, class_rows_);
    const auto originals_with = occurrences(*columns_[c].originals, original_rows_);
    for (Code value = 0; value < originals_with.size(); ++value) {
      if (originals_with[value] == 0) continue;
      std::uint64_t classes = 0;
      for (const Code cell : matches_[c].cells_containing(value)) classes += classes_with[cell];
      passing[c] += static_cast<double>(originals_with[value]) * static_cast<double>(classes);
    }
  }
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return passing[a] < passing[b]; });
  std::vector<LinkedColumn> columns;
  std::vector<internal::ColumnMatches> matches;
  for (const std::size_t c : order) {
    columns.push_back(columns_[c]);
    matches.push_back(std::move(matches_[c]));
  }
  columns_ = std::move(columns);
  matches_ = std::move(matches);
}

void ContainmentIndex::build_trie() {
  std::vector<const Column*> cells;
  for (const auto& column : columns_) cells.push_back(column.cells);
  classes_ = sorted_by_tuple(cells, class_rows_);
  levels_.resize(columns_.size());
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const std::uint32_t row = class_rows_[classes_[i]];
    std::size_t shared = 0;  // levels on which this tuple goes on with the nodes of the last one
    if (i > 0) {
      const std::uint32_t last = class_rows_[classes_[i - 1]];
      while (shared < cells.size() && cells[shared]->codes[row] == cells[shared]->codes[last]) {
        ++shared;
      }
    }
    for (std::size_t level = shared; level < cells.size(); ++level) {
      levels_[level].codes.push_back(cells[level]->codes[row]);
      const bool deepest = level + 1 == cells.size();
      const std::size_t below = deepest ? i : levels_[level + 1].codes.size();
      levels_[level].begin.push_back(static_cast<std::uint32_t>(below));
    }
  }
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const bool deepest = level + 1 == levels_.size();
    const std::size_t end = deepest ? classes_.size() : levels_[level + 1].codes.size();
    levels_[level].begin.push_back(static_cast<std::uint32_t>(end));
    levels_[level].codes.shrink_to_fit();
    levels_[level].begin.shrink_to_fit();
  }
}

// From nodes of a level to the children of those among them that contain the value.
void ContainmentIndex::step(std::size_t level, Code value, const std::vector<NodeRange>& from,
                            std::vector<NodeRange>& to) const {
  constexpr std::size_t kUneven = 8;  // from here on searching beats merging
  to.clear();
  const auto wanted = matches_[level].cells_containing(value);
  const auto& codes = levels_[level].codes;
  const auto& begin = levels_[level].begin;
  const auto take = [&](std::size_t node) { to.push_back({begin[node], begin[node + 1]}); };
  for (const NodeRange& range : from) {
    const std::size_t nodes = range.end - range.begin;
    if (nodes > kUneven * wanted.size()) {
      auto at = codes.begin() + range.begin;
      const auto end = codes.begin() + range.end;
      for (const Code code : wanted) {
        at = std::lower_bound(at, end, code);
        if (at == end) break;
        if (*at == code) take(static_cast<std::size_t>(at - codes.begin()));
      }
    } else if (wanted.size() > kUneven * nodes) {
      auto at = wanted.begin();
      for (std::size_t node = range.begin; node < range.end; ++node) {
        at = std::lower_bound(at, wanted.end(), codes[node]);
        if (at == wanted.end()) break;
        if (*at == codes[node]) take(node);
      }
    } else {
      auto at = wanted.begin();
      std::size_t node = range.begin;
      while (node < range.end && at != wanted.end()) {
        if (codes[node] == *at) take(node);
        const bool advance_node = codes[node] <= *at;
        if (codes[node] >= *at) ++at;
        if (advance_node) ++node;
      }
    }
  }
}

void ContainmentIndex::for_each_original(const Visit& visit, Progress& progress) const {
  constexpr std::size_t kGrain = 1024;
  progress.begin("linking records", original_rows_.size());
  std::vector<const Column*> values;
  for (const auto& column : columns_) values.push_back(column.originals);
  const auto order = sorted_by_tuple(values, original_rows_);
  const std::size_t depth = columns_.size();
  const std::size_t top = depth == 0 ? classes_.size() : levels_.front().codes.size();

  parallel_blocks(order.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    // reached[l]: the nodes of level l that the original's first l values lead to.
    std::vector<std::vector<NodeRange>> reached(depth + 1);
    reached[0].push_back({0, static_cast<std::uint32_t>(top)});
    std::vector<ClassId> classes;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = original_rows_[order[i]];
      std::size_t level = 0;
      if (i > begin) {
        const std::uint32_t last = original_rows_[order[i - 1]];
        while (level < depth && values[level]->codes[row] == values[level]->codes[last]) ++level;
      }
      for (; level < depth; ++level) {
        step(level, values[level]->codes[row], reached[level], reached[level + 1]);
      }
      classes.clear();
      for (const NodeRange& range : reached[depth]) {
        classes.insert(classes.end(), classes_.begin() + range.begin, classes_.begin() + range.end);
      }
      visit(order[i], classes);
    }
    progress.advance(end - begin);
  });
}

}  // namespace pratique::tables
