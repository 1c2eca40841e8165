// Which columns say whose the rows are, whatever they are called: rows with the same value also
// share what does not change from visit to visit, such as a date of birth and the sex, far more
// often than any two rows do. The number of a case or a family does so, too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/data/table.h"

namespace pratique::tables {

// For each column the names of those that its rows share; empty where it says nothing about people,
// where too few rows repeat, and where nothing that lasts stands in the table. `contents` are those
// of the columns.
[[nodiscard]] std::vector<std::vector<std::string>> shared_by_person(
    const Table& table, std::span<const columns::ColumnContent> contents);

}  // namespace pratique::tables
