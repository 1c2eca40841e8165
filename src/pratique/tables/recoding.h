// What a method makes of a table: classes of records and the cells that each class shows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/tables/attribute.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::tables {

struct RecodedColumn {
  std::vector<Code> codes;          // by entry
  std::vector<std::string> values;  // by code: the cell as it is written
  std::vector<double> leaves;       // by code: how many leaves of the hierarchy it stands for
};

// Entry i: counts[i] records of group groups[i] of the input leave in class class_of[i]. A method
// may split a group among classes. Records in no entry are suppressed.
struct Recoding {
  std::vector<std::uint32_t> groups;
  std::vector<std::uint64_t> counts;
  std::vector<ClassId> class_of;
  std::size_t class_count = 0;
  std::vector<RecodedColumn> columns;  // beside the input's attributes
  std::uint64_t suppressed = 0;
};

// How a method went about it that takes in each round the classes that satisfy the models at the
// round's levels.
struct RecodingRounds {
  std::vector<std::vector<int>> levels;  // by round
  std::vector<std::uint32_t> round_of;   // by group: that it left in; their number, where in none
};

// How a method went about it whose classes are runs of smaller ones in an order, as short as the
// models allow. By group.
struct RecodingRuns {
  static constexpr std::uint32_t kSeveral = ~std::uint32_t{0};  // its records are apart
  std::vector<std::uint32_t> run_of;
  std::vector<std::uint32_t> member_of;  // its place in the run
};

// Entries without records go, and classes without entries.
void drop_empty_entries(Recoding& recoding);

// Classes whose cells read the same are one class to any reader: makes them one.
void join_equal_classes(Recoding& recoding);

// The largest number of leaves that a cell of the attribute stands for; 0 without records.
[[nodiscard]] double widest_cell(const Recoding& recoding, std::size_t attribute);
// Whether every cell keeps the limit of its attribute.
[[nodiscard]] bool keeps_limits(const ProtectionInput& input, const Recoding& recoding);

// A column that leaves as it is, by entry.
[[nodiscard]] RecodedColumn keep(const Column& column, const Recoding& recoding);

// How a class's cell is chosen where a method recodes locally.
enum class CellStyle {
  labels,  // the lowest node of the hierarchy over the class's values
  free,    // the range of the class's numbers or dates, the set of its categories
};
[[nodiscard]] constexpr std::string_view name_of(CellStyle style) {
  return style == CellStyle::labels ? "labels" : "free";
}

// The columns of a recoding from its entries and classes alone: one cell per class and attribute.
// An exact value keeps its text (escaped where it would read as a generalised one).
void write_cells(const ProtectionInput& input, CellStyle style, Recoding& recoding);

}  // namespace pratique::tables
