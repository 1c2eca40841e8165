// ARE (query_error.h) of a release by Anatomy: quasi-identifiers are exact, and a record of a group
// has each of the group's values by its share. A query without a sensitive value has no error.
#pragma once

#include <vector>

#include "pratique/tables/metric/query_error.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

[[nodiscard]] double anatomy_relative_error(const ProtectionInput& input, const Recoding& groups,
                                            const std::vector<CountQuery>& workload);

}  // namespace pratique::tables
