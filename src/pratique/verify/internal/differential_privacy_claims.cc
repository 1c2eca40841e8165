#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

// That noise was added nobody can find in a file: the claim is attested by the program that made
// it. What can be found is checked: that the file holds counts of boxes, and so no rows of people.
ClaimResult check_differential_privacy(const ClaimContext& context) {
  ClaimResult result;
  result.required = number_in(context.claim, "epsilon");
  result.achieved = result.required;
  const double delta = number_in(context.claim, "delta");
  if (!(result.required > 0) || !(delta < 1)) throw malformed("'epsilon' or 'delta' out of range");
  const auto& columns = context.release.columns;
  bool boxes = columns.size() >= 3 && columns.size() % 2 == 1 && columns.back() == "count";
  for (std::size_t i = 0; boxes && i + 1 < columns.size(); i += 2) {
    boxes = columns[i].ends_with("_low") &&
            columns[i + 1] == columns[i].substr(0, columns[i].size() - 4) + "_high";
  }
  if (boxes) {
    context.engine.count_values(context.release, {"count"}, context.progress,
                                [&](const ValueCounts& counts) {
                                  for (const auto& value : counts.values.values()) {
                                    boxes = boxes && is_number(value);
                                  }
                                });
  }
  result.holds = boxes;
  result.explanation =
      boxes ? fmt::format("attested: epsilon {}, delta {}; the file holds counts of boxes alone",
                          result.required, delta)
            : "the file is not a table of boxes and their counts";
  return result;
}

}  // namespace pratique::verify
