// The adversary who knows the columns that leave beside the codes as well as a few codes. No model
// of codes alone holds these columns: among the patients with the same columns, a few codes single
// out whom they hide among all patients.
//
// A patient is re-identified when the columns and some `most` or fewer items of the record are in
// no other record, and matched under k when they are in fewer than k. All sets of up to three items
// are tried and, where more may be known, the `most` rarest items together, so that for more than
// three the figures are lower bounds. Of a record with more than 200 items, the 200 that are rarest
// among the patients with the same columns are tried.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/codes/attack/attack.h"

namespace pratique::codes {

// A record: its items, ascending. Empty where a patient has none, who is then no target.
using RecordItems = std::span<const std::uint32_t>;

// By patient: the record, and a number that those with the same columns share.
[[nodiscard]] Exposure expose_with_columns(std::span<const RecordItems> records,
                                           std::span<const std::uint32_t> columns, std::uint64_t k,
                                           std::size_t most, Progress& progress);

}  // namespace pratique::codes
