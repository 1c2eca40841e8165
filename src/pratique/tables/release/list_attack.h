// What the holder of a list of named people finds in a table, in the original and in the release:
// the attack of tables/attack/linkage_attack.h by the quasi-identifiers that the list has. Counts
// alone go into the report.
#pragma once

#include "pratique/engine/engine.h"
#include "pratique/kind/kind.h"

namespace pratique::release {

// Throws when the list shares no quasi-identifier with the release, or what is needed to read the
// release's labels is not at hand. Where the original or the release is not, a note says so.
void attack_with_list(PageContext& context, const Source& list);

}  // namespace pratique::release
