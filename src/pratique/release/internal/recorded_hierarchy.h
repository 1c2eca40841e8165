// The hierarchy that explains a release's labels, made again from what its manifest records.
#pragma once

#include <optional>
#include <string>

#include "pratique/data/hierarchy.h"
#include "pratique/data/table.h"

namespace pratique::release {

// Over the values of `column`; none where it cannot be made (its file is gone, values do not fit):
// labels then mean nothing but themselves.
[[nodiscard]] std::optional<Hierarchy> recorded_hierarchy(const std::string& spec,
                                                          const Column& column,
                                                          const std::vector<std::uint64_t>& counts);

}  // namespace pratique::release
