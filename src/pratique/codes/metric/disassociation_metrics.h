// What a release by disassociation (method/disassociation.h) keeps, and whom it exposes: there are
// no records to count in, so both are reckoned over the ways in which the parts can be put
// together.
#pragma once

#include "pratique/codes/attack/attack.h"
#include "pratique/codes/method/disassociation.h"
#include "pratique/codes/metric/metrics.h"

namespace pratique::codes {

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
[[nodiscard]] DisassociationMetrics measure(const CodeSets& sets,
                                            const Disassociation& disassociation,
                                            Progress& progress, const Workload& workload = {});

// One query: how many patients are expected to have both codes (or the one, when equal), going by
// the release.
[[nodiscard]] double expected_count(const DisassociatedSets& release, Code first, Code second);

// Candidates are the most records of a patient's own cluster that have the known codes in one
// reconstruction: at least k when at most m are known.
[[nodiscard]] Exposure expose(const Disassociation& disassociation, const CodeSets& sets,
                              std::uint64_t k, std::size_t most, Progress& progress);

}  // namespace pratique::codes
