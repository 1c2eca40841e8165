// rho1-to-rho2 privacy and Delta-growth of a column that left through a gamma-diagonal operator:
// with n values it keeps a value with probability gamma / (gamma + n - 1) and turns it into each
// other one with probability 1 / (gamma + n - 1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/verify/internal/claim_reader.h"
#include "pratique/verify/internal/model_claims.h"

namespace pratique::verify {
namespace {

const double kLogImpossible = std::log(kRefusedBelow);

// Chernoff: log Pr of so few (or so many) among `records` draws of probability p is at most this.
double log_tail(double count, double records, double p) {
  const double share = count / records;
  const auto term = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0; };
  return -records * (term(share, p) + term(1 - share, 1 - p));
}

// Whatever the original was, a released value's expected share lies between the two probabilities
// of the operator. A share far beyond either is not its work.
bool could_be(double count, double records, double gamma, double values) {
  if (records == 0 || values < 2) return true;
  const double least = 1 / (gamma + values - 1);
  const double most = gamma * least;
  const double share = count / records;
  if (share < least) return log_tail(count, records, least) > kLogImpossible;
  if (share > most) return log_tail(count, records, most) > kLogImpossible;
  return true;
}

// The two values that tell the most of each other: one prior on both, the odds grow by gamma.
double posterior(double prior, double gamma) { return gamma * prior / (1 - prior + gamma * prior); }

// The largest posterior(p) - p: where its derivative gamma / (1 - p + gamma p)^2 is 1.
double largest_growth(double gamma) {
  if (gamma == 1) return 0;
  const double prior = (std::sqrt(gamma) - 1) / (gamma - 1);
  return posterior(prior, gamma) - prior;
}

}  // namespace

ClaimResult check_belief(const ClaimContext& context) {
  const Json& claim = context.claim;
  ClaimResult result;
  result.attribute = text_in(claim, "sensitive");
  const double gamma = count_in(claim, "gamma");
  if (!claim.contains("values")) throw malformed("'values' is missing");
  const auto values = texts_of(claim["values"], "values");
  const bool growth = text_in(claim, "model") == "delta-growth";
  const double rho1 = growth ? 0 : number_in(claim, "rho1");
  if (rho1 >= 1) throw malformed("'rho1' is out of range");
  result.required = number_in(claim, growth ? "delta" : "rho2");
  result.achieved = growth ? largest_growth(gamma) : posterior(rho1, gamma);
  result.holds = result.achieved <= result.required + kRounding;
  result.explanation =
      growth
          ? fmt::format("a belief about '{}' grows by at most {:.4g}, {:.4g} is allowed",
                        result.attribute, result.achieved, result.required)
          : fmt::format("a belief of {:.4g} about '{}' grows to at most {:.4g}, {:.4g} is allowed",
                        rho1, result.attribute, result.achieved, result.required);

  // A bound that holds, and hardly anybody is hidden by it.
  const double kept = gamma / (gamma + static_cast<double>(values.size()) - 1);
  if (kept >= 0.9)
    result.explanation += fmt::format(
        "; {:.4g} % of the values left as they were, which hides hardly anybody", 100 * kept);

  std::map<std::string, double> counts;
  for (const auto& value : values) counts[value] = 0;
  const GroupedTable released =
      context.engine.group(context.release, {result.attribute}, context.progress);
  double records = 0;
  for (std::size_t row = 0; row < released.counts.size(); ++row) {
    const auto entry = counts.find(std::string(released.groups.columns[0].text(row)));
    if (entry == counts.end()) {
      result.holds = false;
      result.explanation =
          fmt::format("'{}' has a value that its operator cannot give", result.attribute);
      return result;
    }
    entry->second += static_cast<double>(released.counts[row]);
    records += static_cast<double>(released.counts[row]);
  }
  const bool possible = std::all_of(counts.begin(), counts.end(), [&](const auto& entry) {
    return could_be(entry.second, records, gamma, static_cast<double>(counts.size()));
  });
  if (!possible) {
    result.holds = false;
    result.achieved = 1;
    result.explanation = fmt::format(
        "the values of '{}' do not look as if they had gone through the operator that is claimed",
        result.attribute);
  }
  return result;
}

}  // namespace pratique::verify
