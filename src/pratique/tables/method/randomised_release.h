// rho1-to-rho2 privacy: a categorical attribute leaves randomised, and what anybody may come to
// believe about a record is bounded whatever they believed before (Evfimievski, Gehrke and Srikant,
// "Limiting privacy breaches in privacy preserving data mining", PODS 2003).
//
// X is a record's value, Y what is released for it, Q any property of X (any set of values).
//
//   rho1-to-rho2 privacy   Pr[Q(X)] <= rho1 implies Pr[Q(X) | Y = y] <= rho2, for all Q, y, priors
//   Delta-growth           Pr[Q(X) | Y = y] - Pr[Q(X)] <= Delta, for all Q, y, priors (Tao, Xiao,
//   Li
//                          and Zhang, "On anti-corruption privacy preserving publication", ICDE
//                          2008). The difference is also found written the other way round; over
//                          all Q it is the same, for what Q loses its complement gains.
//
// Amplification. A matrix amplifies by gamma when Pr[y | x] <= gamma Pr[y | x'] for all x, x', y.
// Then the odds of any Q grow by at most gamma: a prior p becomes at most
//   b(p) = gamma p / (1 + (gamma - 1) p),
// reached by a prior on two values only: the likeliest and the least likely origin of y. Hence
// - b is increasing, and b(rho1) < rho2 exactly when gamma < rho2 (1 - rho1) / (rho1 (1 - rho2)):
//   the paper's Statement 1; it rules out the downward breaches (from rho2 to rho1) as well;
// - b(p) - p is largest at p = 1 / (sqrt(gamma) + 1), where it is (sqrt(gamma) - 1) / (sqrt(gamma)
//   + 1): Delta-growth holds for all priors exactly when gamma <= ((1 + Delta) / (1 - Delta))^2.
// Both bounds are met, so both checks are exact for a matrix that amplifies by gamma and no less.
//
// The operator is the gamma-diagonal matrix (Agrawal and Haritsa 2005) over n values: p_ii =
// gamma x, p_ij = x, x = 1 / (gamma + n - 1). No matrix that amplifies by at most gamma has a
// larger mean diagonal. Drawing: keep with probability (gamma - 1) x, else any of the n values.
//
// Mind three things.
// - A missing value is a value like any other here: were it always kept, missingness would be
//   released as it is, and no gamma would bound what that tells.
// - The domain is published. Taken from the column it tells which values occur in the table; give
//   the domain of the coding system where that matters.
// - The noise must stay unknown: see noise_source.h. And each value may be released once only: two
//   independent releases multiply to an amplification of gamma squared.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pratique/crypto/noise_source.h"
#include "pratique/data/table.h"
#include "pratique/tables/method/transition_matrix.h"

namespace pratique::tables {

// The amplification of a matrix: infinite where some values lead to a y and others do not. A y that
// nothing leads to does not count.
[[nodiscard]] double amplification(const TransitionMatrix& matrix);

// b(p) above.
[[nodiscard]] double worst_posterior(double gamma, double prior);
// The largest b(p) - p.
[[nodiscard]] double worst_growth(double gamma);
// The growth for one known prior: the largest Pr[Q | y] - Pr[Q] over all Q and y. For each y that
// is the Q of the values that y made likelier.
[[nodiscard]] double growth(const TransitionMatrix& matrix, std::span<const double> prior);

// rho2 (1 - rho1) / (rho1 (1 - rho2)). Throws Error unless 0 < rho1 < rho2 < 1.
[[nodiscard]] double amplification_limit(double rho1, double rho2);
// Whether an amplification of gamma rules out breaches: the limit is above it.
[[nodiscard]] bool limits_breaches(double gamma, double rho1, double rho2);
[[nodiscard]] bool limits_growth(double gamma, double delta);
// The largest gamma that passes the check, short of it by a part in 10^9 so that rounding in the
// matrix does not matter. Throws Error unless 0 < delta < 1.
[[nodiscard]] double gamma_for_breaches(double rho1, double rho2);
[[nodiscard]] double gamma_for_growth(double delta);

// The operator. gamma >= 1; at 1 what is released tells nothing.
class GammaDiagonal {
 public:
  GammaDiagonal(std::size_t values, double gamma);

  [[nodiscard]] double gamma() const { return gamma_; }
  [[nodiscard]] double off_diagonal() const { return x_; }
  [[nodiscard]] double diagonal() const { return gamma_ * x_; }  // a value leaves as it is
  [[nodiscard]] TransitionMatrix matrix() const;

  // Codes below the number of values.
  [[nodiscard]] std::vector<Code> draw(std::span<const Code> codes, NoiseSource& noise) const;

  // The shares of the original from those released, in closed form: (q_j - x) / ((gamma - 1) x).
  // Unbiased; a share may come out below 0. Throws Error at gamma = 1.
  [[nodiscard]] std::vector<double> reconstruct(std::span<const double> released) const;

 private:
  std::size_t values_;
  double gamma_;
  double x_;
};

// The column released over `domain` (empty: the column's own values). The codes of what comes back
// are those of the domain, all of it. Throws Error when the domain lacks a value of the column,
// without naming it.
[[nodiscard]] Column randomised_release(const Column& column, double gamma, NoiseSource& noise,
                                        std::span<const std::string> domain = {});

// The most likely distribution of the original behind the released shares for any matrix, by
// iterated Bayes (Agrawal and Srikant 2000; it is expectation maximisation, Agrawal and Aggarwal
// 2001): a distribution always.
struct Reconstruction {
  std::vector<double> shares;
  std::size_t iterations = 0;
  bool converged = false;  // the last step moved less than the tolerance, summed over all shares
};
[[nodiscard]] Reconstruction reconstruct(const TransitionMatrix& matrix,
                                         std::span<const double> released, double tolerance = 1e-9,
                                         std::size_t most_iterations = 10000);

}  // namespace pratique::tables
