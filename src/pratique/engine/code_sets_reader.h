// Sets of codes from an opened file, of either form.
#pragma once

#include <string>

#include "pratique/core/progress.h"
#include "pratique/data/code_sets.h"
#include "pratique/data/disassociated.h"
#include "pratique/engine/engine.h"

namespace pratique {

// Of a long file, the columns of patient and code; a file of sets has no columns.
[[nodiscard]] CodeSets read_code_sets(Engine& engine, const Source& source,
                                      const std::string& patient, const std::string& code,
                                      Progress& progress);

// Sets that were taken apart; a table has the columns joint, cluster, records, chunk, part, code.
[[nodiscard]] DisassociatedSets read_disassociated(Engine& engine, const Source& source,
                                                   Progress& progress);

}  // namespace pratique
