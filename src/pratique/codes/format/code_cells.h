// Where the codes of a table stand: in one column, a code in each row; in several columns of a wide
// claims file (DX1 to DX25), of which a row fills some; or several to a cell, with something
// between them (discharge lists). All of them are read as rows of patient and code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::codes {

struct CodeCells {
  std::vector<std::string> columns;  // of codes
  std::string separator = {};        // between the codes of a cell; empty: a cell is a code

  [[nodiscard]] bool one_code_a_row() const { return columns.size() == 1 && separator.empty(); }
};

// The columns that hold codes: `wide`, in which DX* stands for all that begin so; else (or
// where none of these are there, in another file of a command) `code`; else, where there is no such
// column, those that are numbered and named after diagnoses. Throws
// Error where these are of two kinds, or `wide` names what there is not.
[[nodiscard]] std::vector<std::string> code_columns_of(const std::vector<std::string>& columns,
                                                       const std::string& code,
                                                       const std::vector<std::string>& wide,
                                                       const std::string& place);

// What stands between the codes of a cell, where codes are of no known system unless they are
// parted there; empty else.
[[nodiscard]] std::string detect_separator(const Table& table,
                                           const std::vector<std::size_t>& columns);

struct CodeRows {
  Table table;                             // patient, code, then the other columns, in their order
  std::vector<std::uint32_t> row_of = {};  // by row: that of the file
  std::uint64_t patients_without_codes = 0;
};
// A row for each code. The first column of the table is the patient, `codes` are those of codes,
// and the new column of codes is called `name`.
[[nodiscard]] CodeRows one_code_a_row(Table table, const std::vector<std::size_t>& codes,
                                      const std::string& separator, const std::string& name,
                                      const std::string& place);

}  // namespace pratique::codes
