// Hierarchies in the usual CSV form: a line per value, leaf first, root last.
//
//   Bachelors;Undergraduate;Higher education;*
//   Masters;Graduate;Higher education;*
//
// The delimiter (';', tab or ',') is the one that gives every line as many fields. Fields may be
// quoted, with doubled quotes inside. A byte-order mark, CRLF and blank lines are passed over; text
// that is not UTF-8 is read as Latin-1. There is no header. An empty first field is the missing
// value, which may stay empty up to the root.
//
// Where paths may be ragged, a shorter line is a value that stands further up: 401.9;Hypertension;*
// beside 428.0;Heart failure;Heart;* is its own label on the levels that it lacks.
#pragma once

#include <string>
#include <string_view>

#include "pratique/data/hierarchy.h"

namespace pratique {

// `place` names the text in errors, as PLACE:LINE.
enum class PathLengths { even, ragged };
[[nodiscard]] Hierarchy parse_hierarchy_csv(std::string_view text, const std::string& place,
                                            PathLengths lengths = PathLengths::even);
[[nodiscard]] Hierarchy read_hierarchy_csv(const std::string& path,
                                           PathLengths lengths = PathLengths::even);

}  // namespace pratique
