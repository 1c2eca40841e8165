// Zero-concentrated differential privacy (Bun and Steinke 2016).
//
// Definition. M is rho-zCDP when for all neighbours D, D' and all a > 1 the Renyi divergence of
// order a between M(D) and M(D') is at most rho a.
//
// - Gaussian noise of parameter s^2 on a function of Euclidean sensitivity D is D^2 / (2 s^2)-zCDP,
//   the discrete one too (mechanism/discrete_gaussian.h).
// - epsilon-differential privacy is epsilon^2 / 2-zCDP (proposition 1.4).
// - Composition: rho adds up, also when each rho_i is chosen after earlier answers, as long as the
//   sum stays within a limit set beforehand (Feldman and Zrnic 2021; Whitehouse et al. 2023).
// - rho-zCDP is (epsilon, delta)-differentially private for every a > 1 with
//     epsilon = rho a + (ln(1 / (a delta)) + (a - 1) ln(1 - 1/a)) / (a - 1)
//   (Canonne, Kamath and Steinke 2020, proposition 12 with its Renyi bound). Whichever a is taken
//   gives a true bound, so looking for the best one with floating-point numbers risks nothing; what
//   comes out is rounded against the user.
#pragma once

#include "pratique/dp/accounting/privacy_loss.h"

namespace pratique::dp {

// The least epsilon known for it.
[[nodiscard]] double epsilon_of_zcdp(double rho, double delta);
// The largest rho that is (epsilon, delta)-differentially private by the bound above.
[[nodiscard]] double zcdp_within(Epsilon epsilon, double delta);
[[nodiscard]] double zcdp_of_pure(Epsilon epsilon);

class ZcdpFilter {
 public:
  explicit ZcdpFilter(double rho) : limit_(rho) {}
  [[nodiscard]] bool admit(double rho);
  [[nodiscard]] double spent() const { return spent_; }
  [[nodiscard]] double left() const { return limit_ - spent_; }

 private:
  double limit_;
  double spent_ = 0;
};

}  // namespace pratique::dp
