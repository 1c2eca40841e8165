// Numbers that are not written as data/number.h reads them: with a decimal comma (12,5; 1.234,5) or
// commas between thousands (1,234.5); plain ones beside words for missing values (unknown); or with
// a unit that all of them share (70 kg, 1,5 mg/l, 45 Jahre). All of a column's values are of one
// form, or the column has none of these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

// with_unit: the number alone is read, with a point or one or two digits behind a comma.
enum class NumberForm { decimal_comma, thousands_comma, plain, with_unit };

[[nodiscard]] std::string_view to_string(NumberForm form);
[[nodiscard]] std::optional<NumberForm> number_form_of_name(std::string_view name);

// The forms that all values that are there fit; two where only somebody who knows the file can tell
// (1,234), none where they are as they should be or one is no number. Empty cells and words for
// missing values (missing_word.h) fit every form.
[[nodiscard]] std::vector<NumberForm> number_forms(const Dictionary& values);

// The same number as data/number.h reads it; nothing where the text is none of this form.
[[nodiscard]] std::optional<std::string> plain_number(std::string_view text, NumberForm form);

// Every value so, and words for missing values empty; others that are no number of this form stay
// as they are.
void write_as_plain_numbers(Column& column, NumberForm form);

}  // namespace pratique
