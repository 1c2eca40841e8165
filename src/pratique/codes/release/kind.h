// Sets of codes as the report, the ledger and the workbench see them.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::codes {

[[nodiscard]] release::Kind kind();

}  // namespace pratique::codes
