// Diversity of a sensitive attribute in each class.
//
// l-diversity (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007). With r_1 >= ... >= r_m the
// counts of a class's values:
//   distinct    m >= l
//   entropy     -sum p log p >= log l; the figure is exp of the entropy
//   recursive   r_1 < c (r_l + ... + r_m); the figure is r_1 / (r_l + ... + r_m), which must be
//               under c, infinite where the class has fewer than l values
// alpha (Wong, Li, Fu, Wang 2006, (alpha,k)-anonymity without its k): no value has a larger share
// of a class than alpha.
//
// All are monotone: a union has all values of its parts; entropy is concave; the largest count of
// the union is at most the sum of the parts' largest, and so are its l - 1 largest, so that the
// tail is at least the sum of tails; a share in a union lies between the shares in its parts.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

[[nodiscard]] std::unique_ptr<Model> distinct_l_diversity(std::uint64_t l,
                                                          const ModelAttribute& attribute);
[[nodiscard]] std::unique_ptr<Model> entropy_l_diversity(double l, const ModelAttribute& attribute);
[[nodiscard]] std::unique_ptr<Model> recursive_l_diversity(double c, std::uint64_t l,
                                                           const ModelAttribute& attribute);
[[nodiscard]] std::unique_ptr<Model> alpha_anonymity(double alpha, const ModelAttribute& attribute);

// --l L[@COLUMN], --diversity distinct | entropy | recursive:C, [@COLUMN]
extern const ModelKind l_diversity_kind;
// --alpha A[@COLUMN]
extern const ModelKind alpha_anonymity_kind;

}  // namespace pratique::tables
