// The values of a column that a hierarchy cannot place, for the error that names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique {

class Uncovered {
 public:
  // The rows of each value; may be empty when they are not known.
  explicit Uncovered(const std::vector<std::uint64_t>& counts) : counts_(counts) {}

  void add(Code code, std::string_view value);
  [[nodiscard]] bool empty() const { return values_.empty(); }
  // The ten most frequent, or fewer.
  [[nodiscard]] std::vector<std::string_view> first_values() const;
  // "3 values: 'x' (12 rows), 'y' (1 row), (empty) (1 row)"
  [[nodiscard]] std::string describe() const;

 private:
  struct Value {
    std::uint64_t rows;
    std::string_view text;
  };
  [[nodiscard]] std::vector<Value> first() const;

  const std::vector<std::uint64_t>& counts_;
  std::vector<Value> values_;
};

}  // namespace pratique
