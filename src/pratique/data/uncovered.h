// The values of a column that a hierarchy cannot place. The error counts them; whoever asks for it
// is told which they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/dictionary.h"

namespace pratique {

// With values of the data, which are no part of what an error says by itself.
class UncoveredValues : public Error {
 public:
  UncoveredValues(const Error& error, std::string values)
      : Error(error), values_(std::move(values)) {}
  // In lines; the edge shows them where the user asks for values.
  [[nodiscard]] const std::string& values() const { return values_; }

 private:
  std::string values_;
};

class Uncovered {
 public:
  // The rows of each value; may be empty when they are not known.
  explicit Uncovered(const std::vector<std::uint64_t>& counts) : counts_(counts) {}

  void add(Code code, std::string_view value);
  [[nodiscard]] bool empty() const { return values_.empty(); }
  // The ten most frequent, or fewer.
  [[nodiscard]] std::vector<std::string_view> first_values() const;
  // "3 values (14 rows)"
  [[nodiscard]] std::string describe() const;
  // "'x' (12 rows), 'y' (1 row), (empty) (1 row)", and how many more there are.
  [[nodiscard]] std::string named() const;

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
