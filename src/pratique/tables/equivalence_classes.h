// The equivalence classes of a table: the rows that share their cells in a list of columns
// (Sweeney 2002, "k-anonymity": the rows that look alike on the quasi-identifiers).
//
// Classes are numbered in order of their first row, so the result does not depend on the number of
// threads. No columns at all: every row looks like every other, one class (none without rows).
//
// How: the codes of a row are packed into one 64-bit key, ceil(log2(distinct)) bits each; rows are
// partitioned by a bijective mix of the key, so that each partition's hash table stays in the cache
// and partitions run in parallel. Columns that need more than 64 bits are grouped in turns, the
// class of the columns so far taking the place of those columns. Grouping is exact at any width.
// Besides the result (4 bytes per row, 8 per class) it needs 12 bytes per row while it runs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::tables {

using ClassId = std::uint32_t;
inline constexpr std::string_view kSuppressed = "*";  // a cell that says nothing

// A column as grouping sees it: codes below `distinct`.
struct CodedColumn {
  std::span<const Code> codes;
  std::size_t distinct = 0;

  static CodedColumn of(const Column& column) { return {column.codes, column.dictionary.size()}; }
};

class EquivalenceClasses {
 public:
  EquivalenceClasses() = default;

  [[nodiscard]] static EquivalenceClasses of(const Table& table,
                                             std::span<const std::size_t> columns);
  [[nodiscard]] static EquivalenceClasses of(std::span<const CodedColumn> columns,
                                             std::size_t rows);
  // Each class split by the values of one more column. A part's class here is
  // class_of(refined.representative(part)).
  [[nodiscard]] EquivalenceClasses refined_by(const CodedColumn& column) const;

  [[nodiscard]] std::size_t rows() const { return class_of_.size(); }
  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  [[nodiscard]] ClassId class_of(std::size_t row) const { return class_of_[row]; }
  [[nodiscard]] std::uint32_t size(ClassId id) const { return sizes_[id]; }
  // The first row of the class; its cells are the class's cells.
  [[nodiscard]] std::uint32_t representative(ClassId id) const { return representatives_[id]; }

  [[nodiscard]] const std::vector<ClassId>& class_of() const { return class_of_; }
  [[nodiscard]] const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  [[nodiscard]] const std::vector<std::uint32_t>& representatives() const {
    return representatives_;
  }

  // The rows of each class, ascending: class i has rows[begin[i]] up to rows[begin[i + 1] - 1].
  struct Members {
    std::vector<std::uint32_t> begin;
    std::vector<std::uint32_t> rows;
    [[nodiscard]] std::span<const std::uint32_t> of(ClassId id) const {
      return std::span(rows).subspan(begin[id], begin[id + 1] - begin[id]);
    }
  };
  [[nodiscard]] Members members() const;

 private:
  std::vector<ClassId> class_of_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> representatives_;
};

// How many original rows stand behind each class.
[[nodiscard]] std::vector<std::uint64_t> records_per_class(const EquivalenceClasses& classes,
                                                           const CountedTable& table);

}  // namespace pratique::tables
