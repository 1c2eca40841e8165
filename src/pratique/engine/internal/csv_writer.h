// Writes an Output as CSV: each value's text is quoted once per dictionary entry, rows are put
// together in blocks on all cores, and blocks leave in order.
#pragma once

#include <functional>
#include <string_view>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique {

void write_csv(const Output& output, Progress& progress,
               const std::function<void(std::string_view)>& sink);

}  // namespace pratique
