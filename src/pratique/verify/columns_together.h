// Which columns of a release several claims are about, so that the file is read once for all.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::verify {

// Where that is worth while: the same quasi-identifiers, and few sensitive columns beside them.
// Else none.
[[nodiscard]] std::vector<std::string> columns_read_together(const Json& claims);

}  // namespace pratique::verify
