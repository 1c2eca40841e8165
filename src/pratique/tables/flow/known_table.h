// The table of --rules-from: what an adversary has beside the release.
#pragma once

#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

// Its quasi-identifiers and sensitive columns, as far as it has them. Throws Error where it has
// none of either.
[[nodiscard]] GroupedTable known_to_adversary(const ProtectRequest& options,
                                              const PreparedTable& prepared, const Run& run);

}  // namespace pratique::tables::flow
