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
#pragma once

#include <string>
#include <vector>

#include "pratique/codes/model/model.h"
#include "pratique/codes/recoding.h"

namespace pratique::codes {

struct Policy {
  std::vector<std::vector<Code>> privacy = {};
  std::vector<std::vector<Code>> utility = {};
  const Dictionary* codes = nullptr;
  // Where the privacy constraints were read, and what they were: they may be whole patients, so a
  // manifest names their file and repeats none.
  std::string privacy_path = {};
  std::string privacy_sha256 = {};
};

extern const Model policy_model;  // policy
// The claim of a method that keeps to no utility policy.
void claim_privacy_alone(const Parameters& parameters, Json& claim);

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
