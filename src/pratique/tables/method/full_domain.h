// Full-domain generalisation: every value of a quasi-identifier is replaced by its ancestor at one
// level of the column's hierarchy, the same level in all records (Samarati 2001), and the records
// of classes that do not satisfy the models are suppressed: they do not leave at all.
#pragma once

#include <vector>

#include "pratique/tables/model/model.h"
#include "pratique/tables/recoding.h"

namespace pratique::tables {

// levels[i]: of attribute i. A value at level 0 keeps its text, escaped where it would read as a
// generalised one.
[[nodiscard]] Recoding apply_levels(const ProtectionInput& input, const std::vector<int>& levels,
                                    const Models& models);

}  // namespace pratique::tables
