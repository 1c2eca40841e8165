// What SQL does with texts, by characters of UTF-8. Each gives something for every text, also for
// one that is no UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace pratique::dp {

// % any text, _ any one character.
[[nodiscard]] bool is_like(std::string_view text, std::string_view pattern);
// From the character `first`, counted from 1, at most `count` of them; what lies before or after
// the text is left out.
[[nodiscard]] std::string_view substring(std::string_view text, double first, double count);
[[nodiscard]] std::string_view without_blanks_around(std::string_view text);
// Letters of ASCII.
[[nodiscard]] std::string lower_case(std::string_view text);
[[nodiscard]] std::string upper_case(std::string_view text);

}  // namespace pratique::dp
