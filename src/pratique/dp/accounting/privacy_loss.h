// What an answer costs, and how costs add up.
//
// Definition (Dwork et al. 2006). A mechanism M is (epsilon, delta)-differentially private when for
// all neighbours D, D' and every set S of outputs P(M(D) in S) <= e^epsilon P(M(D') in S) + delta.
// Neighbours differ by one person, added or removed with all rows.
//
// Sequential composition. Answers of (e_i, d_i) about the same people are together
// (sum e_i, sum d_i), also when each question, and each e_i, is chosen after the earlier answers
// were seen, as long as the sum never passes a limit set beforehand: this limit is a privacy filter
// (Rogers, Roth, Ullman and Vadhan 2016, theorem 3.6).
//
// Parallel composition. Answers about disjoint sets of people, divided by something that does not
// depend on other people, cost what the dearest of them costs.
//
// What is wrong: advanced composition (about sqrt(2 k ln(1/d)) e for k answers of e) with an e that
// is chosen as one goes. Its proof fixes all e_i beforehand. An analyst who asks cheaply until an
// answer happens to look telling, and dearly from then on, makes the sum of squares itself depend
// on the data, and the bound fails (ibid., section 4). Who wants its square root uses zCDP, whose
// sum is a filter again (zcdp.h).
#pragma once

#include <cstdint>
#include <span>

#include "pratique/dp/accounting/epsilon.h"

namespace pratique::dp {

// Delta as a whole number of 10^-18.
struct Delta {
  static constexpr std::uint64_t kPerUnit = 1'000'000'000'000'000'000;

  std::uint64_t parts = 0;

  // The nearest. Throws Error::input below 0 or at 1 and above.
  [[nodiscard]] static Delta from(double value);
  [[nodiscard]] double value() const { return static_cast<double>(parts) / kPerUnit; }

  friend auto operator<=>(const Delta&, const Delta&) = default;
  friend Delta operator+(Delta a, Delta b) { return {a.parts + b.parts}; }
  friend Delta operator-(Delta a, Delta b) { return {a.parts - b.parts}; }
};

struct PrivacyLoss {
  Epsilon epsilon = {};
  Delta delta = {};

  friend bool operator==(const PrivacyLoss&, const PrivacyLoss&) = default;
  // Whether it stays within both.
  [[nodiscard]] bool within(const PrivacyLoss& limit) const {
    return epsilon <= limit.epsilon && delta <= limit.delta;
  }
};

[[nodiscard]] PrivacyLoss sequential(std::span<const PrivacyLoss> losses);
[[nodiscard]] PrivacyLoss parallel(std::span<const PrivacyLoss> losses);

// Lets answers pass, whatever each costs and however it was chosen, until the limit is reached.
class PrivacyFilter {
 public:
  explicit PrivacyFilter(const PrivacyLoss& limit) : limit_(limit) {}
  // Whether it may be answered; if so, it is spent.
  [[nodiscard]] bool admit(const PrivacyLoss& loss);
  [[nodiscard]] const PrivacyLoss& spent() const { return spent_; }
  [[nodiscard]] PrivacyLoss left() const;

 private:
  PrivacyLoss limit_;
  PrivacyLoss spent_;
};

// Corollary 1 of Xiao, Xiong and Yuan (2010): with epsilon below ln(factor) / queries, nobody's
// probability of an answer grows to `factor` times its prior after that many queries, and below
// -ln(prior) / queries it does not become certain. The largest billionth below both. Throws
// Error::input unless 0 < prior < 1, factor > 1 and there is such an epsilon.
[[nodiscard]] Epsilon choose_epsilon(double prior, double factor, std::uint64_t queries);

}  // namespace pratique::dp
