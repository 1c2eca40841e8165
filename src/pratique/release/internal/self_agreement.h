// Whether a manifest agrees with itself: its command, parameters, claims and figures with each
// other.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::release {

// In plain words, without values; none where all agrees.
[[nodiscard]] std::vector<std::string> self_contradictions(const Json& manifest);

}  // namespace pratique::release
