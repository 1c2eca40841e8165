// Lists with names as the report, the ledger and the workbench see them.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::fusion {

[[nodiscard]] release::Kind kind();

}  // namespace pratique::fusion
