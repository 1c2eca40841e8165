// Complete k-anonymity of released sets of codes: every released set is that of at least k
// patients. Codes that match a record, however many, then match at least k.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "pratique/engine/code_sets_reader.h"
#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

ClaimResult check_complete(const ClaimContext& context) {
  ClaimResult result;
  result.required = count_in(context.claim, "k");
  const bool sets_form = context.release.format == FileFormat::sets;
  const CodeSets release = read_code_sets(
      context.engine, context.release, sets_form ? "" : text_in(context.claim, "patient"),
      sets_form ? "" : text_in(context.claim, "code"), context.progress);
  const auto rarest = std::min_element(release.counts.begin(), release.counts.end());
  result.achieved =
      rarest == release.counts.end() ? std::numeric_limits<double>::infinity() : *rarest;
  result.holds = result.achieved >= result.required;
  if (result.holds) {
    result.explanation = fmt::format(
        "every released set of codes belongs to at least {:.0f} patients, {:.0f} are required",
        result.achieved, result.required);
    return result;
  }
  std::vector<std::string_view> names;
  for (const Code item : release.set(static_cast<std::size_t>(rarest - release.counts.begin()))) {
    names.push_back(release.codes.value(item));
  }
  std::sort(names.begin(), names.end());
  result.explanation =
      fmt::format("the set {{{}}} belongs to {} patient{}, fewer than {:.0f}",
                  fmt::join(names, ", "), *rarest, *rarest == 1 ? "" : "s", result.required);
  return result;
}

}  // namespace pratique::verify
