// Characters of UTF-8 text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pratique {

// The bytes of the character at the front; 1 where the text is not UTF-8. The text is not empty.
[[nodiscard]] std::size_t first_character(std::string_view text);
[[nodiscard]] std::size_t count_characters(std::string_view text);
[[nodiscard]] bool is_utf8(std::string_view text);
[[nodiscard]] std::string latin1_to_utf8(std::string_view text);

// For messages: in single quotes, no control characters, at most 40 characters; (empty) for the
// missing value.
[[nodiscard]] std::string in_quotes(std::string_view value);

}  // namespace pratique
