// A first look at a table: what its columns are, by which of them people stick out, and what looks
// like an identifier. Everything here may be shown: it holds names of columns, counts, shares and
// shapes, and no value of the data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/columns/safe_harbor.h"
#include "pratique/core/progress.h"
#include "pratique/data/schema.h"
#include "pratique/data/table.h"
#include "pratique/tables/profile/quasi_identifiers.h"

namespace pratique::tables {

using columns::ColumnType;

struct ColumnProfile {
  std::string name;
  ColumnType type = ColumnType::empty;
  std::uint64_t distinct = 0;  // values, the missing one not counted
  std::uint64_t missing = 0;   // rows: empty, '*', or a usual mark (NA N/A NULL null NaN nan ? .)
  Role suggested_role = Role::insensitive;
  std::string why;
  bool by_search = false;  // neither name nor values speak: rows are unique by it with some others
  // What it takes as a quasi-identifier where nobody says otherwise; empty of what never leaves.
  std::string hierarchy;
  bool several_rows_each = false;  // an identifier that may say whose several rows are
  std::string may_name_people;     // why it leaves as it is only if allowed to; empty: it may
};

struct Profile {
  std::uint64_t rows = 0;
  std::vector<ColumnProfile> columns;
  std::vector<QuasiIdentifier> quasi_identifiers;
  std::size_t searched_columns = 0;  // every set of up to so many columns was looked at
  std::vector<columns::SafeHarborFinding> safe_harbor;  // in the order of the columns
};

[[nodiscard]] Profile profile(const Table& table, const QuasiIdentifierSearch& search = {},
                              Progress& progress = Progress::silent());

}  // namespace pratique::tables
