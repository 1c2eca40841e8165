#include "pratique/dp/mechanism/sparse_vector.h"

namespace pratique::dp {

SparseVector::Rates SparseVector::rates(std::uint64_t sensitivity, std::uint64_t most_above,
                                        Epsilon epsilon) {
  return {epsilon.part_of(2).over(sensitivity),
          epsilon.part_of(2).over(2 * most_above * sensitivity)};
}

std::optional<bool> SparseVector::ask(std::int64_t value, RandomBits& random) {
  if (left_ == 0) return std::nullopt;
  const bool above = value + query_noise_.draw(random) >= threshold_;
  if (above) --left_;
  return above;
}

}  // namespace pratique::dp
