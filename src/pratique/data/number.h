// Decimal numbers as their text, compared exactly at any length.
//
//   number := ['+' | '-'] (digits ['.' digits] | '.' digits)
//
// There is no exponent: `12e4` is far more often an identifier than a number. A number never ends
// in a point, so that `1..5` can be cut in one way only.
#pragma once

#include <cstddef>
#include <string_view>

namespace pratique {

[[nodiscard]] bool is_number(std::string_view text);

// Below, at or above zero as a < b, a == b or a > b. Both must be numbers.
[[nodiscard]] int compare_numbers(std::string_view a, std::string_view b);

// The digits after the point, trailing zeros included.
[[nodiscard]] std::size_t decimals(std::string_view number);

// The nearest double; infinite beyond its range.
[[nodiscard]] double to_double(std::string_view number);

}  // namespace pratique
