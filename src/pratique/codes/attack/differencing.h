// Differencing: what two versions of a set of patients' codes reveal about whoever is in one of
// them only (Kalaria 2010, section 2.1, third attack).
//
// Codes that one item of either release covers together cannot be told apart by both; they are one
// code here. Codes that one of the releases shows in no record were suppressed there, and are left
// out. Seen like this a patient who is in both has the same record in both, where a code becomes
// the same item for all patients, and records that are equal cancel. What remains are the records
// of those who joined, and of those who left:
//
//   where fewer than k remain on a side, all of them are exposed: knowing that somebody joined, and
//   nothing else, leaves fewer than k records;
//   where nothing remains on the other side, the patients only joined, or only left. Then whoever
//   knows the m rarest codes of one looks among these records alone, and those are exposed of whom
//   fewer than k records have them. Of codes that are equally rare, the first by name is known;
//   codes that are one have the first of their names.
//
// A record may hold cells of columns beside the codes, too (column_item): who is in another ward
// than before remains, as if one had left and another joined.
#pragma once

#include <cstdint>

#include "pratique/codes/attack/composition.h"

namespace pratique::codes {

struct CodeDifferencing {
  std::uint64_t joined = 0;  // exposed patients of the later release
  std::uint64_t left = 0;    // of the earlier one

  [[nodiscard]] std::uint64_t patients() const { return joined + left; }
};

// A cell that left as it was, as an item of a record: it stands for itself alone.
[[nodiscard]] std::string column_item(std::string_view column, std::string_view cell);

[[nodiscard]] CodeDifferencing subtract(const ComposedRelease& earlier,
                                        const ComposedRelease& later,
                                        const CompositionQuestion& question);

}  // namespace pratique::codes
