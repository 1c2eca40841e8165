// The insider who knows somebody's whole set of codes: which codes a patient has, and that there
// are no others.
//
// A record fits a patient when it covers each of the codes and each of its items stands for one of
// them. (Codes that no record covers say nothing. Where codes were removed from some records and no
// record fits, those fit that cover most, each of their items standing for a code of the patient.)
// Most records that merely cover the codes do not fit: they show something the patient never had.
//
// The insider knows all patients that way, so a record that few patients fit is more likely
// theirs: it counts 1 / n where n patients fit it. The belief that it is a patient's is its share
// of what all records that fit the patient count together. Somebody is named when one record has at
// least nine tenths of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/codes/attack/attack.h"

namespace pratique::codes {

struct WholeSetExposure {
  std::uint64_t targets = 0;
  std::uint64_t matched_under_k = 0;  // 1 to k - 1 records fit
  std::uint64_t reidentified = 0;     // one record fits
  std::uint64_t named = 0;
  std::uint64_t named_rightly = 0;  // by the record that was made of their codes
};

// The records of a release in the making, each once, for a SearchableRelease of few records.
struct DistinctRecords {
  CodeSets counted;                // how many patients have each; no sets
  Recoding records;                // in place of the sets of the input
  std::vector<std::uint32_t> own;  // by set of the input: its record, or kNoRecord
};
inline constexpr std::uint32_t kNoRecord = 0xffffffffU;
[[nodiscard]] DistinctRecords distinct_records(const CodeSets& sets, const Recoding& recoding);

// A release in the making, and the sets it is made from.
[[nodiscard]] WholeSetExposure expose_whole_sets(const CodeSets& sets, const Recoding& recoding,
                                                 std::uint64_t k, Progress& progress);
// The same, of what is at hand: `release` is that of the distinct records.
[[nodiscard]] WholeSetExposure expose_whole_sets(const SearchableRelease& release,
                                                 const CodeSets& sets,
                                                 std::span<const std::uint32_t> own,
                                                 std::uint64_t k, Progress& progress);
// A release from a file. Who is known need not be in it, and nobody says whose a record is:
// `named_rightly` is 0.
[[nodiscard]] WholeSetExposure expose_whole_sets(const SearchableRelease& release,
                                                 const CodeSets& known, std::uint64_t k,
                                                 Progress& progress);

}  // namespace pratique::codes
