// The original distribution of columns that left randomised, estimated from the release.
#pragma once

#include <string>

#include "pratique/kind/run.h"

namespace pratique::tables::flow {

[[nodiscard]] Outcome reconstruct(const std::string& release, const Run& run);

}  // namespace pratique::tables::flow
