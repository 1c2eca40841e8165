// What report, ledger and verify need to know of the lists that sites of a consortium disclose.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::consortium {

[[nodiscard]] release::Kind kind();

}  // namespace pratique::consortium
