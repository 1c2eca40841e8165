// The rows of a table that share their cells in some columns with at least one other row, class by
// class (TANE's stripped partition, Huhtala et al. 1999). Rows that are unique are only counted:
// they stay unique whatever columns come on top.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables::internal {

// What a set of columns does to the rows.
struct Distinctness {
  std::uint64_t unique = 0;        // rows alone in their class
  std::uint64_t combinations = 0;  // classes
  std::uint64_t alike = 0;         // pairs of rows in one class
};

class StrippedPartition {
 public:
  // All rows in one class.
  static StrippedPartition whole(std::size_t rows);

  // `counts` is scratch: at least column.distinct zeros, and zeros again afterwards.
  void refine(const CodedColumn& column, std::vector<std::uint32_t>& counts,
              StrippedPartition& result) const;
  // Unique rows and combinations after a column of at most 64 values is added, and no pairs: most
  // columns have few values and most sets identify nobody, so that this decides about nearly all.
  static constexpr std::size_t kFewValues = 64;
  [[nodiscard]] Distinctness refined_by_few(std::span<const std::uint8_t> codes) const;
  // And the pairs.
  [[nodiscard]] std::uint64_t alike_by_few(std::span<const std::uint8_t> codes) const;
  // What refine would give, without making it.
  [[nodiscard]] Distinctness refined_distinctness(const CodedColumn& column,
                                                  std::vector<std::uint32_t>& counts) const;

 private:
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> ends_;  // of the classes in rows_
  std::uint64_t unique_ = 0;
};

}  // namespace pratique::tables::internal
