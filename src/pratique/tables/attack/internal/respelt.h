// A register as the release would write it: the adversary sees through spelling.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/data/table.h"
#include "pratique/tables/attack/assess.h"
#include "pratique/tables/attack/internal/column_matches.h"

namespace pratique::tables::internal {

// Null where the column has none.
[[nodiscard]] const Hierarchy* hierarchy_of(const Hierarchies& hierarchies,
                                            const std::string& column);
[[nodiscard]] CellsAre reading_of(const std::map<std::string, CellsAre>& readings,
                                  const std::string& column);

// The register's linked columns, with their values as the release writes them.
[[nodiscard]] Table respelt(const Table& register_table, const Table& release,
                            const std::vector<std::string>& on, const Hierarchies& hierarchies);

}  // namespace pratique::tables::internal
