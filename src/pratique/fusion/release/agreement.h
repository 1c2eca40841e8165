// What of the manifest of a list with names can be checked: the level chosen is the one claimed,
// everybody is in the list, and it has no figures of attacks that are not made on such lists.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void contradict_fusion(const Evidence& evidence, std::vector<std::string>& contradictions);

}  // namespace pratique::release
