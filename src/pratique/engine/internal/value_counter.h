// Counts the values of many columns while rows stream by once. Memory stays bounded however many
// columns there are and however different their values: when all columns together hold more than
// `most_bytes`, those that hold most are put aside in a file and begin anew. take() adds up what a
// column put aside, so that only one column at a time is in memory with all its values.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

class ValueCounter {
 public:
  // Files of what is put aside are named after `prefix`.
  ValueCounter(const std::vector<std::string>& columns, std::uint64_t most_bytes,
               std::string prefix);
  ~ValueCounter();
  ValueCounter(const ValueCounter&) = delete;
  ValueCounter& operator=(const ValueCounter&) = delete;

  // A vector of `rows` texts per column.
  void add(std::span<const std::vector<std::string_view>> texts, std::size_t rows);
  // The values in the order of their first appearance. Each column can be taken once.
  [[nodiscard]] ValueCounts take(std::size_t column);

 private:
  [[nodiscard]] std::uint64_t memory_bytes() const;
  [[nodiscard]] std::string file_of(std::size_t column) const;
  void put_aside(std::size_t column);

  std::vector<ValueCounts> columns_;
  std::vector<bool> has_file_;
  std::uint64_t most_bytes_;
  std::string prefix_;
};

}  // namespace pratique
