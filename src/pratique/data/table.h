// A table in memory: dictionary-coded columns of equal length.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

struct Column {
  std::string name;
  Dictionary dictionary;
  std::vector<Code> codes;

  [[nodiscard]] std::string_view text(std::size_t row) const {
    return dictionary.value(codes[row]);
  }
  // How many rows hold each value.
  [[nodiscard]] std::vector<std::uint64_t> counts() const;
};

struct Table {
  std::vector<Column> columns;

  [[nodiscard]] std::size_t rows() const {
    return columns.empty() ? 0 : columns.front().codes.size();
  }
  // Throws an Error that offers the nearest names when there is no such column.
  [[nodiscard]] const Column& column(std::string_view name) const;
};

// A table without its repetitions: one row per distinct combination of cells, and how many rows of
// the original each stands for. Most algorithms need no more, and it is a fraction of the size.
struct GroupedTable {
  Table groups;
  std::vector<std::uint64_t> counts;

  [[nodiscard]] std::uint64_t rows() const;
};

// The values of a column, each once, and how many rows hold it.
struct ValueCounts {
  std::string name;
  Dictionary values;
  std::vector<std::uint64_t> counts;  // beside the values' codes
};

// Either kind, for algorithms that take both.
struct CountedTable {
  CountedTable(const Table& plain) : table(plain) {}
  CountedTable(const GroupedTable& grouped) : table(grouped.groups), counts(grouped.counts) {}

  const Table& table;
  std::span<const std::uint64_t> counts = {};  // empty: every row stands for itself

  [[nodiscard]] std::uint64_t count(std::size_t row) const {
    return counts.empty() ? 1 : counts[row];
  }
  // How many original rows hold each value of the column.
  [[nodiscard]] std::vector<std::uint64_t> counts_of(const Column& column) const;
};

// Where `name` stands in `names`. Throws an Error that offers the nearest names; `place` is the
// file.
[[nodiscard]] std::size_t column_index(const std::vector<std::string>& names, std::string_view name,
                                       const std::string& place = {});
// The names within a few typing errors of `name`, nearest first, at most three.
[[nodiscard]] std::vector<std::string> nearest_names(const std::vector<std::string>& names,
                                                     std::string_view name);

}  // namespace pratique
