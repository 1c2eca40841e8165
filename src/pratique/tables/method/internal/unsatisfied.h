// The error of a method that finds no release under the models.
#pragma once

#include "pratique/tables/attribute.h"
#include "pratique/tables/model/model.h"

namespace pratique::tables::internal {

// Throws Error (a check that failed) that says which models all records as one class break, and by
// how much; that none was found where that one class would do.
[[noreturn]] void throw_unsatisfied(const ProtectionInput& input, const Models& models);

}  // namespace pratique::tables::internal
