// Attacks on a protected table that go beyond its classes, for the result of tables protect: before
// and after.
#pragma once

#include "pratique/core/json.h"
#include "pratique/kind/run.h"
#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"
#include "pratique/tables/method/protection.h"

namespace pratique::tables::flow {

// What follows from how far the method went (attack/minimality.h), or why nothing was concluded.
// Only models over sensitive values make that depend on them.
void add_minimality(const ProtectRequest& options, PreparedTable& prepared,
                    const Protected& released, Json& result);

// What people's subgroups tell (attack/mined_rules.h). With one level per column the release's own
// rules say the same of everybody in a class.
void add_rules(const ProtectRequest& options, const PreparedTable& prepared,
               const Protected& released, const Run& run, Json& result);

}  // namespace pratique::tables::flow
