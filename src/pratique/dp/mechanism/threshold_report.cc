#include "pratique/dp/mechanism/threshold_report.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

// The least m with G q^m / (1 + q) <= delta. Logarithms may be off in their last places, which one
// step more makes good by a factor of q; where a step is less than that, by some more steps.
std::int64_t steps_above_one(std::uint64_t groups, double rate, double delta) {
  if (!(delta > 0 && delta < 1)) {
    throw Error::input("groups that nobody declared can be reported only with a delta")
        .hint("Open the ledger with --delta, or declare the keys with --domain COLUMN=a|b|c.");
  }
  const double exact =
      std::log(static_cast<double>(groups) / (delta * (1 + std::exp(-rate)))) / rate;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(exact * (1 + 1e-12))) + 1);
}

}  // namespace

ThresholdReport::ThresholdReport(std::uint64_t most_groups, Epsilon epsilon, double delta)
    : noise_(epsilon.over(most_groups)),
      threshold_(1 + steps_above_one(most_groups, noise_.rate(), delta)) {}

std::optional<std::int64_t> ThresholdReport::report(std::int64_t people, RandomBits& random) const {
  const std::int64_t noisy = people + noise_.draw(random);
  if (noisy < threshold_) return std::nullopt;
  return noisy;
}

}  // namespace pratique::dp
