// What leaves of a table and undoes its quasi-identifiers (columns/undoing.h).
#pragma once

#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"

namespace pratique::tables::flow {

// Throws Error::input where a column leaves as it is, is not allowed to by name, and undoes a
// quasi-identifier, or where its pseudonyms do. Up to 2,000 records are looked at, spread over all.
void refuse_following_columns(const ProtectRequest& options, const PreparedTable& prepared);

}  // namespace pratique::tables::flow
