// Dates of quasi-identifiers, in whatever form a file has them: they are read once, and are days
// (data/date_form.h) to every method, metric and hierarchy after.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/date_form.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"

namespace pratique::release {

// Columns of dates that are not written as days, and how they are.
using DateForms = std::map<std::string, DateForm>;

// Of the schema's quasi-identifiers, those without a hierarchy, with `date` or with a file over
// days: what another file or a prefix says is about the texts as they are. `said` names the form of
// a column. Throws Error::input where nobody can tell the month from the day and `said` does not,
// or where it says what the values are not.
[[nodiscard]] DateForms find_date_forms(const Table& table, const Schema& schema,
                                        const std::map<std::string, std::string>& said,
                                        const std::string& place);

// Whether dates of the column are read as days: not where what its hierarchy says is about the
// texts as they are.
[[nodiscard]] bool are_read_as_days(const Schema& schema, const std::string& column);

// Whether all values that are there are months (1949-10), which are dates as they are.
[[nodiscard]] bool are_months(const Dictionary& values);

// Those that the parameters of a manifest record.
[[nodiscard]] DateForms recorded_date_forms(const Json& parameters);

// The columns of these names, where the table has them, as days.
void write_as_days(Table& table, const DateForms& forms);

// The columns of dates that can be read in one way only, as days.
void write_plain_dates_as_days(Table& table, const std::vector<std::string>& columns);

}  // namespace pratique::release
