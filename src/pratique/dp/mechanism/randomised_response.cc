#include "pratique/dp/mechanism/randomised_response.h"

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

std::uint64_t other_values(std::uint64_t values) {
  if (values < 2) throw Error::input("randomised response needs at least two values");
  return values - 1;
}

}  // namespace

RandomisedResponse::RandomisedResponse(std::uint64_t values, Epsilon epsilon)
    : values_(values), lie_(ExactProbability::logistic(epsilon.over(1), other_values(values))) {}

std::uint64_t RandomisedResponse::draw(std::uint64_t truth, RandomBits& random) const {
  // Both are always drawn, so that a lie takes no longer than the truth.
  const bool lies = lie_.draw(random);
  const std::uint64_t other = random.below(values_ - 1);
  if (!lies) return truth;
  return other < truth ? other : other + 1;
}

}  // namespace pratique::dp
