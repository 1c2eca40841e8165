// A question in SQL as the tree that DuckDB's own parser makes of it. Nothing is run, and nothing
// is looked up: whoever reads the tree decides what it means.
#pragma once

#include <string>

#include "pratique/core/json.h"

namespace pratique {

// What json_serialize_sql gives: {"error": false, "statements": [{"node": ...}]}. Throws
// Error::input where it is no SELECT, with what the parser says.
[[nodiscard]] Json sql_tree(const std::string& sql);

}  // namespace pratique
