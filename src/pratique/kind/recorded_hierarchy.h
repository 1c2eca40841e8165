// The hierarchy that explains a release's labels, made again from what its manifest records.
#pragma once

#include <optional>
#include <string>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"
#include "pratique/kind/release_file.h"

namespace pratique::release {

// Over the values of `column`, by what the manifest says of the column that it calls `name`; none
// where it says nothing, or where it cannot be made again (its file is gone or another now, values
// do not fit): labels then mean nothing but themselves. Under Safe Harbor a value stands under the
// year, the age or the area that it left as, and that under its labels.
[[nodiscard]] std::optional<Hierarchy> recorded_hierarchy(const ReleaseFile& file,
                                                          const std::string& name,
                                                          const Column& column,
                                                          const std::vector<std::uint64_t>& counts);

// Whether the manifest names one for the column.
[[nodiscard]] bool records_hierarchy(const ReleaseFile& file, const std::string& name);

}  // namespace pratique::release
