// Values that differ in spelling alone: models that count values count them as one, as whoever
// reads the release does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pratique/data/table.h"

namespace pratique::tables {

// Without what is a matter of writing: capitals (of Latin, Greek and Cyrillic letters), characters
// of full width, accents that stand for themselves, blanks of any kind around it and double ones,
// characters that have no width, letters in one (the ligature of fi) and digits of other scripts,
// and of a code that begins with a letter and a digit (E11.9, E11-9) what stands between its parts,
// and of a number the sign plus and zeros that add nothing (05.0). A date is its day, in whatever
// form that can be read in one way only. Of words, brackets and quotes around them, points but
// between digits, and hyphens within them (H.I.V., type-2). Empty where it says that there is no
// value (NA, unknown, -).
[[nodiscard]] std::string without_spelling(std::string_view value);

// The column with one value for all of its spellings; none where no two values differ so.
[[nodiscard]] std::optional<Column> joined_spellings(const Column& column);
// The same, also where no two do.
[[nodiscard]] Column without_spellings(const Column& column);

}  // namespace pratique::tables
