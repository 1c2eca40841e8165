// The columns that travel with the codes: each has one value for a patient. No model of codes alone
// holds them to anything, so nobody's leaves that nobody decided about.
#pragma once

#include <string>
#include <vector>

#include "pratique/codes/attack/columns_and_codes.h"
#include "pratique/codes/flow/protect.h"
#include "pratique/codes/format/code_file.h"
#include "pratique/core/json.h"

namespace pratique::codes::flow {

struct RiderDecisions {
  std::vector<std::string> quasi_identifiers;  // of a model that holds them
  std::vector<std::string> insensitive;        // these leave as they are
  std::vector<std::string> allowed;            // of these, those that --allow names
  struct LeftOut {
    std::string column;
    std::string why;
  };
  std::vector<LeftOut> left_out = {};  // by advice
};

// Decides about every rider of the file, and takes out of it those that must not leave. Where roles
// are suggested, what no model holds leaves only if it is the same for all patients. Throws
// Error::input where one has no role, or would leave as it is and is not allowed to.
[[nodiscard]] RiderDecisions decide_riders(const ProtectRequest& request, bool holds_columns,
                                           CodeFile& file);

// Asks where another column looks like the number of a patient who has several values of --patient:
// then these are claims or visits, and counting them would count a patient several times.
void ask_whose_codes(const CodeFile& file, const Run& run);

// Who stands alone by the columns that leave as they are (`singled_out`), and by all columns and up
// to `most` codes (`columns_and_codes_known`): adds both to the figures, nothing where no column
// leaves as it is. By patient of the file: the record as it was, or as it leaves.
void attack_by_columns(const CodeFile& file, const RiderDecisions& riders,
                       const std::vector<RecordItems>& records, std::uint64_t k, std::size_t most,
                       Json& figures, Progress& progress);

// What whoever releases these columns should know of the attack on the release, in words; empty
// where nobody stands alone.
[[nodiscard]] std::string warning_about_columns(const Json& after, const Json& unchanged);

}  // namespace pratique::codes::flow
