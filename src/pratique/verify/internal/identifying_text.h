// Reads a text for what Safe Harbor forbids (45 CFR 164.514(b)(2)(i)) and a shape gives away, with
// rules of its own: the text is taken apart into numbers, words and signs, and what stands beside
// each other is looked at.
#pragma once

#include <string_view>

namespace pratique::verify {

// "an email address"; empty where nothing was recognised.
[[nodiscard]] std::string_view identifier_in_text(std::string_view text);

// Eight digits that are a day of the years 1800 to 2199.
[[nodiscard]] bool is_compact_day(std::string_view text);

}  // namespace pratique::verify
