// Methods for a policy (model/policy.h). A code becomes the same set of codes in all records,
// (493.00|493.01), or is suppressed in all.
//
//   ugaclip   constraint by constraint, that with most patients first: its rarest code is put
//             together with the code that gives the least UL, as long as utility constraints allow
//             and as that can help; then the rarest code is suppressed
//   aclip     the same without a utility policy
//   cba       of all codes of the constraint, the two sets with the least UL are put together; of
//             equal ones those that need least protection, being most frequent. Suppressed is what
//             leaves the fewest studies harmed, and given back at the end where all constraints
//             hold without it
#pragma once

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

[[nodiscard]] Recoding anonymise_by_aclip(const Task& task, Progress& progress);
[[nodiscard]] Recoding anonymise_by_ugaclip(const Task& task, Progress& progress);
[[nodiscard]] Recoding anonymise_by_cba(const Task& task, Progress& progress);

}  // namespace pratique::codes
