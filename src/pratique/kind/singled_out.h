// Records that stand alone by columns that no model holds to anything: whoever knows these of a
// person finds the one record, however large its class is by the quasi-identifiers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique::release {

// The number of each row's cells in these columns: equal where all cells are.
[[nodiscard]] std::vector<std::uint32_t> number_cells(
    const std::vector<const std::vector<Code>*>& columns, std::size_t rows);

// How many records have cells in these columns that no other record has; 0 without columns. A row
// of the columns stands for `counts` records.
[[nodiscard]] std::uint64_t singled_out(const std::vector<const std::vector<Code>*>& columns,
                                        std::span<const std::uint64_t> counts);

}  // namespace pratique::release
