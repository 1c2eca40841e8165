// A result as a person reads it: the JSON object as aligned lines, lists of objects as tables.
// Figures have the words of their kind (manifest/figure.h), shares are percentages, and what a
// column of the data is called stays as it is. Lines fit the terminal.
#pragma once

#include <span>

#include "pratique/core/json.h"
#include "pratique/manifest/figure.h"
#include "terminal.h"

namespace pratique::app {

void render(const Json& result, std::span<const Figure> figures, Terminal& terminal);

}  // namespace pratique::app
