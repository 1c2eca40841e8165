// Columns of a release that look like identifiers and of which its manifest does not say that they
// were let go (--allow): no release leaves so, and whoever cuts the word out is contradicted by the
// file.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/kind.h"

namespace pratique::release {

// `held` are columns that claims hold, or that left drawn; `identifiers` left as pseudonyms or
// numbers. In plain words, without values.
void contradict_undeclared(const Evidence& evidence, const std::vector<std::string>& held,
                           const std::vector<std::string>& identifiers,
                           std::vector<std::string>& contradictions);

}  // namespace pratique::release
