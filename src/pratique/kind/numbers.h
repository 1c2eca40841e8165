// Numbers of quasi-identifiers that are written with commas (data/number_form.h): they are read
// once, as dates are (dates.h), and are numbers to every method, metric and hierarchy after.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/data/number_form.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"

namespace pratique::release {

// Columns of numbers with commas, and what these are.
using NumberForms = std::map<std::string, NumberForm>;

// Of the schema's quasi-identifiers, those without a hierarchy, with intervals or with a file over
// plain numbers. `said` names the
// form of a column. Throws Error::input where nobody can tell a decimal comma from one between
// thousands and `said` does not, or where it says what the values are not.
[[nodiscard]] NumberForms find_number_forms(const Table& table, const Schema& schema,
                                            const std::map<std::string, std::string>& said,
                                            const std::string& place);

// Whether numbers of the column are read so: not where what its hierarchy says is about the texts
// as they are.
[[nodiscard]] bool are_read_as_numbers(const Schema& schema, const std::string& column);

// Those that the parameters of a manifest record.
[[nodiscard]] NumberForms recorded_number_forms(const Json& parameters);

// The columns of these names, where the table has them, as plain numbers.
void write_as_numbers(Table& table, const NumberForms& forms);

// The columns whose numbers can be read in one way only, as plain numbers.
void write_unmistakable_numbers(Table& table, const std::vector<std::string>& columns);

// The columns of an original as the method saw them: dates as days, numbers without commas, in the
// forms that the parameters of the manifest record.
void write_as_recorded(Table& table, const Json& parameters);
// Whether a column was written anew so.
[[nodiscard]] bool was_rewritten(const Json& parameters, const std::string& column);

}  // namespace pratique::release
