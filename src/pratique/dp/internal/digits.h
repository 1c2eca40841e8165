// What ExactProbability asks for more digits.
#pragma once

#include <utility>

#include "pratique/dp/internal/enclosure.h"
#include "pratique/dp/mechanism/bernoulli.h"

namespace pratique::dp {

struct ExactProbability::Digits {
  EnclosedAt enclosed;
};

[[nodiscard]] inline ExactProbability exact_probability(EnclosedAt enclosed) {
  return ExactProbability(std::make_shared<const ExactProbability::Digits>(
      ExactProbability::Digits{std::move(enclosed)}));
}

}  // namespace pratique::dp
