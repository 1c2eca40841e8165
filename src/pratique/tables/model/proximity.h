// Models for numeric sensitive values, where values that are near each other are as telling as
// equal ones.
//
// (e,m)-anonymity, absolute (Li, Tao, Xiao 2008): around the value v of each record, at most 1/m of
// the class lies in [v - e, v + e]. The figure is the largest such share. Not monotone: a value of
// one class may stand amid the values of the other.
// Range diversity (after Zhang, Koudas, Srivastava, Yu 2007, (k,e)-anonymity, and Loukides and Shao
// 2011): the largest less the smallest value of a class is at least e. Monotone.
//
// A missing value is near missing values alone and stretches no range.
#pragma once

#include <cstdint>
#include <memory>

#include "pratique/data/table.h"
#include "pratique/tables/model/model_kind.h"

namespace pratique::tables {

// By code, not a number where missing. Throws Error when a value with a count is neither a number
// nor missing; `counts` are those of the rows.
[[nodiscard]] std::vector<double> numbers_of(const Column& column,
                                             const std::vector<std::uint64_t>& counts);

[[nodiscard]] std::unique_ptr<Model> em_anonymity(double e, std::uint64_t m,
                                                  const ModelAttribute& attribute,
                                                  std::vector<double> numbers);
[[nodiscard]] std::unique_ptr<Model> range_diversity(double e, const ModelAttribute& attribute,
                                                     std::vector<double> numbers);

// --em E:M[@COLUMN]
extern const ModelKind em_anonymity_kind;
// --range E[@COLUMN]
extern const ModelKind range_diversity_kind;

}  // namespace pratique::tables
