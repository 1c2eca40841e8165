// Columns that leave as they are and undo what a class hides. An age follows from a date of birth,
// a weekday from an admission, a district from a postcode: who knows the quasi-identifier knows
// them, and finds the record in its class by them. And a ward tells the hospital that a class of
// several hospitals hides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"

namespace pratique::tables::flow {

// Throws Error::input where a column leaves as it is, is not allowed to by name, and undoes a
// quasi-identifier: insensitive ones by any rule below, sensitive ones by order and dates alone,
// because nobody knows beforehand which illness goes with a postcode. Up to 4,000 rows are looked
// at, one of each person. An identifier of which pseudonyms leave is refused, too, where equal
// values go with equal values of a quasi-identifier.
void refuse_following_columns(const ProtectRequest& options, const PreparedTable& prepared,
                              const Run& run);

enum class Undoing { follows, tells };

// Whether `column` follows from the quasi-identifier, or tells it. One follows from the other where
//   - both are numbers or dates, and their ranks nearly agree (Spearman's correlation of at least
//     0.98 either way), or
//   - rows with the same value of the other nearly always share its value, or
//   - it changes hardly more often than it has values when rows stand in the order of the other (an
//     age group by birth, a region by postcode).
// Of a date its year, month, day, weekday and week are looked at, too. "Nearly" is: at most a
// twentieth of the differences that chance would make, where chance would make at least a dozen.
[[nodiscard]] std::optional<Undoing> undoes(const Column& column, const Column& quasi_identifier);
// By ranks and parts of dates alone.
[[nodiscard]] std::optional<Undoing> undoes_in_order(const Column& column,
                                                     const Column& quasi_identifier);

}  // namespace pratique::tables::flow
