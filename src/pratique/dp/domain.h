// What the values of a column may be, as somebody declared it without looking at the data.
//
//   COLUMN=LOW..HIGH   numbers, both ends included
//   COLUMN=a|b|c       these values
//   COLUMN=FILE        a value per line
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pratique::dp {

struct NumberRange {
  double low = 0;
  double high = 0;
};

class Domain {
 public:
  // Throws Error::input: it is none of the above, is empty, or has a value twice.
  [[nodiscard]] static Domain parse(const std::string& text);
  [[nodiscard]] static Domain range(std::string column, double low, double high);
  [[nodiscard]] static Domain of(std::string column, std::vector<std::string> values);

  [[nodiscard]] const std::string& column() const { return column_; }
  // None of declared values.
  [[nodiscard]] const std::optional<NumberRange>& numbers() const { return numbers_; }

  // As cells: of a range, the whole numbers in it. Throws Error::input where an end is not whole,
  // or there are more than 2^32.
  [[nodiscard]] std::uint64_t cells() const;
  // None where the text is not in it; 07 and 7.0 are the number 7.
  [[nodiscard]] std::optional<std::uint64_t> cell_of(std::string_view text) const;
  [[nodiscard]] std::string value_of(std::uint64_t cell) const;

 private:
  std::string column_;
  std::optional<NumberRange> numbers_;
  std::vector<std::string> values_;
  std::unordered_map<std::string, std::uint64_t> cell_of_;
};

[[nodiscard]] std::vector<Domain> parse_domains(const std::vector<std::string>& texts);
// Null where there is none for the column.
[[nodiscard]] const Domain* domain_of(const std::vector<Domain>& domains, std::string_view column);

}  // namespace pratique::dp
