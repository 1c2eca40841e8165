// Hierarchies that need no file: each is made over the values of a column.
//
//   flat      every value straight under *
//   prefix    postcodes and other codes that say less from left to right: a level per character,
//             hidden from the right by stars up to the length of the longest value: 02138, 0213*,
//             021**, 02***, 0****, *. A shorter value keeps its characters until its turn comes:
//             beside 02138-1234, the value 02138 is 02138***** from level 1 on.
//   date      day, month (1970-03), year (1970), decade (1970..1979), *; with times of day, a level
//             of days comes first. A value that is a month or a year is its own month or year.
//             Besides ISO: 1970/03/05, 19700305, and 03/25/1970 or 25.03.1970 (with / . or -) where
//             a date of the column tells which is the month; never by guessing.
//   icd9      code, four digits, three digits, section, chapter, * (see icd9.h); a shorter code is
//             its own node where it has no more digits. icd10 and atc likewise (code_systems.h)
//   interval  a level per width, aligned at 0: interval:5,10 puts 23 in 20..24 and 20..29. Labels
//             have as many decimals as the most precise value or width has (20.0..24.9), so that
//             they hold every value of the column and no two overlap. Values that are ranges
//             already ([70-80), 70-79) go into the interval that holds all of them.
//
// A missing (empty) value stays empty up to *: it is a leaf of its own on every level. So is a
// range without an end among dates and numbers (90+, <=1936).
//
// Labels of flat, date and interval mean the same to GeneralisedValue::parse, those of prefix to
// parse_foreign, without the tree at hand; those of code systems are labels only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pratique/data/hierarchy.h"

namespace pratique {

// Whether SPEC (flat, interval:5,10, ...) is one of them, rather than a file.
[[nodiscard]] bool is_builtin_hierarchy(const std::string& spec);

// 90+ and <=1936, as Safe Harbor leaves them: a range without an end.
[[nodiscard]] bool is_open_class(std::string_view value);

// Errors name the values that do not fit, at most ten, with their counts.
[[nodiscard]] Hierarchy make_builtin_hierarchy(const std::string& spec, const Dictionary& values,
                                               const std::vector<std::uint64_t>& counts,
                                               const std::string& column);

}  // namespace pratique
