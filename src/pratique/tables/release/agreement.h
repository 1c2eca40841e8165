// What of a table's manifest can be checked by itself and against the files: the options ask for
// the columns, hierarchies, models and settings that it records; shares and risks follow from the
// counts beside them; the columns named are columns of the files, and those that left unchanged
// have the original's rows; cells are of the levels named; rows read and released; classes and what
// they disclose before, as the original has it; and after, as the released file has it, or no less
// where the method made more classes (of which some have the same cells).
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::release {

void contradict_table(const Evidence& evidence, std::vector<std::string>& contradictions);

}  // namespace pratique::release
