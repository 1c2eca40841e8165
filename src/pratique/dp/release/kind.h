// What report, ledger and workbench need to know of differentially private releases.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::dp {

[[nodiscard]] release::Kind kind();

}  // namespace pratique::dp
