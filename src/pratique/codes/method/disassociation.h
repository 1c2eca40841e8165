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

#include "pratique/codes/attack/attack.h"
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

struct DisassociationMetrics {
  std::uint64_t joint_clusters = 0;
  std::uint64_t clusters = 0;
  std::uint64_t chunks = 0;
  std::uint64_t shared_chunks = 0;
  double occurrences_counted = 0;  // share of codes in records that are in chunks
  double pairs_kept = 0;           // share of pairs of codes in records that are in one part
  double are = 0;                  // as in metrics.h
};
// The expected count of codes takes the parts of a chunk as spread evenly and independently of
// other chunks over their records, and a code of an item chunk as that of one record.
[[nodiscard]] DisassociationMetrics measure(const CodeSets& sets, const Disassociation& made,
                                            Progress& progress);

// One query: how many patients are expected to have both codes (or the one, when equal), going by
// the release.
[[nodiscard]] double expected_count(const DisassociatedSets& release, Code first, Code second);

// Candidates are the most records of a patient's own cluster that have the known codes in one
// reconstruction: at least k when at most m are known.
[[nodiscard]] Exposure expose(const Disassociation& made, const CodeSets& sets, std::uint64_t k,
                              std::size_t most, Progress& progress);

}  // namespace pratique::codes
