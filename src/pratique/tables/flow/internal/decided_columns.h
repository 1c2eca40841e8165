// Nothing undecided leaves: every column has a role, and what looks like an identifier leaves by
// name alone.
#pragma once

#include <map>
#include <string>

#include "pratique/columns/column_content.h"
#include "pratique/kind/run.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"

namespace pratique::tables::flow {

// Every column has a role, or takes the one that the profile suggests. Throws Error::input, with
// what the profile thinks of each, where one has none.
void decide_roles(const ProtectRequest& options, const Run& run, PreparedTable& prepared);

// Fills in what leaves as it is, rounded, or because it was allowed. Throws Error::input where a
// column that leaves so looks like an identifier and was not let go. `content_aside` is of columns
// that are not held.
void check_leaving(const ProtectRequest& options,
                   const std::map<std::string, columns::ColumnContent>& content_aside,
                   PreparedTable& prepared);

}  // namespace pratique::tables::flow
