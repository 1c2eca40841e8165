// In which form the dates of a column are written. All of a column's values are dates of one form,
// down to the day, or the column holds none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

// iso: 1970-03-05; timestamp: the same with a time of day; year_first: 1970/03/05, 19700305,
// 19700305123000; month_first: 03/05/1970; day_first: 05.03.1970; named_month: 05-Mar-1970, March
// 5, 1970, 05MAR1970, 5. März 1970 (English, German, French, Spanish, Italian). All but the first
// are written as iso before they are compared, cut or generalised. A time of day after the others
// is left out, too.
enum class DateForm { iso, timestamp, year_first, month_first, day_first, named_month };

[[nodiscard]] std::string_view to_string(DateForm form);
[[nodiscard]] std::optional<DateForm> date_form_of_name(std::string_view name);

// The forms that all values that are there fit; two where only somebody who knows the file can tell
// the month from the day (03/05/1970), none where they are no dates. Empty cells and words for
// missing values (missing_word.h) fit every form.
[[nodiscard]] std::vector<DateForm> date_forms(const Dictionary& values);

// The same day as iso; nothing where the text is no date of this form.
[[nodiscard]] std::optional<std::string> iso_day(std::string_view text, DateForm form);

// Every value as iso, and words for missing values empty; others that are no date of this form stay
// as they are.
void write_as_iso(Column& column, DateForm form);

}  // namespace pratique
