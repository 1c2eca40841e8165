// What a person looks at in a table: its rows, its distributions, its hierarchies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/tables/flow/column_roles.h"

namespace pratique::tables::flow {

struct RowsRequest {
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t limit = 100;
};
[[nodiscard]] Outcome view_rows(const RowsRequest& request, const Run& run);

struct DistributionsRequest {
  std::string file;
  std::vector<std::string> columns;  // empty: all
  std::size_t top = 20;              // bins of each
};
[[nodiscard]] Outcome view_distributions(const DistributionsRequest& request, const Run& run);

struct CrosstabRequest {
  std::string file;
  std::vector<std::string> columns;  // two
  std::size_t top = 10;              // values of each that are shown by themselves
};
// How often the values of two columns stand together, and how much one tells of the other: Cramer's
// V (Mathematical Methods of Statistics, 1946, 21.9), over all values.
[[nodiscard]] Outcome view_crosstab(const CrosstabRequest& request, const Run& run);

struct HierarchyRequest {
  std::string file;
  std::string column;
  std::size_t nodes = 500;  // of the tree, to show
  ColumnRoles columns;
};
// Passes where the hierarchy covers every value of the column.
[[nodiscard]] Outcome view_hierarchy(const HierarchyRequest& request, const Run& run);

}  // namespace pratique::tables::flow
