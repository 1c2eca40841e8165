// What a manifest tells of how a table was protected, and what stays private.
#pragma once

#include "pratique/core/json.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables::flow {

// Of every method; `told` are hierarchies.
[[nodiscard]] Json parameters_of(const ProtectRequest& options, const PreparedTable& prepared,
                                 Json told);

[[nodiscard]] Json given_hierarchies(const PreparedTable& prepared);

// The hierarchies that were given, and of the others what a reader of the release can see and may
// need: the system of codes whose sections or chapters it shows. Which default fits, and how wide
// its intervals are, depends on values that may not have left.
[[nodiscard]] Json told_hierarchies(const PreparedTable& prepared, const Recoding& recoding);

// What depends on values that may not have left.
[[nodiscard]] Json private_parameters_of(const PreparedTable& prepared);

// Which l-diversity and which distance it came to, by column, as the flags would say it.
void add_kinds_of_models(Json& parameters, const Json& claims);

}  // namespace pratique::tables::flow
