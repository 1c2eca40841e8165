// A result as a person reads it: the JSON object as aligned lines, lists of objects as tables.
#pragma once

#include <string>

#include "pratique/core/json.h"

namespace pratique::app {

[[nodiscard]] std::string render(const Json& result);

}  // namespace pratique::app
