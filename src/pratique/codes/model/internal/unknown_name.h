// The error of a name that is in no table.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/error.h"

namespace pratique::codes {

[[nodiscard]] Error unknown_name(const std::string& what, const std::string& name,
                                 const std::vector<std::string>& names);

}  // namespace pratique::codes
