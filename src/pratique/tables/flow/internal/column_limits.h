// What a request asks of single quasi-identifiers: how coarse they may become, and what they count.
#pragma once

#include <string>

#include "pratique/data/hierarchy.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"

namespace pratique::tables::flow {

// --max-loss, --max-level and --weight, for the attributes of the prepared table's input.
void limit_columns(const ProtectRequest& options, PreparedTable& prepared);

// Throws Error::input where the text is no level of the hierarchy.
[[nodiscard]] int level_of(const std::string& column, const std::string& text,
                           const Hierarchy& hierarchy);

}  // namespace pratique::tables::flow
