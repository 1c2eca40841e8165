// Genomes, for the report, the ledger and the workbench.
#pragma once

#include "pratique/kind/kind.h"

namespace pratique::genomes {

[[nodiscard]] release::Kind kind();

}  // namespace pratique::genomes
