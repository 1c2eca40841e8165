// Every model that a manifest's parameters ask for has a claim with the same numbers, about the
// same column: a claim that was made weaker, turned into that of a weaker model, or cut out, is
// noticed although what is left of the claims holds.
#pragma once

#include <string>
#include <vector>

#include "pratique/manifest/manifest.h"

namespace pratique::release {

void compare_requested_models(const Manifest& manifest, std::vector<std::string>& contradictions);

}  // namespace pratique::release
