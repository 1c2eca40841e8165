// The values that a release shows, column by column. By these two releases of the same people are
// alike, whatever their columns are called.
#pragma once

#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/release_file.h"

namespace pratique::release {

struct ColumnValues {
  std::string column;
  bool sensitive = false;
  std::vector<std::string> values = {};  // distinct; neither '*' nor nothing
};

// Of all tables of the release, where they are what its manifest says. Sensitive are the columns
// that its parameters name; a release of sets has none.
[[nodiscard]] std::vector<ColumnValues> column_values(Engine& engine, const ReleaseFile& file,
                                                      Progress& progress);

}  // namespace pratique::release
