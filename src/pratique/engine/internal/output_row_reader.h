// The cells of an Output's rows that were put aside (spooled_columns.h), a row at a time.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique {

class OutputRowReader {
 public:
  explicit OutputRowReader(const Output& output) {
    for (const auto& column : output.columns) {
      if (column.aside == nullptr) continue;
      column_ = &column;
      reader_.emplace(*column.aside);
      break;
    }
  }
  // Cells are valid until the next row.
  void go_to(std::size_t row) {
    if (reader_) cells_ = &reader_->read(column_->marks->value(column_->code(row)));
  }
  [[nodiscard]] std::string_view cell(const OutputColumn& column) const {
    return (*cells_)[column.cell];
  }

 private:
  const OutputColumn* column_ = nullptr;  // any of them: all have the same marks
  std::optional<SpooledColumns::Reader> reader_;
  const std::vector<std::string_view>* cells_ = nullptr;
};

}  // namespace pratique
