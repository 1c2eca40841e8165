// A workload of COUNT queries that a user wrote: one query a line, a comma list of COLUMN=CELL
// where a cell is written as in a release (20..29, {F|M}, a label of the hierarchy, an exact
// value).
//
//   # how many women in their twenties
//   age=20..29,sex=F
//   zip=691**,diagnosis=250.00
#pragma once

#include <string>
#include <vector>

#include "pratique/tables/metric/query_error.h"

namespace pratique::tables {

// Columns are quasi-identifiers or, with one exact value, sensitive attributes of the input.
// `place` is the file, for errors, which name the line.
[[nodiscard]] std::vector<CountQuery> parse_workload(const std::string& text,
                                                     const std::string& place,
                                                     const ProtectionInput& input);

}  // namespace pratique::tables
