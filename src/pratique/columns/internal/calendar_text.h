// Parts of dates in forms that are not read as dates anywhere else: a text may be one of them, and
// says more than a year then.
#pragma once

#include <optional>
#include <string_view>

namespace pratique::columns::internal {

// The year of eight digits with the year last (03052020, day and month in either order), or of
// seven with the day of the year (2020065).
[[nodiscard]] std::optional<int> year_of_digits(std::string_view text);

// 03/05, 24.12., --03-05: the whole text.
[[nodiscard]] bool is_day_and_month(std::string_view text);
// Of these, what is hardly a fraction or a grade (3/5): two digits each, or with signs of a date.
[[nodiscard]] bool is_surely_day_and_month(std::string_view text);

// The name of a month or a weekday in English, German, French or Spanish, or its usual letters.
[[nodiscard]] bool is_month_or_weekday(std::string_view text);

// Two or three letters of a weekday in these languages, Italian or Dutch, which may be something
// else, too: a column is one of weekdays only where nearly all its values are (MO is a state).
[[nodiscard]] bool may_be_short_weekday(std::string_view text);

// Whether somebody is said to be born in a year that tells an age over 89 in `as_of`.
[[nodiscard]] bool tells_old_birth(std::string_view text, int as_of);

}  // namespace pratique::columns::internal
