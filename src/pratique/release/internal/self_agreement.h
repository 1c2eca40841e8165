// Whether a manifest agrees with itself: its options, parameters, claims and figures with each
// other.
#pragma once

#include <string>
#include <vector>

#include "pratique/manifest/manifest.h"

namespace pratique::release {

// In plain words, without values; none where all agrees.
[[nodiscard]] std::vector<std::string> self_contradictions(const Manifest& manifest);

}  // namespace pratique::release
