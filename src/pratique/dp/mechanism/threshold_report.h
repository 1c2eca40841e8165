// Reporting keys that nobody declared: which groups there are is data.
//
// A group that only one person is in shows by its name alone that the person is there. So a group
// is told only when its noisy number of people reaches a threshold.
//
// Theorem (Korolova et al. 2009; Wilson et al. 2020). Let a person be in at most G groups, and
// count each person once in a group. With noise of rate epsilon / G on the count of every group
// that has somebody, and groups told only where the noisy count is at least T, the whole is
// (epsilon, delta)-differentially private with delta = G P(1 + X >= T).
// Proof: groups that both neighbours have are the Laplace mechanism of sensitivity G, cut off
// afterwards. A group that the person is alone in is told with probability P(1 + X >= T); there are
// at most G such, and without the event that one is told, both behave the same on them.
// P(X >= m) = q^m / (1 + q) for m >= 1, q = exp(-rate).
#pragma once

#include <cstdint>
#include <optional>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {

class ThresholdReport {
 public:
  // 0 < delta < 1
  ThresholdReport(std::uint64_t most_groups, Epsilon epsilon, double delta);
  // The noisy number of people; none where it may not be told. people > 0.
  [[nodiscard]] std::optional<std::int64_t> report(std::int64_t people, RandomBits& random) const;
  [[nodiscard]] std::int64_t threshold() const { return threshold_; }
  [[nodiscard]] const DiscreteLaplace& noise() const { return noise_; }

 private:
  DiscreteLaplace noise_;
  std::int64_t threshold_;
};

}  // namespace pratique::dp
