// Numbers with commas: a decimal comma (12,5; 1.234,5) or commas between thousands (1,234.5). All
// of a column's values are numbers of one form, at least one with a comma, or the column holds
// none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/table.h"

namespace pratique {

enum class NumberForm { decimal_comma, thousands_comma };

[[nodiscard]] std::string_view to_string(NumberForm form);
[[nodiscard]] std::optional<NumberForm> number_form_of_name(std::string_view name);

// The forms that all values that are there fit; two where only somebody who knows the file can tell
// (1,234), none where no value has a comma or one is no number. Empty cells fit every form.
[[nodiscard]] std::vector<NumberForm> number_forms(const Dictionary& values);

// The same number as data/number.h reads it; nothing where the text is none of this form.
[[nodiscard]] std::optional<std::string> plain_number(std::string_view text, NumberForm form);

// Every value so; those that are no number of this form stay as they are.
void write_as_plain_numbers(Column& column, NumberForm form);

}  // namespace pratique
