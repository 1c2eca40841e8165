// Standard input and pipes can be read once; the engine reads a file more than once. So they are
// copied into the engine's private folder first.
#pragma once

#include <string>

#include "pratique/core/progress.h"

namespace pratique {

// True for "-" and for FIFOs, sockets and character devices.
[[nodiscard]] bool must_be_spooled(const std::string& path);

// Copies to `target`.
void spool(const std::string& path, const std::string& target, Progress& progress);

}  // namespace pratique
