// A table from the file to the release: prepared, protected, attacked before and after, verified,
// written with its manifest.
#pragma once

#include "pratique/kind/run.h"
#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

// Throws Error::check, and writes nothing, where no release satisfies the models.
[[nodiscard]] Outcome protect(const ProtectRequest& request, const Run& run);

}  // namespace pratique::tables::flow
