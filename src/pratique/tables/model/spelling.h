// Values that differ in spelling alone: models that count values count them as one, as whoever
// reads the release does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pratique/data/table.h"

namespace pratique::tables {

// Without what is a matter of writing: capitals, blanks around it and double ones, and of a code
// that begins with a letter and a digit (E11.9) its points.
[[nodiscard]] std::string without_spelling(std::string_view value);

// The column with one value for all of its spellings; none where no two values differ so.
[[nodiscard]] std::optional<Column> joined_spellings(const Column& column);

}  // namespace pratique::tables
