// Rows with equal cells in several columns have one number, in the order of their first rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

class RowNumbers {
 public:
  // Without columns all rows are equal.
  explicit RowNumbers(std::size_t rows) : number_(rows, 0), count_(rows > 0 ? 1 : 0) {}

  // Rows are told apart by another column, too: `code_of` a row is below `codes`.
  template <typename CodeOf>
  void add(std::size_t codes, const CodeOf& code_of) {
    if (count_ == number_.size()) return;  // no two are equal
    std::uint32_t next = 0;
    if (codes <=
        std::max<std::size_t>(kSmall, 4 * number_.size()) / std::max<std::size_t>(1, count_)) {
      std::vector<std::uint32_t> joined(count_ * codes, kNoCode);
      for (std::size_t row = 0; row < number_.size(); ++row) {
        auto& number = joined[number_[row] * codes + code_of(row)];
        if (number == kNoCode) number = next++;
        number_[row] = number;
      }
    } else {
      std::unordered_map<std::uint64_t, std::uint32_t> joined;
      for (std::size_t row = 0; row < number_.size(); ++row) {
        const std::uint64_t both = std::uint64_t{number_[row]} << 32U | code_of(row);
        const auto [place, is_new] = joined.try_emplace(both, next);
        if (is_new) ++next;
        number_[row] = place->second;
      }
    }
    count_ = next;
  }
  void add(const Column& column) {
    add(column.dictionary.size(), [&](std::size_t row) { return column.codes[row]; });
  }

  [[nodiscard]] const std::vector<std::uint32_t>& numbers() const { return number_; }
  [[nodiscard]] std::vector<std::uint32_t> take() { return std::move(number_); }
  // How many different rows there are.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  static constexpr std::size_t kSmall = 65'536;

  std::vector<std::uint32_t> number_;
  std::size_t count_;
};

}  // namespace pratique
