// What of the manifest of a list with names can be checked: the level chosen is the one claimed,
// everybody is in the list, it has no figures of attacks that are not made on such lists, and no
// column beside the key that looks like an identifier without saying that it was let go.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void contradict_fusion(const Evidence& evidence, std::vector<std::string>& contradictions);

}  // namespace pratique::release
