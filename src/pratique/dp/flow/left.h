// What is said of a budget.
#pragma once

#include "pratique/core/json.h"
#include "pratique/dp/budget/budget.h"

namespace pratique::dp::flow {

[[nodiscard]] Json left_json(const BudgetState& state);

}  // namespace pratique::dp::flow
