// The columns that travel with the codes: each has one value for a patient. No model of codes alone
// holds them to anything, so nobody's leaves that nobody decided about.
#pragma once

#include <string>
#include <vector>

#include "pratique/codes/flow/protect.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/codes/recoding.h"
#include "pratique/core/json.h"

namespace pratique::codes::flow {

struct RiderDecisions {
  std::vector<std::string> quasi_identifiers;  // of a model that holds them
  std::vector<std::string> insensitive;        // these leave as they are
  std::vector<std::string> allowed;  // of these, those that do so only because they are allowed to
};

// Decides about every rider of the file, and takes out of it those that must not leave. Throws
// Error::input where one has no role, or would leave as it is and is not allowed to.
[[nodiscard]] RiderDecisions decide_riders(const ProtectRequest& request, bool holds_columns,
                                           CodeFile& file);

// How many patients stand alone by the columns that leave as they are, before and after; nothing
// where there is no such column.
void add_singled_out(const CodeFile& file, const Recoding& recoding, const RiderDecisions& riders,
                     Json& result);

}  // namespace pratique::codes::flow
