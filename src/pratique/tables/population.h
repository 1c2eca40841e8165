// A population beside the table: its people join the grouped table as groups of no records, so that
// every class counts them with the cells it has, whatever the method.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/data/table.h"

namespace pratique::tables {

// Appends `people` (grouped by the quasi-identifiers) with count 0, and gives for every group how
// many people it stands for: 0 for the groups that were there. The other columns of the new groups
// are empty.
[[nodiscard]] std::vector<std::uint64_t> add_population(
    GroupedTable& table, const GroupedTable& people,
    const std::vector<std::string>& quasi_identifiers);

}  // namespace pratique::tables
