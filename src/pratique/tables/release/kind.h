// Tables as the report, the ledger and the workbench see them.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::tables {

// The attack on several releases of tables joins them, and stands with what joins (fusion/), which
// tables cannot know: whoever lists the kinds brings it.
[[nodiscard]] release::Kind kind(decltype(release::Kind::attack_sequence) attack_sequence);

}  // namespace pratique::tables
