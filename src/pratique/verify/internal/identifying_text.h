// Reads a text for what Safe Harbor forbids (45 CFR 164.514(b)(2)(i)) and a shape gives away, with
// rules of its own: the text is taken apart into numbers, words and signs, and what stands beside
// each other is looked at.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pratique::verify {

// "an email address"; empty where nothing was recognised.
[[nodiscard]] std::string_view identifier_in_text(std::string_view text);

// Whether a title and a name stand in it: Dr. House.
[[nodiscard]] bool names_somebody(std::string_view text);

// Digits that a telephone or a record has, 9 or 10, or a card or a time in milliseconds, 13 to 19;
// 11 has the number of a drug.
[[nodiscard]] constexpr bool is_length_of_a_number(std::size_t digits) {
  return digits == 9 || digits == 10 || (digits >= 13 && digits <= 19);
}

// Eight digits that are a day of the years 1800 to 2199, the year first or last.
[[nodiscard]] bool is_compact_day(std::string_view text);
// Seven digits: such a year and the number of a day in it.
[[nodiscard]] bool is_year_and_day(std::string_view text);
// 3/5: a day and a month, or a part of something.
[[nodiscard]] bool may_be_day_and_month(std::string_view text);
// Two or three letters that may stand for a weekday, or for something else.
[[nodiscard]] bool may_be_day_of_week_in_short(std::string_view text);
// The name of a month or a weekday.
[[nodiscard]] bool names_month_or_weekday(std::string_view text);
// Whether a word for being born stands before a year, up to the one given.
[[nodiscard]] bool tells_birth_by(int last_year, std::string_view text);

// The text with digits, letters and signs of ASCII for those that are read so, without what is not
// seen, and without what a spreadsheet puts around digits.
[[nodiscard]] std::string in_plain_signs(std::string_view text);

}  // namespace pratique::verify
