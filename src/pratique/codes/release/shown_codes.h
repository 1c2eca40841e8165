// The codes that a release shows (kind/column_values.h): those that its labels stand for.
#pragma once

#include "pratique/kind/column_values.h"

namespace pratique::release {

[[nodiscard]] std::vector<ColumnValues> shown_codes(Engine& engine, const ReleaseFile& file,
                                                    Progress& progress);

}  // namespace pratique::release
