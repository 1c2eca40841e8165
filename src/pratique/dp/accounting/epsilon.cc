#include "pratique/dp/accounting/epsilon.h"

#include <algorithm>
#include <cmath>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

constexpr double kLargestEpsilon = 1000;

Error too_small_to_share() {
  return Error::input("epsilon is too small to be shared among the parts of this answer")
      .hint("Give more epsilon, or ask for less at once.");
}

}  // namespace

Epsilon Epsilon::from(double value) {
  // Written so that it refuses what is not a number, too.
  if (!(value >= 1e-9 && value <= kLargestEpsilon)) {
    throw Error::input("epsilon must be at least 0.000000001 and at most 1000")
        .hint("Common values lie between 0.01 and 10; smaller is more private.");
  }
  return {static_cast<std::uint64_t>(std::llround(value * static_cast<double>(kPerUnit)))};
}

Rational Epsilon::over(std::uint64_t sensitivity) const {
  if (billionths == 0) throw too_small_to_share();
  return Rational::quotient(billionths, kPerUnit, sensitivity);
}

Epsilon::Split Epsilon::split(double share) const {
  if (billionths < 2) throw too_small_to_share();
  const auto first = static_cast<std::uint64_t>(share * static_cast<double>(billionths));
  const std::uint64_t kept = std::clamp<std::uint64_t>(first, 1, billionths - 1);
  return {{kept}, {billionths - kept}};
}

}  // namespace pratique::dp
