// Entries of a budget's ledger as JSON, and back. Reading throws Error::check where an entry is not
// of the shape it must have: what cannot be read is never taken for free.
#pragma once

#include <span>
#include <string>

#include "pratique/core/json.h"
#include "pratique/dp/budget/budget.h"

namespace pratique::dp {

inline constexpr const char* kBudgetKind = "dp-budget";
inline constexpr const char* kChargeKind = "dp-charge";

struct RecordedBudget {
  BudgetState state;
  std::string registry;
};

[[nodiscard]] Json budget_body(const BudgetTerms& terms, const std::string& registry,
                               const std::string& commitment);
[[nodiscard]] Json charge_body(const Charge& charge);
// From all entries of a ledger, as Ledger::entries gives them.
[[nodiscard]] RecordedBudget recorded_budget(std::span<const std::string> entries,
                                             const std::string& place);

}  // namespace pratique::dp
