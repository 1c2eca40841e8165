// Earlier releases of a table that is released again (tables/method/next_version.h): read, held to
// be versions of the same table, and named in a claim.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/kind/run.h"
#include "pratique/tables/method/next_version.h"

namespace pratique::tables::flow {

class PreparedTable;

// Throws Error::input where one cannot be compared: it is no version of the same columns at the
// same levels of the same hierarchies, or its sensitive values were drawn at random.
[[nodiscard]] EarlierVersions read_earlier_releases(const std::vector<std::string>& paths,
                                                    const PreparedTable& prepared, const Run& run);

// What the verifier checks (verify/claims.h).
[[nodiscard]] Json claim_of_versions(const std::vector<std::string>& paths,
                                     const PreparedTable& prepared, const Recoding& recoding,
                                     const Run& run);

}  // namespace pratique::tables::flow
