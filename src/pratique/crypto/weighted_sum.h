// Sums of points, each multiplied by a number: as proofs about many points need them. By
// Pippenger's method: points whose numbers have the same digit are added up first, so that a point
// costs some fifty additions instead of a multiplication and an addition of encodings.
//
// How long it takes depends on points and numbers: only for what everybody may see.
#pragma once

#include <optional>
#include <span>

#include "pratique/crypto/ristretto.h"

namespace pratique {

// Nothing where the sum is the identity. As many weights as points.
[[nodiscard]] std::optional<Point> weighted_sum(std::span<const Scalar> weights,
                                                std::span<const Point> points);

}  // namespace pratique
