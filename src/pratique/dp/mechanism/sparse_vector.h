// The sparse vector technique: of many counts, which are above a threshold, at the price of those
// that are.
//
// Theorem (Dwork and Roth 2014, algorithm 2, as corrected by Lyu, Su and Li 2017). Let every query
// change by at most D between neighbours. Noise of rate epsilon_1 / D on the threshold, and of rate
// epsilon_2 / (2 c D) on each query, and answering "above" or "below" until `c` answers were
// "above", is (epsilon_1 + epsilon_2)-differentially private, however many were "below". Needed
// for that, and often forgotten: fresh noise for every query, no noisy value ever told, and nothing
// after the c-th.
// With whole numbers and discrete noise the proof is the same sum: moving the threshold's noise by
// D and the noise of each answer "above" by 2 D turns one run into its neighbour's, and a mass
// moved by m loses at most a factor exp(rate m).
#pragma once

#include <cstdint>
#include <optional>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/discrete_laplace.h"

namespace pratique::dp {

class SparseVector {
 public:
  // Epsilon is split evenly between the threshold and the queries.
  struct Rates {
    Rational threshold;
    Rational query;
  };
  [[nodiscard]] static Rates rates(std::uint64_t sensitivity, std::uint64_t most_above,
                                   Epsilon epsilon);

  // Noise of these rates. `query_noise` must live as long as this.
  SparseVector(std::int64_t threshold, std::uint64_t most_above,
               const DiscreteLaplace& threshold_noise, const DiscreteLaplace& query_noise,
               RandomBits& random)
      : query_noise_(query_noise),
        threshold_(threshold + threshold_noise.draw(random)),
        left_(most_above) {}
  // Whether it is above; none once as many as agreed were.
  [[nodiscard]] std::optional<bool> ask(std::int64_t value, RandomBits& random);

 private:
  const DiscreteLaplace& query_noise_;
  std::int64_t threshold_;
  std::uint64_t left_;
};

}  // namespace pratique::dp
