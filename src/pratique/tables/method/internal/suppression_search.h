// The greedy search for few suppressed cells (value_suppression.h tells how).
#pragma once

#include "pratique/tables/method/internal/suppression_classes.h"

namespace pratique::tables {

// Brings every record into a class. False where no classes satisfy the models.
[[nodiscard]] bool find_classes(SuppressionClasses& state);

}  // namespace pratique::tables
