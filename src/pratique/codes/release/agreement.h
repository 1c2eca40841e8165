// What of a manifest of codes is not so: the columns of the file, which no model of codes looks at.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/kind.h"

namespace pratique::release {

void contradict_codes(const Evidence& evidence, std::vector<std::string>& contradictions);

}  // namespace pratique::release
