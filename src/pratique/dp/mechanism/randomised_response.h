// Randomised response (Warner 1965) over k values: each person tells the true value with
// probability e^epsilon / (e^epsilon + k - 1), and else one of the others, each as likely.
//
// Theorem. The answer of one person is epsilon-locally differentially private: any answer is at
// most e^epsilon times as likely under one true value as under another. The chance to lie has odds
// (k - 1) exp(-epsilon), an exact coin (bernoulli.h); which lie is uniform, exactly.
#pragma once

#include <cstdint>

#include "pratique/dp/accounting/epsilon.h"
#include "pratique/dp/mechanism/bernoulli.h"

namespace pratique::dp {

class RandomisedResponse {
 public:
  // values >= 2
  RandomisedResponse(std::uint64_t values, Epsilon epsilon);
  // truth < values
  [[nodiscard]] std::uint64_t draw(std::uint64_t truth, RandomBits& random) const;

 private:
  std::uint64_t values_;
  ExactProbability lie_;
};

}  // namespace pratique::dp
