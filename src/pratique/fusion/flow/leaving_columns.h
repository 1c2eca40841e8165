// What leaves of a list with names beside its key and its quasi-identifiers. Names stay, so
// whatever stands beside them is known of everybody: nothing leaves that nobody decided about.
#pragma once

#include <string>
#include <vector>

#include "pratique/fusion/flow/fred.h"

namespace pratique::fusion::flow {

// Throws Error::input where a column has no role, or looks like an identifier and would leave as it
// is without being allowed to. Returns those that leave as they are because --allow names them.
[[nodiscard]] std::vector<std::string> decide_columns(const FredRequest& request,
                                                      const LoadedTable& list);

// Rows are counted as people: throws Error::input where the key repeats and nobody said that every
// row is somebody else's.
void require_a_row_per_person(const FredRequest& request, const LoadedTable& list);

}  // namespace pratique::fusion::flow
