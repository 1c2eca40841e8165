// Policy-based anonymisation (Loukides, Gkoulalas-Divanis, Malin, PNAS 2010).
//
//   privacy constraint   codes that an adversary may know of a patient. Those that some record
//                        still covers must be covered together by at least k patients, or by none.
//                        (Codes that no record covers were suppressed and tell nothing; without
//                        them the rest of the constraint could single a patient out.)
//   utility constraint   codes that a study counts as one. A released set lies wholly inside or
//                        wholly outside each of them, so that cases stay cases and controls stay
//                        controls. Codes of no constraint may be put together among themselves.
//
// A code becomes the same set of codes in all records, (493.00|493.01), or is suppressed in all.
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

#include <string>
#include <vector>

#include "pratique/codes/method/protection.h"

namespace pratique::codes {

struct Policy {
  std::vector<std::vector<Code>> privacy;
  std::vector<std::vector<Code>> utility;
  const Dictionary* codes = nullptr;
};

[[nodiscard]] Recoding anonymise_by_aclip(const Task& task, Progress& progress);
[[nodiscard]] Recoding anonymise_by_ugaclip(const Task& task, Progress& progress);
[[nodiscard]] Recoding anonymise_by_cba(const Task& task, Progress& progress);

// privacy, and utility where the method keeps to it: what the manifest claims.
void add_policy_claim(Json& claim, const Policy& policy, bool with_utility);

// Utility constraints of which no code is suppressed anywhere and that no released set crosses.
[[nodiscard]] std::uint64_t constraints_kept(const CodeSets& sets, const Recoding& recoding,
                                             const std::vector<std::vector<Code>>& utility);

// Constraints from the sets that an adversary can learn, one by one, such as those of discharge
// summaries (PPE): each set once.
[[nodiscard]] std::vector<std::vector<Code>> privacy_from_visits(const CodeSets& visits);
// From the nodes of a hierarchy at a level (UPE): the codes under each. Level 0 are the codes.
[[nodiscard]] std::vector<std::vector<Code>> utility_from_hierarchy(const Hierarchy& hierarchy,
                                                                    int level,
                                                                    const CodeSets& sets);

}  // namespace pratique::codes
