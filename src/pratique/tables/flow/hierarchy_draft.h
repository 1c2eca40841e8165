// A hierarchy over a column as a CSV file to edit (data/hierarchy_csv.h). It names values of the
// data, so the file is for its owner alone.
#pragma once

#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/tables/flow/column_roles.h"

namespace pratique::tables::flow {

struct HierarchyDraftRequest {
  std::string file;
  std::string column;
  ColumnRoles columns;  // the hierarchy to begin with, where it is not that of the default
  std::vector<std::string> date_forms = {};  // COLUMN=FORM, as tables protect takes them
  std::vector<std::string> number_forms = {};
  std::string out;
  bool replace = false;  // whatever is there; else only what is as it would be written now
};

// Result: column, spec, values, levels[{level, labels}], out.
[[nodiscard]] Outcome draft_hierarchy(const HierarchyDraftRequest& request, const Run& run);

}  // namespace pratique::tables::flow
