#include "pratique/dp/flow/charged_rows.h"

#include "pratique/dp/person_rows.h"

namespace pratique::dp::flow {

ChargedRows charged_rows(const std::string& ledger, const BudgetTerms& terms, const Charge& charge,
                         const Source& source, std::vector<std::string> columns, Noise& noise,
                         const Run& run) {
  ChargedRows rows;
  rows.after = charge_budget(ledger, charge, run.progress);
  // Charged: from here on the data may be looked at.
  if (!terms.person.empty()) columns.push_back(terms.person);
  rows.table = run.engine.group(source, columns, run.progress);
  rows.counts = rows.table.counts;
  if (!terms.person.empty()) {
    RandomBits choice = noise.phase("rows of people");
    rows.counts =
        rows_within(rows.counts, rows.table.groups.columns.back(), terms.max_rows, choice);
  }
  return rows;
}

}  // namespace pratique::dp::flow
