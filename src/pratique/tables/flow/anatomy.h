// A release by Anatomy (method/anatomy.h): two files, the quasi-identifiers as they are with a
// group's number, and the sensitive values of each group with their counts.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/tables/flow/prepared_table.h"

namespace pratique::tables::flow {

// Throws Error where an option does not go with it.
void refuse_beside_anatomy(const ProtectRequest& options);

// `files`: those read beside the tables; `parameters`: of every method, and those for the private
// manifest.
[[nodiscard]] Outcome protect_by_anatomy(const ProtectRequest& options,
                                         const PreparedTable& prepared,
                                         const std::vector<std::string>& files, Json parameters,
                                         const Json& private_parameters, const Run& run);

}  // namespace pratique::tables::flow
