// What an adversary believes of a target's sensitive value who counts the rows, not only the
// values.
//
// Ganta (2009) gives every value that is left the same probability. An adversary who looks at
// frequencies does better, and this is what follows exactly from the model:
//
//   1. People like the target (who fall into the same classes) have the sensitive value v with
//      probability pi(v). pi is not known; it is drawn from Dirichlet(a g), where g is the
//      distribution in all releases together and a says how close to g the people of a class are.
//   2. The target's value is a draw from pi.
//   3. Release r holds n_r candidate rows. The target is one of them with probability p_r (1 unless
//      overlap is partial), any of them with equal chance. The other rows are draws from pi,
//      independent of the target and of the other releases.
//
// Let c_r(v) be the candidate rows of release r with value v, C(v) their sum over the releases and
// N that of n_r. Given that the target has value v and is in z of the releases, all rows together
// are 1 + N - z draws, C(v) + 1 - z of them equal to v, so (with the product of
// Dirichlet-multinomial, and what does not depend on v or z left out)
//
//   P(v | rows) ~ sum over z of  e_z(v) w_z(v),
//   e_z(v) = coefficient of x^z in the product over r of (1 - p_r) + p_r x c_r(v) / n_r,
//   w_z(v) = Gamma(a g(v) + C(v) + 1 - z) / Gamma(a g(v) + C(v))
//          * Gamma(a + N) / Gamma(a + N + 1 - z).
//
// Two releases that surely hold the target: c_1(v) c_2(v) / (a g(v) + C(v) - 1). When a grows this
// becomes c_1(v) c_2(v) / g(v), naive Bayes over independent classes; small a trusts the classes
// alone. One release: c_1(v) / n_1, as anybody would say. Where a target may not be in a release,
// values that its class lacks stay possible.
//
// The weight of other people who are in both classes is ignored: they are counted twice, as
// independent draws. Cells that cover several values count in parts, by g; with them the formula is
// exact only in the limit of large a (fewer than z + 1 rows in parts leave C(v) / (z + 1) others in
// the place of C(v) - z).
//
// The strength a is fitted: it makes the class counts of all releases most probable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pratique/fusion/composed_values.h"

namespace pratique::fusion {

inline constexpr std::size_t kMostReleases = 64;

struct ValueCount {
  Value value = 0;
  double rows = 0;
};

// The candidates in one release, values ascending.
struct Candidates {
  std::span<const ValueCount> values;
  double rows = 0;
  double presence = 1;  // p_r
};

struct Posterior {
  Value best = kNoValue;  // the most probable; the first of several
  double largest = 0;     // its probability
};

// `g` sums to 1; at most kMostReleases are asked about. Nothing is believed (best is kNoValue) when
// no value is possible.
class PosteriorRule {
 public:
  PosteriorRule(std::vector<double> g, double strength);

  [[nodiscard]] Posterior posterior(std::span<const Candidates> releases) const;
  // Of every value; none where nothing is possible.
  [[nodiscard]] std::vector<double> distribution(std::span<const Candidates> releases) const;

 private:
  [[nodiscard]] double weight(Value value, double together, double rows,
                              std::span<const double> shares,
                              std::span<const Candidates> releases) const;
  // visit(value, weight) for every value of a candidate. Each other value weighs as much as its
  // share in g times what is returned.
  template <class Visit>
  double for_each_candidate(std::span<const Candidates> releases, const Visit& visit) const;

  std::vector<double> g_;
  double strength_;
  std::vector<Value> by_frequency_;  // most frequent first
};

// The strength under which the counts of the classes are most probable. Remembers how often each
// count occurs, by value and for whole classes, which is all that the probability depends on.
class StrengthFit {
 public:
  explicit StrengthFit(std::vector<double> g) : g_(std::move(g)), times_(g_.size()) {}
  void add_class(std::span<const ValueCount> values);
  // Between 0.001 and a million.
  [[nodiscard]] double strength() const;

 private:
  [[nodiscard]] double log_likelihood(double strength) const;
  std::vector<double> g_;
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      times_;  // by value: count, times
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes_;
};

}  // namespace pratique::fusion
