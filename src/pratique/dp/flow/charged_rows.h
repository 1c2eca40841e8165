// The one way from a charge to the data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pratique/dp/budget/budget.h"
#include "pratique/dp/mechanism/noise.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/run.h"

namespace pratique::dp::flow {

struct ChargedRows {
  BudgetState after;
  GroupedTable table;                 // the columns; the person's is the last where there is one
  std::vector<std::uint64_t> counts;  // rows that each stands for, bounded per person
};

// Charges, and only then reads. Which rows of a person count is drawn in a phase of `noise`.
[[nodiscard]] ChargedRows charged_rows(const std::string& ledger, const BudgetTerms& terms,
                                       const Charge& charge, const Source& source,
                                       std::vector<std::string> columns, Noise& noise,
                                       const Run& run);

}  // namespace pratique::dp::flow
