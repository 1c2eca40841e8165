// Text on its way to a terminal. Names of columns and files, and values, are what somebody else
// wrote: they may hold sequences that move the cursor, change the title or turn the order of what
// is read around.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pratique {

// The same text with every control character besides line ends, and every mark that changes the
// direction of writing, as \u001b: to be seen and without effect. JSON means the same after it.
// Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

// The same, with line ends too.
[[nodiscard]] std::string in_one_line(std::string_view text);

// Columns of a terminal that a line of printable text takes.
[[nodiscard]] std::size_t columns_taken(std::string_view line);

// A line of printable text in lines of at most `width` columns (at least one), broken between
// words, and within one that is longer. Text that fits stays as it is.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view line, std::size_t width);

// At most `width` columns of it, with an ellipsis where it was longer.
[[nodiscard]] std::string shortened(std::string_view line, std::size_t width);

}  // namespace pratique
