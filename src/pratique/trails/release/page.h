// The page of trails in the report, and what of their manifest can be checked.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void describe_trails(PageContext& context);
// Where the verifier finds k possible people for every sample, the attack finds nobody's.
void contradict_trails(const Evidence& evidence, std::vector<std::string>& contradictions);

}  // namespace pratique::release
