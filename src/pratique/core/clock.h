// The time of day as records have it: 2026-03-01T09:30:00Z.
#pragma once

#include <string>

namespace pratique {

[[nodiscard]] std::string utc_time();

}  // namespace pratique
