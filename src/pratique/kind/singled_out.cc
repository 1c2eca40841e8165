#include "pratique/kind/singled_out.h"

#include <algorithm>
#include <unordered_map>

namespace pratique::release {

std::vector<std::uint32_t> number_cells(const std::vector<const std::vector<Code>*>& columns,
                                        std::size_t rows) {
  std::vector<std::uint32_t> number(rows, 0);
  for (const auto* codes : columns) {
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    for (std::size_t row = 0; row < number.size(); ++row) {
      const std::uint64_t pair = std::uint64_t{number[row]} << 32U | (*codes)[row];
      number[row] = numbers.emplace(pair, static_cast<std::uint32_t>(numbers.size())).first->second;
    }
  }
  return number;
}

std::uint64_t singled_out(const std::vector<const std::vector<Code>*>& columns,
                          std::span<const std::uint64_t> counts) {
  if (columns.empty()) return 0;
  const auto number = number_cells(columns, counts.size());
  std::vector<std::uint64_t> records(counts.size(), 0);
  for (std::size_t row = 0; row < number.size(); ++row) records[number[row]] += counts[row];
  return static_cast<std::uint64_t>(std::count(records.begin(), records.end(), 1U));
}

}  // namespace pratique::release
