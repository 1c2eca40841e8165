// Mondrian's recursion, over all records or down to parts of a bounded size.
#pragma once

#include "pratique/tables/method/internal/splitter.h"

namespace pratique::tables {

// Parts of at most `enough` items are not cut further; 0: everything is cut as far as it goes.
[[nodiscard]] std::vector<Items> partition(const ProtectionInput& input, const Models& models,
                                           const LossSpace& space, const MondrianOptions& options,
                                           Items items, std::size_t enough, Progress& progress);

}  // namespace pratique::tables
