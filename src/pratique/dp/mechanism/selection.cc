#include "pratique/dp/mechanism/selection.h"

#include <algorithm>

#include "pratique/core/error.h"

namespace pratique::dp {
namespace {

void require_candidates(std::span<const std::int64_t> scores) {
  if (scores.empty()) throw Error::input("there is nothing to choose from");
}

}  // namespace

std::size_t exponential_mechanism(std::span<const std::int64_t> scores, std::uint64_t sensitivity,
                                  Epsilon epsilon, RandomBits& random) {
  require_candidates(scores);
  const std::int64_t best = *std::max_element(scores.begin(), scores.end());
  const Rational rate = epsilon.over(2 * sensitivity);
  while (true) {
    const auto candidate = static_cast<std::size_t>(random.below(scores.size()));
    const auto behind =
        static_cast<std::uint64_t>(best) - static_cast<std::uint64_t>(scores[candidate]);
    if (bernoulli_exp_minus(static_cast<Wide>(behind) * rate.numerator, rate.denominator, random)) {
      return candidate;
    }
  }
}

std::size_t NoisyMaximum::choose(std::span<const std::int64_t> scores, RandomBits& random) const {
  require_candidates(scores);
  std::size_t winner = 0;
  __extension__ using Signed = __int128;
  Signed largest = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Signed noisy = static_cast<Signed>(scores[i]) + static_cast<Signed>(noise_.draw(random));
    if (i == 0 || noisy > largest) {
      winner = i;
      largest = noisy;
    }
  }
  return winner;
}

}  // namespace pratique::dp
