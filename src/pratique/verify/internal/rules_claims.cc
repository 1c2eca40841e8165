// PS-rules over released sets of codes, from their definition: for each rule, the records that
// cover all codes of the left are counted, and those of them that cover all of the right. Codes of
// the left that no record covers were suppressed and are left out: whoever knows them looks for the
// others.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"
#include "pratique/verify/internal/released_codes.h"

namespace pratique::verify {
namespace {

using Records = std::vector<std::uint32_t>;

// Those of `among` that show an item over each of the codes.
Records covering(Records among, const std::vector<std::string>& codes, const ReleasedCodes& release,
                 const std::vector<Records>& with) {
  for (const auto& code : codes) {
    Records any;
    for (const Code item : release.items_over(code)) {
      any.insert(any.end(), with[item].begin(), with[item].end());
    }
    std::sort(any.begin(), any.end());
    Records both;
    // A record with two such items stands there twice, and is kept once.
    std::set_intersection(among.begin(), among.end(), any.begin(), any.end(),
                          std::back_inserter(both));
    among = std::move(both);
  }
  return among;
}

}  // namespace

ClaimResult check_rules(const ClaimContext& context) {
  const Json& claim = context.claim;
  const auto k = static_cast<std::uint64_t>(whole_in(claim, "k"));
  const double c = number_in(claim, "c");
  if (c >= 1) throw malformed("'c' is not below 1, which every file satisfies");
  if (!claim.contains("rules") || !claim["rules"].is_array() || claim["rules"].empty()) {
    throw malformed("no list 'rules'");
  }
  const ReleasedCodes release(context);
  std::vector<Records> with(release.sets.codes.size());
  Records all;
  for (std::uint32_t r = 0; r < release.sets.size(); ++r) {
    all.push_back(r);
    for (const Code item : release.sets.set(r)) with[item].push_back(r);
  }
  const auto patients = [&](const Records& records) {
    std::uint64_t sum = 0;
    for (const auto r : records) sum += release.sets.counts[r];
    return sum;
  };

  ClaimResult result;
  result.required = c;
  result.holds = true;
  for (const auto& rule : claim["rules"]) {
    if (!rule.is_object()) throw malformed("a rule is not an object");
    auto known = names_in(rule, "known");
    const auto inferred = names_in(rule, "inferred");
    std::erase_if(known, [&](const std::string& code) { return release.items_over(code).empty(); });
    if (known.empty()) continue;
    const Records matching = covering(all, known, release, with);
    const std::uint64_t matched = patients(matching);
    if (matched == 0) continue;
    const std::uint64_t having = patients(covering(matching, inferred, release, with));
    const double share = static_cast<double>(having) / static_cast<double>(matched);
    result.achieved = std::max(result.achieved, share);
    if (!result.holds) continue;
    if (matched < k) {
      result.holds = false;
      result.explanation =
          fmt::format("the codes {{{}}} together match {} patient{}, fewer than {}",
                      fmt::join(known, ", "), matched, matched == 1 ? "" : "s", k);
    } else if (static_cast<double>(having) > c * static_cast<double>(matched) + kRounding) {
      result.holds = false;
      result.explanation =
          fmt::format("of the {} patients with {{{}}}, {} have {{{}}}, a larger share than {}",
                      matched, fmt::join(known, ", "), having, fmt::join(inferred, ", "), c);
    }
  }
  if (result.holds) {
    result.explanation = fmt::format(
        "the left of each of {} rules matches at least {} patients, or none, and at most a share "
        "{} of them has its right",
        claim["rules"].size(), k, c);
  }
  return result;
}

}  // namespace pratique::verify
