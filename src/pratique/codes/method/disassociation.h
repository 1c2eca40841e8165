// k^m-anonymity by disassociation (Terrovitis, Liagouris, Mamoulis, Skiadopoulos, PVLDB 2012): all
// codes stay as they are, but which of them belong to one record is told only in part
// (data/disassociated.h). Whatever at most m codes are known of a patient, the parts can be put
// together so that at least k records have them; verify/internal/disassociation_claims.cc has the
// conditions and why they suffice.
//
// 1. Records that share frequent codes become clusters: those with the most frequent code are
//    parted from the rest, and so on, while a cluster is large.
// 2. In a cluster, codes of fewer than k records go to the item chunk. The others, frequent ones
//    first, make chunks: a code joins when the chunk stays k^m-anonymous. Where there is no item
//    chunk and the chunks cannot fill all records, the rarest code becomes one.
// 3. Neighbouring clusters become a joint cluster when that frees more codes of their item chunks:
//    those in no chunk of any of them that together at least k records have. Rows of clusters are
//    halved and the best cuts kept. The freed codes make shared chunks in the same way.
#pragma once

#include "pratique/codes/method/protection.h"
#include "pratique/data/disassociated.h"

namespace pratique::codes {

struct Disassociation {
  DisassociatedSets release;  // its codes are in the order of their texts
  // The sets of the records, by joint cluster and cluster: what the release hides.
  std::vector<std::vector<std::vector<std::uint32_t>>> members;
};

// The release does not depend on the order of the input.
[[nodiscard]] Disassociation disassociate(const Task& task, Progress& progress);

}  // namespace pratique::codes
