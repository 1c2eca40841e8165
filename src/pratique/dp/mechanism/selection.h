// Choosing one of several candidates privately.
//
// Definition. Scores are whole numbers, one per candidate; between neighbours each changes by at
// most D.
//
// Exponential mechanism (McSherry and Talwar 2007): candidate i with probability proportional to
// exp(epsilon u_i / (2 D)) is epsilon-differentially private. Here a candidate is drawn uniformly
// and kept with probability exp(-epsilon (u_max - u_i) / (2 D)), an exact coin; what is kept has
// exactly that distribution. How many tries it takes depends on the scores, so whoever can time it
// learns something; commands use the noisy maximum instead.
//
// Noisy maximum: add independent geometric noise (one-sided) of rate epsilon / (2 D) to each score
// and tell whose is largest; of equal ones, the first. Epsilon-differentially private. Proof: fix
// the noise of all but i. Candidate i wins just when its noise is at least some whole number r,
// which a neighbour moves by at most 2 D, because i's score and the best of the others each move by
// at most D; ties do not matter, since a fixed order decides them. Of geometric noise P(X >= r + 2
// D) >= exp(-rate 2 D) P(X >= r) for every r, with rate 2 D = epsilon. Summed over the noise of the
// others, the probability that i wins changes by at most exp(epsilon). (Where all scores move in
// one direction, D would do in place of 2 D; not used.) Its work is the same whatever the scores
// are.
#pragma once

#include <cstdint>
#include <span>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/geometric.h"

namespace pratique::dp {

// Both return the chosen candidate's index, and throw Error::input where there is none.
[[nodiscard]] std::size_t exponential_mechanism(std::span<const std::int64_t> scores,
                                                std::uint64_t sensitivity, Epsilon epsilon,
                                                RandomBits& random);

class NoisyMaximum {
 public:
  NoisyMaximum(std::uint64_t sensitivity, Epsilon epsilon)
      : noise_(epsilon.over(2 * sensitivity)) {}
  [[nodiscard]] std::size_t choose(std::span<const std::int64_t> scores, RandomBits& random) const;

 private:
  Geometric noise_;
};

}  // namespace pratique::dp
