// Whether the manifest of a release agrees with itself and with the released file: claims that are
// weaker than what was asked for, or about fewer columns, hold of the file and yet promise less
// than the release was made for; and a column that nobody declared is in no claim.
#pragma once

#include <string>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique::release {

// In plain words, without values; none where all agrees. The original is not looked at.
[[nodiscard]] std::vector<std::string> manifest_contradictions(Engine& engine,
                                                               const std::string& release,
                                                               const std::string& private_folder,
                                                               Progress& progress);

}  // namespace pratique::release
