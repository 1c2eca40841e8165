// Whether a manifest is one of its kind. What is checked of its figures is the kind's to know, so
// whoever calls a release by another kind would have them believed.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/kind.h"

namespace pratique::release {

// In plain words, without values; none where all is so.

// The verb makes releases of the kind, and its models are claimed and no others.
[[nodiscard]] std::vector<std::string> kind_misfits(const Kind& kind, const Manifest& manifest);
// Each file that the options name is an input.
[[nodiscard]] std::vector<std::string> unrecorded_files(const Kind& kind, const Manifest& manifest);

}  // namespace pratique::release
