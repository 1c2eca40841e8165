// A date as it stands in a note: where its year, month and day are, so that it can be moved by days
// and written again in the same form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pratique::notes {

// The year that the text names in four digits, or in two behind day and month (as of 2030); none
// where it names none.
[[nodiscard]] std::optional<int> year_in(std::string_view text);

// 03/14/2011, 14.3.2011 (with points, or a first number over 12, the day comes first), 2011-03-14,
// March 14, 2011, 14 Mar 11, March 2011, 20110314, 3/14 (of a year of 365 days). None where it is
// none of these, as a weekday or a holiday. A month without a day moves by its fifteenth.
[[nodiscard]] std::optional<std::string> moved_by(std::string_view date, std::int32_t days);

// The same as YYYY-MM-DD; none where a part is missing.
[[nodiscard]] std::optional<std::string> day_of(std::string_view text);

}  // namespace pratique::notes
