// Dates as cells hold them. What a text means follows from the text and from what was declared,
// never from other rows: one person's date must not change how everybody else's is read.
#pragma once

#include <optional>
#include <string_view>

#include "pratique/data/date.h"

namespace pratique::dp {

// Of dates that do not begin with the year.
enum class DateOrder { unsaid, day_first, month_first };

// 1970-03-05, also 1970/03/05, 1970.03.05 and 19700305; 5.3.1970, which nobody writes with the
// month first, unless that was said; 05/03/1970 and 05-03-1970 only where it was said which comes
// first.
[[nodiscard]] std::optional<PartialDate> written_date(std::string_view text,
                                                      DateOrder order = DateOrder::unsaid);

}  // namespace pratique::dp
