// (h,k,p)-coherence of released sets of codes, from its definition.
//
// Every public code has one item in all records (where it has not, the claim fails), so codes that
// are known match the records with their items: it is enough to look at every set of 1 to p public
// items that occurs. For each, its patients are counted, and those of them with each sensitive
// code.
#include <fmt/format.h>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/known_sets.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {

ClaimResult check_coherence(const ClaimContext& context) {
  const auto k = static_cast<std::uint64_t>(whole_in(context.claim, "k"));
  const double h = count_in(context.claim, "h");
  const auto p = static_cast<int>(whole_in(context.claim, "p"));
  const ReleasedCodes release(context);
  const auto sensitive = release.sensitive(context.claim);
  ClaimResult result;
  result.required = static_cast<double>(k);
  result.explanation = sensitive.fault;
  if (!sensitive.fault.empty()) return result;

  KnownSets known(release, sensitive.item, h, k);
  std::vector<std::uint32_t> all;
  for (std::uint32_t r = 0; r < release.sets.size(); ++r) all.push_back(r);
  context.progress.begin("counting sets of public codes", 0);
  known.check(all, p);
  result.achieved = known.smallest();
  result.holds = known.fault().empty();
  result.explanation = result.holds
                           ? fmt::format(
                                 "any {} public codes match at least {} patients, or none, and at "
                                 "most one in {} of them has a given sensitive code",
                                 p, k, h)
                           : known.fault();
  return result;
}

}  // namespace pratique::verify
