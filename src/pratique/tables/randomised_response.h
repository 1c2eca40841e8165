// A randomised release of a sensitive attribute: each record keeps its value with one probability
// and gets any other with another, independently of all else.
//
// rho1-to-rho2 privacy (Evfimievski, Gehrke, Srikant 2003): whoever believes something about a
// value with probability at most rho1 before seeing the released value believes it with at most
// rho2 after. An operator is gamma-amplifying when no released value is more than gamma times as
// likely from one original value as from another; whatever the prior, it gives rho1-to-rho2 privacy
// where
//   gamma <= rho2 (1 - rho1) / (rho1 (1 - rho2))                       (their theorem 1)
// because the belief pi grows at most to gamma pi / (gamma pi + 1 - pi). The operator here reaches
// that bound with the most records left intact (the gamma-diagonal matrix, Agrawal and Haritsa
// 2005): of n values, intact gamma / (gamma + n - 1), each other 1 / (gamma + n - 1).
//
// Delta-growth (Tao, Xiao, Li, Zhang 2008): no belief grows by more than delta. By the same bound
// the growth is largest at a prior of 1 / (1 + sqrt gamma), where it is
// (sqrt gamma - 1) / (sqrt gamma + 1).
//
// The randomness is the operating system's and never a seed: who repeats the draws undoes them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pratique/data/dictionary.h"

namespace pratique::tables {

// The largest gamma. Throws Error unless 0 < rho1 < rho2 < 1.
[[nodiscard]] double amplification_bound(double rho1, double rho2);
// The largest gamma of delta-growth. Throws Error unless 0 < delta < 1.
[[nodiscard]] double amplification_bound_of_growth(double delta);
// How far a belief of `prior` may get, and how much any belief may grow, at this amplification.
[[nodiscard]] double largest_posterior(double gamma, double prior);
[[nodiscard]] double largest_growth(double gamma);

class RandomisedResponse {
 public:
  // Over codes 0 to values - 1. Throws Error unless there are two values and gamma is at least 1.
  RandomisedResponse(std::size_t values, double gamma);

  [[nodiscard]] std::size_t values() const { return values_; }
  [[nodiscard]] double intact() const { return intact_; }
  [[nodiscard]] double other() const { return other_; }
  // Of the operator as it is.
  [[nodiscard]] double amplification() const { return intact_ / other_; }

  // Draws from the operating system.
  [[nodiscard]] std::vector<Code> perturb(std::span<const Code> codes) const;
  // Draws 64 random bits at a time from `bits`, for tests of the operator.
  [[nodiscard]] std::vector<Code> perturb(std::span<const Code> codes,
                                          const std::function<std::uint64_t()>& bits) const;

  // The likeliest original distribution given how often each value was released. Where the
  // unbiased estimate, the inverse of the operator, is a distribution, it is that one; else (a
  // share under 0) the nearest that is one by maximum likelihood.
  [[nodiscard]] std::vector<double> reconstruct(std::span<const std::uint64_t> released) const;
  // The unbiased estimate: its expectation is the original distribution; shares may be negative.
  [[nodiscard]] std::vector<double> unbiased(std::span<const std::uint64_t> released) const;

 private:
  std::size_t values_;
  double intact_;
  double other_;
};

}  // namespace pratique::tables
