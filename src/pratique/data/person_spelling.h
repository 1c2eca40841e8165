// One person is written in many ways: Ann Smith, SMITH's " ann  smith", P07 and p07. Whoever reads
// a list takes them for one; counted as several, they would hide each other. Two people who are
// taken for one are counted too few, and lose no privacy by it.
#pragma once

#include <string>
#include <string_view>

#include "pratique/data/table.h"

namespace pratique {

// The same text for all spellings of a name or number that says whose a row is, where several parts
// of it stand between `|` of each: without capitals and accents (of every script that has them),
// characters without width, full width, the blanks and signs that stand not between digits, zeros
// before a number and .0 behind it. A date that can be read in one way only, with a sign in it, is
// its day.
[[nodiscard]] std::string person_as_read(std::string_view person);

// Whether it is blanks, signs, or words for what is missing (NA, (unknown), #N/A!): nobody is
// called so, and who counts it as somebody lets it hide others. A number names somebody.
[[nodiscard]] bool names_nobody(std::string_view person);

// Gives every row the first spelling that its person has in the column. Whether any changed.
bool join_people_as_read(Column& person);

}  // namespace pratique
