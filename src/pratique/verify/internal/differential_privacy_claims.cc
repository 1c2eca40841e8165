#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "pratique/data/number.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

// COLUMN_low, COLUMN_high for each column, then numbers under count.
bool holds_boxes(const ClaimContext& context) {
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
  return boxes;
}

// The declared columns, each with values that were declared before anybody looked at the data.
bool holds_declared_values(const ClaimContext& context, const Json& declared) {
  if (!declared.is_object() || declared.empty())
    throw malformed("'values' is not a list by column");
  const auto& columns = context.release.columns;
  bool fits = columns.size() == declared.size();
  for (const auto& column : columns) fits = fits && declared.contains(column);
  if (!fits) return false;
  context.engine.count_values(
      context.release, columns, context.progress, [&](const ValueCounts& counts) {
        const auto texts = texts_of(declared.at(counts.name), "values");
        const std::set<std::string, std::less<>> known(texts.begin(), texts.end());
        for (const auto& value : counts.values.values()) {
          fits = fits && known.contains(value);
        }
      });
  return fits;
}

}  // namespace

// That noise was added nobody can find in a file: the claim is attested by the program that made
// it. What can be found is checked: that the file holds counts of boxes, and so no rows of people,
// or that a synthetic table holds no value that comes from the data.
ClaimResult check_differential_privacy(const ClaimContext& context) {
  ClaimResult result;
  result.required = number_in(context.claim, "epsilon");
  result.achieved = result.required;
  const double delta = number_in(context.claim, "delta");
  if (!(result.required > 0) || !(delta >= 0 && delta < 1))
    throw malformed("'epsilon' or 'delta' out of range");
  const auto declared = context.claim.find("values");
  const bool rows = declared != context.claim.end();
  result.holds = rows ? holds_declared_values(context, *declared) : holds_boxes(context);
  if (result.holds) {
    result.explanation =
        fmt::format("attested: epsilon {}, delta {}; the file holds {} alone", result.required,
                    delta, rows ? "declared values" : "counts of boxes");
  } else {
    result.explanation = rows ? "the file has columns or values that were not declared"
                              : "the file is not a table of boxes and their counts";
  }
  return result;
}

}  // namespace pratique::verify
