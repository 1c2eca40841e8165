// The columns of a request that are randomised: with what, whether they may be, and whether it
// hides anybody.
#pragma once

#include "pratique/tables/flow/prepared_table.h"
#include "pratique/tables/flow/protect_request.h"
#include "pratique/tables/method/randomisation.h"

namespace pratique::tables::flow {

// --perturb, --rho and --growth. Throws Error::input where what leaves would tell whose a value is.
void randomise_columns(const ProtectRequest& options, PreparedTable& prepared);

// Of an operator that bounds beliefs: with which probability it keeps a value.
[[nodiscard]] double share_kept(const RandomisedColumn& column);

// By what the operator may do, and not by what chance made of it, where that can be told.
[[nodiscard]] bool may_hide(const RandomisedColumn& column);

}  // namespace pratique::tables::flow
